// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What removing a wait saves a job of several ranks, in words.
#ifndef AUTOPROF_REPORT_RECORDING_JOB_H
#define AUTOPROF_REPORT_RECORDING_JOB_H

#include "analysis/ranks/Ranks.h"
#include "report/document/Table.h"

namespace autoprof::report {

/// "104 us (98.0 to 110 us)"; of a recorded run only the range.
std::string jobGainText(const analysis::JointGain &G);

/// What was found about that site when the ranks were replayed together; null:
/// nothing.
const analysis::TogetherSite *jointAnswer(const analysis::Ranks &R,
                                          const analysis::RankSite &Site);

Table togetherTable(const analysis::Together &Job);

/// What the gains in that table are of.
std::string togetherSentence(const analysis::Together &Job);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_JOB_H
