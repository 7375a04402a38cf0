// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Windows.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;

int64_t analysis::overlap(const trace::Window &W, int64_t From, int64_t To) {
  return std::max<int64_t>(0, std::min(W.End, To) - std::max(W.Start, From));
}

int64_t analysis::overlap(llvm::ArrayRef<trace::Window> Disjoint, int64_t From,
                          int64_t To) {
  int64_t Sum = 0;
  const auto *First = llvm::partition_point(
      Disjoint, [From](const trace::Window &W) { return W.End <= From; });
  for (; First != Disjoint.end() && First->Start < To; ++First)
    Sum += overlap(*First, From, To);
  return Sum;
}

void analysis::append(std::vector<trace::Window> &Disjoint,
                      const trace::Window &W) {
  if (!Disjoint.empty() && W.Start <= Disjoint.back().End)
    Disjoint.back().End = std::max(Disjoint.back().End, W.End);
  else
    Disjoint.push_back(W);
}
