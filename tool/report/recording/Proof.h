// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chain from a change to its effect: what the programs do differently, what
// the base's replay predicted, what was measured, whether the two agree, and
// whether both programs printed the same output.
#ifndef AUTOPROF_REPORT_RECORDING_PROOF_H
#define AUTOPROF_REPORT_RECORDING_PROOF_H

#include "report/document/Document.h"
#include "report/recording/DiffText.h"

namespace autoprof::report {

/// Empty: the recordings differ in nothing, and there is no comparison by runs.
Section proofSection(const analysis::Difference &D);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_PROOF_H
