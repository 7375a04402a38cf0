// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/Catalogue.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <array>
#include <iterator>

using namespace autoprof::catalogue;
using llvm::StringRef;

namespace {

#define AUTOPROF_CALL(NAME, CLASS, WAIT, TARGET, CONDITION, REPLACEMENT,       \
                      SOURCE)                                                  \
  {#NAME,                                                                      \
   LIBRARY,                                                                    \
   CallClass::CLASS,                                                           \
   Waits::WAIT,                                                                \
   WaitsFor::TARGET,                                                           \
   CONDITION,                                                                  \
   REPLACEMENT,                                                                \
   SOURCE},
constexpr Row Table[] = {
#define LIBRARY "cudart"
#include "cuda_runtime.def"
#undef LIBRARY
#define LIBRARY "cuda"
#include "cuda_driver.def"
#undef LIBRARY
#define LIBRARY "cublas"
#include "cublas.def"
#undef LIBRARY
#define LIBRARY "cufft"
#include "cufft.def"
#undef LIBRARY
};
#undef AUTOPROF_CALL

using Index = std::array<const Row *, std::size(Table)>;

Index sortByName() {
  Index Result;
  std::transform(std::begin(Table), std::end(Table), Result.begin(),
                 [](const Row &R) { return &R; });
  std::sort(Result.begin(), Result.end(),
            [](const Row *A, const Row *B) { return A->Name < B->Name; });
  return Result;
}

/// cuda.h, cublas_v2.h and per-thread default streams rename functions by
/// macro, and CUPTI adds the version an entry point appeared in.
bool dropVersion(StringRef &Name) {
  size_t Digits = 0;
  while (Digits < Name.size() && llvm::isDigit(Name[Name.size() - 1 - Digits]))
    ++Digits;
  StringRef Stem = Name.drop_back(Digits);
  return Digits && Stem.consume_back("_v") && (Name = Stem, true);
}

StringRef withoutSuffixes(StringRef Name) {
  while (Name.consume_back("_ptds") || Name.consume_back("_ptsz") ||
         Name.consume_back("_64") || dropVersion(Name)) {
  }
  return Name;
}

} // namespace

const Row *autoprof::catalogue::lookup(StringRef Name) {
  static const Index ByName = sortByName();
  Name = withoutSuffixes(Name);
  auto It = std::lower_bound(
      ByName.begin(), ByName.end(), Name,
      [](const Row *R, StringRef Wanted) { return R->Name < Wanted; });
  return It != ByName.end() && (*It)->Name == Name ? *It : nullptr;
}

llvm::ArrayRef<Row> autoprof::catalogue::rows() { return Table; }

StringRef autoprof::catalogue::name(CallClass C) {
  switch (C) {
  case CallClass::Launch:
    return "launch";
  case CallClass::Copy:
    return "copy";
  case CallClass::Set:
    return "set";
  case CallClass::Sync:
    return "sync";
  case CallClass::Alloc:
    return "alloc";
  case CallClass::Free:
    return "free";
  case CallClass::Query:
    return "query";
  case CallClass::Other:
    return "other";
  }
  return "";
}
