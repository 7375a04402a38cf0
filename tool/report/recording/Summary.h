// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Summaries of ranks as files: schema autoprof-summary/1 (docs/json.md), one
// JSON document on one line, so that files may be joined with cat.
#pragma once

#include "analysis/ranks/RankSummary.h"
#include "fields/Fields.h"

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

/// Of summaries with more sites than a file holds the rest is left out.
void summaryFields(fields::Fields &F, analysis::RankSummary &S);

/// rank, local_rank, ranks.
template <typename Process>
void rankNumberFields(fields::Fields &F, Process &P) {
  F.field("rank",
          "number among all ranks, as the launcher gave it; null: unknown",
          P.Rank);
  F.field("local_rank", "its number on its machine; null: unknown",
          P.LocalRank);
  F.field("ranks", "the number of ranks; null: unknown", P.Ranks);
}

/// host, pid, command.
template <typename Process>
void rankProcessFields(fields::Fields &F, Process &P) {
  std::optional<int64_t> Pid;
  if (P.Pid >= 0)
    Pid = P.Pid;
  F.text("host", "name of the machine", P.Host);
  F.field("pid", "process id", Pid);
  F.text("command", "the recorded program's command line", P.CommandLine);
  if constexpr (!std::is_const_v<Process>)
    P.Pid = Pid.value_or(-1);
}

} // namespace autoprof::report
