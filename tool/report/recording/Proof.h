// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chain from a change to its effect: what the programs do differently, what
// the base's replay predicted, what was measured, whether the two agree, and
// whether both programs printed the same output.
#ifndef AUTOPROF_REPORT_RECORDING_PROOF_H
#define AUTOPROF_REPORT_RECORDING_PROOF_H

#include "report/recording/DiffText.h"

#include "llvm/Support/JSON.h"

#include <utility>

namespace autoprof::report {

/// Name and value of each line; with `All` every fact. Empty: the recordings
/// differ in nothing, and there is no comparison by runs.
std::vector<std::pair<std::string, std::string>>
proofLines(const analysis::Difference &D, bool All);
llvm::StringRef proofHeading();

void writeProofTerminal(llvm::raw_ostream &Out, const analysis::Difference &D,
                        const TextStyle &Style);
void writeProofMarkdown(llvm::raw_ostream &Out, const analysis::Difference &D,
                        const TextStyle &Style);
/// The attribute "proof" of an object that is open; null: nothing is known.
void writeProof(llvm::json::OStream &J, const analysis::Difference *D);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_PROOF_H
