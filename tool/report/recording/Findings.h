// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings: waits that are worth a change, and what else an expert would point
// out.
#ifndef AUTOPROF_REPORT_RECORDING_FINDINGS_H
#define AUTOPROF_REPORT_RECORDING_FINDINGS_H

#include "report/recording/Report.h"

#include "llvm/Support/JSON.h"

namespace autoprof::report {

/// "few-blocks: 4.2 kernels per step use less than half of the device ...".
std::string findingText(const analysis::Finding &F);
/// What to do about it, and what the trace does not show.
std::string findingAdvice(const analysis::Finding &F);

/// findings[]: the waits first.
void findingsJson(llvm::json::OStream &J, const Input &Subject);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_FINDINGS_H
