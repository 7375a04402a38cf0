// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a report of several ranks begins with: the answer, in a few sentences.
#ifndef AUTOPROF_REPORT_RECORDING_RANKSANSWER_H
#define AUTOPROF_REPORT_RECORDING_RANKSANSWER_H

#include "analysis/ranks/Ranks.h"
#include "report/document/Table.h"

#include <optional>
#include <string>

namespace autoprof::report {

/// Which files are cut off; "": none is.
std::string cutRanksWarning(const analysis::Ranks &R);

/// The site that costs most, of those that are worth a change, and what
/// removing it saves the job.
std::string ranksAnswer(const analysis::Ranks &R);

/// "In the recorded run, rank 0 waits 2.13 ms per step in collectives for rank
/// 1.": whoever waits longest; "": hardly anybody does.
std::string slowRankSentence(const analysis::Ranks &R);

/// What removing a wait saves the job.
Table togetherTable(const analysis::Together &Job);
/// What the gains in that table are of.
std::string togetherSentence(const analysis::Together &Job);

/// Whether a rank waits in collectives for others.
bool hasCollectiveWaits(const analysis::Ranks &R);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_RANKSANSWER_H
