// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Summaries of ranks as files: schema autoprof-summary/1 (docs/json.md), one
// JSON document on one line, so that files may be joined with cat.
#ifndef AUTOPROF_REPORT_RECORDING_SUMMARY_H
#define AUTOPROF_REPORT_RECORDING_SUMMARY_H

#include "analysis/ranks/RankSummary.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::report {

/// Step times are rounded to a ten-thousandth of the median step or less; of
/// more than a thousand steps, only means of groups are kept, and of many sites
/// those that cost most.
void writeSummary(llvm::raw_ostream &Out, const analysis::RankSummary &S);

/// Whether a file with this beginning holds summaries.
bool isSummary(llvm::StringRef Start);

/// All summaries of a file. An error is one sentence without the file's name.
llvm::Expected<std::vector<analysis::RankSummary>>
readSummaries(llvm::StringRef Text);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_SUMMARY_H
