// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file that `autoprof compare` writes and reads again: schema
// autoprof-compare/1 (docs/compare.md).
#pragma once

#include "analysis/comparison/Trials.h"
#include "fields/Fields.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace autoprof::report {

/// `Judged`: the verdict; null if there are too few runs.
void writeTrials(llvm::raw_ostream &Out, const analysis::Trials &T,
                 const analysis::TrialsJudged *Judged);
void trialsFields(fields::Fields &F, analysis::Trials &T,
                  const analysis::TrialsJudged *Judged);

/// The fields of a judgement, in an object that is open.
void judgementFields(fields::Fields &F, const analysis::Trials &T,
                     const analysis::TrialsJudged &Judged);

/// Whether the file begins like one of these; a trace does not.
bool isTrialsFile(llvm::StringRef Path);

/// An error names the file and what is wrong with it.
llvm::Expected<analysis::Trials> readTrials(llvm::StringRef Path);

/// "faster", "slower", "no_change", "unclear".
llvm::StringRef verdictName(const analysis::TrialsJudged &Judged);

} // namespace autoprof::report
