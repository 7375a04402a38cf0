// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an expert would point out in a recording, besides its waits: one file
// per rule, all of them listed in Findings.def.
//
// A rule reports nothing unless its figures are clear: each finding costs the
// reader time, and a false one costs trust. What a trace cannot show is stated
// with the finding, as its caveat.
#ifndef AUTOPROF_ANALYSIS_FINDINGS_RULES_H
#define AUTOPROF_ANALYSIS_FINDINGS_RULES_H

#include "analysis/result/Result.h"

namespace autoprof::analysis {

/// Warnings first, then by cost, descending.
std::vector<Finding> findFindings(const trace::Timeline &T, const Result &R);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_FINDINGS_RULES_H
