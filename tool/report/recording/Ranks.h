// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of several processes of one run.
#ifndef AUTOPROF_REPORT_RECORDING_RANKS_H
#define AUTOPROF_REPORT_RECORDING_RANKS_H

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

Document ranksDocument(const RanksInput &About, const TextStyle &Style);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_RANKS_H
