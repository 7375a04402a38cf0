// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What removing a wait on all ranks saves a parallel run whose ranks meet in
// collectives.
#pragma once

#include "analysis/Analysis.h"
#include "analysis/replay/JointReplay.h"

namespace autoprof::analysis {

/// One rank: its recording and what was found in it.
struct RankRecording {
  const trace::Timeline &T;
  const Result &R;
};

/// A wait, removed. Gains are of the job: per step where Together::PerStep,
/// else of the run. ns
struct TogetherSite {
  trace::Site Place; ///< Id 0 and no file without a source line.
  std::string Call, Kind;
  size_t Ranks = 0; ///< On so many it waits.
  PlanAnswer OnAll; ///< Removed on all of them.
  int64_t Rank = 0; ///< Where it has the largest exposed stall.
};

/// How long a rank waits in collectives for other ranks, with nothing else
/// running on its GPU, in the recorded run: the mean of the steps that count
/// where Together::PerStep, else the sum of the run. ns
struct CollectiveWait {
  int64_t Rank = 0;
  int64_t Time = 0;
  int64_t Last = 0;     ///< The rank for which it waits longest.
  int64_t LastTime = 0; ///< The part of Time in which it waits for that one.
};

struct Together {
  std::string Obstacle;   ///< Why there are no answers: the rest of a sentence.
  size_t Collectives = 0; ///< Of each rank.
  bool PerStep = false;
  int64_t Whole = 0; ///< The step, or the run, ns; see JointReplay::whole.
  std::vector<TogetherSite> Sites; ///< By gain on all ranks, descending.
  /// Without any wait on any rank: a call may wait for what another one that is
  /// removed has waited for. Nothing with an obstacle.
  std::optional<PlanAnswer> WithoutWaits;
  std::vector<CollectiveWait> Waits; ///< One for each rank.
};

/// nullopt if no rank ran a collective, or there is one rank only.
std::optional<Together> replayTogether(llvm::ArrayRef<RankRecording> All);

} // namespace autoprof::analysis
