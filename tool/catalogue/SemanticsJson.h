// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A calibration as JSON, schema autoprof-semantics/1 (docs/calibrate.md).
#pragma once

#include "catalogue/Semantics.h"
#include "fields/Fields.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace autoprof::catalogue {

constexpr llvm::StringLiteral SemanticsSchema = "autoprof-semantics/1";

/// Reads the output of writeSemantics, of this or a later version: unknown keys
/// are skipped, unknown calls are kept, and unknown facts become
/// Observation::Foreign. Constants that cannot be are left out. Anything else
/// that does not fit is an error: one sentence, without the file's name.
/// Thread-safe.
llvm::Expected<Semantics> readSemantics(llvm::StringRef Json);

/// Also writes the verdict of each observation (`waits`, `waits_for`) for other
/// programs; readSemantics derives it from the times again.
void writeSemantics(Semantics S, llvm::raw_ostream &Out);
void semanticsFields(fields::Fields &F, Semantics &S);

/// The copies and pauses of `S` and what they were measured on, in one line:
/// what a trace keeps of a calibration.
std::string constantsOf(const Semantics &S);

} // namespace autoprof::catalogue
