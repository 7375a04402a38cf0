// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spans of time, and how much of one is in others.
#pragma once

#include "trace/timeline/Timeline.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <vector>

namespace autoprof::analysis {

/// How much of the time from `From` to `To` is in the window, ns.
inline int64_t overlap(const trace::Window &W, int64_t From, int64_t To) {
  return std::max<int64_t>(0, std::min(W.End, To) - std::max(W.Start, From));
}

/// The same for windows that are disjoint and in order.
inline int64_t overlap(llvm::ArrayRef<trace::Window> Disjoint, int64_t From,
                       int64_t To) {
  int64_t Sum = 0;
  const auto *First = llvm::partition_point(
      Disjoint, [From](const trace::Window &W) { return W.End <= From; });
  for (; First != Disjoint.end() && First->Start < To; ++First)
    Sum += overlap(*First, From, To);
  return Sum;
}

/// Adds a window that begins no earlier than the last one of `Disjoint` does,
/// and joins the two where they touch.
inline void append(std::vector<trace::Window> &Disjoint,
                   const trace::Window &W) {
  if (!Disjoint.empty() && W.Start <= Disjoint.back().End)
    Disjoint.back().End = std::max(Disjoint.back().End, W.End);
  else
    Disjoint.push_back(W);
}

} // namespace autoprof::analysis
