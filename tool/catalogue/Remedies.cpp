// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The column of replacements is text where reports show it; here, the .def
// files are included once more for what the text says.
#include "catalogue/Remedies.h"

using llvm::StringRef;

namespace autoprof::catalogue {

namespace {

struct Replacement : Remedy {
  constexpr Replacement(const char *) {} // Only text.
  constexpr Replacement(StringRef Form, bool OrArgument, StringRef Memory)
      : Remedy{Form, OrArgument, Memory} {}
};

struct Named {
  StringRef Name;
  Replacement What;
};

#define BY_ASYNC(FORM, REST) Replacement(FORM, false, "")
#define BY_ASYNC_OR_ARGUMENT(FORM, REST) Replacement(FORM, true, "")
#define BY_PINNED(MEMORY) Replacement("", false, MEMORY)
#define AUTOPROF_CALL(NAME, CLASS, DECIDED_BY, WAIT, TARGET, WHY, REPLACEMENT, \
                      SOURCE)                                                  \
  {#NAME, REPLACEMENT},
#define AUTOPROF_WHEN(NAME, CONDITION, WAIT, TARGET, WHY, SOURCE)
const Named All[] = {
#include "catalogue/Libraries.def"
};

} // namespace

Remedy remedyOf(const Row &General) {
  for (const Named &N : All)
    if (N.Name == General.Name)
      return N.What;
  return {};
}

} // namespace autoprof::catalogue
