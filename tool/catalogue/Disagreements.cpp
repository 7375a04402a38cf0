// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/Catalogue.h"

using namespace autoprof::catalogue;

namespace {

#define AUTOPROF_DISAGREE(NAME, DOCUMENTED, MEASURED)                          \
  {#NAME, DOCUMENTED, MEASURED},
constexpr Disagreement Disagreements[] = {
#include "catalogue/disagreements.def"
};

} // namespace

llvm::ArrayRef<Disagreement> autoprof::catalogue::disagreements() {
  return Disagreements;
}
