// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of several processes of one run.
#pragma once

#include "analysis/comparison/Run.h"
#include "analysis/ranks/Ranks.h"
#include "report/document/Document.h"
#include "report/recording/Report.h"

namespace autoprof::report {

/// A file that could not be read, and why.
struct Unreadable {
  std::string Path, Error;
};

/// What reports need of one analyzed trace, without the trace.
analysis::RunSummary summarise(const Input &Subject);
/// The same in a few kilobytes.
analysis::RankSummary summariseRank(const Input &Subject);

struct RanksInput {
  const analysis::Ranks &R;
  llvm::ArrayRef<Unreadable> Bad;
};

/// "3", or the file's name for one without a number.
std::string rankName(const analysis::RankSummary &S);

/// Why the files may not be what the user takes them for, one sentence each:
/// first that they may be from different runs, then a number that two files
/// have, numbers that no file has.
std::vector<std::string> rankDoubts(llvm::ArrayRef<analysis::RankSummary> All);

Document ranksDocument(const RanksInput &About, const TextStyle &Style);

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
