// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings: waits that are worth a change, and what else an expert would point
// out.
#ifndef AUTOPROF_REPORT_RECORDING_FINDINGS_H
#define AUTOPROF_REPORT_RECORDING_FINDINGS_H

#include "report/recording/Report.h"

namespace autoprof::report {

/// "few-blocks: 4.2 kernels per step use less than half of the device ...".
std::string findingText(const analysis::Finding &F);
/// What to do about it, and what the trace does not show.
std::string findingAdvice(const analysis::Finding &F);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_FINDINGS_H
