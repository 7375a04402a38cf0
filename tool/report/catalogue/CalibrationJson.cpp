// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/SemanticsJson.h"
#include "report/catalogue/Formats.h"

using namespace autoprof;

void report::writeCalibrationJson(llvm::raw_ostream &Out,
                                  const catalogue::Semantics &S,
                                  const TextStyle &) {
  catalogue::writeSemantics(S, Out);
}
