// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/timeline/Timeline.h"

#include <tuple>

using namespace autoprof::trace;
using llvm::StringRef;

uint32_t StringPool::intern(StringRef S) {
  auto [It, New] = Index.try_emplace(S, uint32_t(Text.size()));
  if (New)
    Text.push_back(It->first());
  return It->second;
}

bool LaunchShape::operator<(const LaunchShape &B) const {
  auto All = [](const LaunchShape &S) {
    return std::tuple(std::tie(S.Grid[0], S.Grid[1], S.Grid[2], S.Block[0],
                               S.Block[1], S.Block[2], S.Registers),
                      S.Shared);
  };
  return All(*this) < All(B);
}
