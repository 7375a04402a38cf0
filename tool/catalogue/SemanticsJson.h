// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A calibration as JSON, schema autoprof-semantics/1 (docs/calibrate.md).
#ifndef AUTOPROF_CATALOGUE_SEMANTICSJSON_H
#define AUTOPROF_CATALOGUE_SEMANTICSJSON_H

#include "catalogue/Semantics.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace autoprof::catalogue {

constexpr llvm::StringLiteral SemanticsSchema = "autoprof-semantics/1";

/// Reads what writeSemantics wrote, now or in a later version: keys that are
/// not known are passed over, calls that are not known stay, and facts that
/// are not known become Observation::Foreign. Anything else that does not fit
/// is an error of one sentence, without the file's name. Thread-safe.
llvm::Expected<Semantics> readSemantics(llvm::StringRef Json);

/// Also writes what each observation says (`waits`, `waits_for`), for programs
/// that read the file; readSemantics draws that from the times again.
void writeSemantics(const Semantics &S, llvm::raw_ostream &Out);

} // namespace autoprof::catalogue

#endif // AUTOPROF_CATALOGUE_SEMANTICSJSON_H
