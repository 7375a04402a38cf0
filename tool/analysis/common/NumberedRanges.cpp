// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/NumberedRanges.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using llvm::StringRef;

/// "ProfilerStep#" of "ProfilerStep#12"; "": the name has no number.
static StringRef stemOf(StringRef Name) {
  const StringRef Stem = Name.rtrim("0123456789");
  return Stem.size() < Name.size() && Stem.ends_with("#") ? Stem : "";
}

std::string autoprof::analysis::withoutNumber(StringRef Name) {
  const StringRef Stem = stemOf(Name);
  return Stem.empty() ? Name.str() : Stem.str() + "n";
}

NumberedRanges::NumberedRanges(const std::vector<trace::Site> &Sites)
    : First(Sites.size()), IsOneOfSeveral(Sites.size()) {
  // By domain and stem.
  std::map<std::pair<StringRef, StringRef>, uint32_t> FirstOf;
  for (uint32_t I = 0; I < Sites.size(); ++I) {
    First[I] = I;
    const StringRef Stem =
        Sites[I].isUserRange() ? stemOf(Sites[I].Function) : "";
    if (Stem.empty())
      continue;
    First[I] = FirstOf.try_emplace({Sites[I].Callee, Stem}, I).first->second;
    if (First[I] != I)
      IsOneOfSeveral[I] = IsOneOfSeveral[First[I]] = true;
  }
}
