// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Temporaries.h"

#include "llvm/ADT/STLExtras.h"

#include <string>
#include <utility>
#include <vector>

using namespace autoprof;
using llvm::StringRef;
using trace::Timeline;

/// "device_vector" of "thrust::device_vector".
static StringRef lastPart(StringRef Name) {
  const size_t At = Name.rfind(':');
  return At == StringRef::npos ? Name : Name.drop_front(At + 1);
}

StringRef analysis::classOf(StringRef Call) {
  auto [Class, Name] = Call.rsplit("::");
  Name.consume_front("~");
  return Name.empty() || lastPart(Class) != Name ? "" : Class;
}

/// The sites on the line of `Site` that make the same call, by column.
static std::vector<uint32_t> alike(const Timeline &T, const trace::Site &Place,
                                   StringRef Call) {
  std::vector<uint32_t> Result;
  for (uint32_t I = 0; I < T.Sites.size(); ++I)
    if (const trace::Site &S = T.Sites[I];
        S.Callee == Call && S.File == Place.File && S.Line == Place.Line)
      Result.push_back(I);
  llvm::sort(Result, [&](uint32_t A, uint32_t B) {
    return std::pair(T.Sites[A].Column, A) < std::pair(T.Sites[B].Column, B);
  });
  return Result;
}

uint32_t analysis::partnerOf(const Timeline &T, uint32_t Site) {
  if (Site == trace::None)
    return trace::None;
  const trace::Site &Place = T.Sites[Site];
  const StringRef Class = classOf(Place.Callee);
  if (Class.empty())
    return trace::None;
  const StringRef Name = lastPart(Class);
  const bool Destroys = StringRef(Place.Callee).contains("::~");
  const std::string Other =
      Class.str() + (Destroys ? "::" : "::~") + Name.str();
  const std::vector<uint32_t> Same = alike(T, Place, Place.Callee),
                              Partners = alike(T, Place, Other);
  const auto Index = size_t(llvm::find(Same, Site) - Same.begin());
  return Same.size() == Partners.size() ? Partners[Index] : trace::None;
}
