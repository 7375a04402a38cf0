// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an expert would point out in a recording, besides its waits: one file a
// rule, and Findings.def names them all.
//
// A rule stays silent unless its figures are clear: each finding would cost the
// reader time, and a false one his trust. What a trace cannot tell is stated
// with the finding, as its doubt.
#ifndef AUTOPROF_ANALYSIS_FINDINGS_RULES_H
#define AUTOPROF_ANALYSIS_FINDINGS_RULES_H

#include "analysis/result/Result.h"

namespace autoprof::analysis {

struct Rule {
  llvm::StringRef Name;
  llvm::StringRef Purpose; ///< What it finds, in one sentence.
};

/// All rules, in the order of Findings.def.
llvm::ArrayRef<Rule> findingRules();

/// Warnings first, then by cost, descending.
std::vector<Finding> findFindings(const trace::Timeline &T, const Result &R);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_FINDINGS_RULES_H
