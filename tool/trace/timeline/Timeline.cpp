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

StringRef autoprof::trace::word(Direction D) {
  constexpr StringRef Words[] = {"unknown", "HtoD", "DtoH",
                                 "DtoD",    "HtoH", "PtoP"};
  return Words[unsigned(D)];
}

StringRef autoprof::trace::word(MemoryKind M) {
  constexpr StringRef Words[] = {"unknown", "pageable", "pinned", "device",
                                 "managed"};
  return Words[unsigned(M)];
}

StringRef autoprof::trace::word(StreamFlag F) {
  constexpr StringRef Words[] = {"null", "default", "nonblocking", "unknown"};
  return Words[unsigned(F)];
}

StringRef autoprof::trace::word(OpKind K) {
  constexpr StringRef Words[] = {"kernel", "copy", "set", "graph", "other"};
  return Words[unsigned(K)];
}

std::string Site::key() const {
  if (Id)
    return "id " + std::to_string(Id);
  auto At = [](const std::string &File, uint32_t Line, uint32_t Column) {
    return File + ":" + std::to_string(Line) + ":" + std::to_string(Column);
  };
  return At(File, Line, Column) +
         (CalledFrom ? " " + At(CalledFrom->File, CalledFrom->Line, 0) : "");
}
