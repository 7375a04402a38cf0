// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chain from a change to its effect: what the programs do differently, what
// the base's replay predicted, what was measured, whether the two agree, and
// whether both programs printed the same output.
#ifndef AUTOPROF_REPORT_RECORDING_PROOF_H
#define AUTOPROF_REPORT_RECORDING_PROOF_H

#include "analysis/decisions/Decisions.h"
#include "report/document/Document.h"
#include "report/recording/DiffText.h"

namespace autoprof::report {

/// Empty: the recordings differ in nothing, and there is no comparison by runs.
Section proofSection(const analysis::Difference &D);

/// What the report of the base expects of the change that it recommends for a
/// site, which is a mean over the steps and never more than the exposed stall
/// and the operator's time: it need not be what the median step gains.
struct ReportedGain {
  const analysis::SiteChange &Site;
  analysis::Edit Kind;
  analysis::ExpectedGain Gain;
};

/// Of the sites that are gone, and of the copies that are pinned.
std::vector<ReportedGain> reportedGains(const analysis::Difference &D);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_PROOF_H
