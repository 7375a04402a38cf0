// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is kept of one process of a parallel run, so that thousands of them can
// be compared at once: a few kilobytes, from its trace or from a file that
// `autoprof summarize` wrote.
#pragma once

#include "analysis/Analysis.h"

namespace autoprof::analysis {

/// Times of the steps that count. ns
struct RankSteps {
  std::string Source;   ///< As Steps::Source.
  uint64_t Site = 0;    ///< As Steps::Site.
  bool FromGpu = false; ///< As Steps::FromGpu.
  size_t Count = 0, Measured = 0, WarmUp = 0;
  int64_t Median = 0, P95 = 0; ///< Of the steps that count.
  size_t First = 1;            ///< Number (from 1) of the first step in Times.
  std::vector<int64_t> Times;
};

/// As Steady: sums over the steps that count. ns
struct RankSums {
  size_t Count = 0;
  int64_t HostTime = 0, Span = 0, Busy = 0, Waited = 0, Exposed = 0;
  std::string Regime; ///< As programs read it.
};

/// As SiteRow.
struct RankSiteRow {
  trace::Site Place; ///< Id 0 and no file without a source line.
  std::string Call, Kind;
  uint64_t Count = 0, Waits = 0;
  std::optional<int64_t> Wait, Exposed;
  Verdict Judged = Verdict::None;
};

/// What stays the same of a row in every process of a program.
inline std::string keyOf(const trace::Site &Place, const std::string &Call) {
  return Place.Id ? Place.key() : Place.key() + " " + Call;
}

struct RankSummary {
  std::string Path; ///< Of the trace, as the user gave it.
  trace::Process Info;
  std::vector<std::string> Devices; ///< Names of the GPUs used.
  int64_t Wall = 0;
  std::optional<int64_t> Waited; ///< nullopt without GPU work.
  RankSteps Steps;
  std::optional<RankSums> InSteps;
  std::vector<RankSiteRow> Sites;   ///< In the order of Result::Sites.
  std::vector<std::string> Caveats; ///< What the trace lacks.
  bool IsCutOff = false;            ///< The end of the file is missing.
};

RankSummary summariseRank(const std::string &Path, const trace::Timeline &T,
                          const Result &R, std::vector<std::string> Caveats);

} // namespace autoprof::analysis
