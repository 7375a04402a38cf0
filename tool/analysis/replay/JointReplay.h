// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The replays of all ranks of one run, side by side. A collective ends for all
// ranks when the last of them has reached it and the data has been moved. So a
// gain on one rank counts only as far as it is the rank that the others wait
// for.
//
// The collectives of the ranks are matched by their order. All of them end at
// the same time, whatever the clocks of the ranks say. So the rank for which a
// collective takes least reached it last, and that time is the transfer; how
// much longer it took for another rank is how long that rank waited in it. If
// its start moves by d on each rank, which had waited for w, its end moves on
// all ranks by the largest d - w. Clocks need not agree for that, nor be
// aligned.
//
// Kernels that ran beside a collective that waited are assumed to take as long
// as they did, or, where Assumptions::FastCalls is true, as long as on a rank
// that did not wait (durationsWithoutWaiting). That holds for the unchanged
// run, too, with which a changed one is compared; otherwise nothing moves
// without a change.
#ifndef AUTOPROF_ANALYSIS_REPLAY_JOINTREPLAY_H
#define AUTOPROF_ANALYSIS_REPLAY_JOINTREPLAY_H

#include "analysis/replay/WhatIf.h"

namespace autoprof::analysis {

/// One rank, and when its collectives waited for other ranks: in order, not
/// overlapping.
struct WaitingRank {
  const trace::Timeline &T;
  std::vector<trace::Window> Waiting;
};

/// A collective that waits for other ranks occupies multiprocessors meanwhile,
/// so kernels that run beside it take longer: matrix products 5 % longer on an
/// H100 (docs/model.md, "Several ranks"). The same kernels on a rank that does
/// not wait show how long they would take.
///
/// By rank and operation: how long the operation takes if no collective waits
/// beside it, ns. That is as long as it took, except for a kernel that ran
/// beside a waiting collective for at least half of its time: it takes no
/// longer than the median of the same kernel, launched in the same shape, that
/// ran beside none, on any rank. Where that is less than three quarters of its
/// time, it is not the same work, and the time stays.
std::vector<std::vector<int64_t>>
durationsWithoutWaiting(llvm::ArrayRef<WaitingRank> Ranks);

/// Of what a gain is.
enum class JointFigure : uint8_t {
  Run,      ///< The whole run.
  MeanStep, ///< The mean of the steps that count.
};

/// What a change saves the job: the least that any rank gains. ns
struct JointGain {
  Gain Recorded;                      ///< In the recorded run.
  std::optional<Estimate> Unrecorded; ///< In a run that is not recorded.
};

class JointReplay {
public:
  /// `Ranks`: of all ranks of one run; they must outlive this. `KnowsCost`:
  /// whether what recording added is known of all of them.
  JointReplay(std::vector<const Replay *> Ranks, bool KnowsCost);

  /// Why they cannot be replayed together: the rest of a sentence, or "".
  llvm::StringRef obstacle() const { return Obstacle; }

  /// Those of each rank. Needs no obstacle, as the next ones.
  size_t collectives() const { return Found.empty() ? 0 : Found[0].size(); }

  /// One of the rank's collectives, into GpuOps.
  uint32_t collective(size_t Rank, size_t I) const { return Found[Rank][I]; }

  /// When the rank waited in it for the other ranks: its first part, or
  /// nothing.
  const trace::Window &waiting(size_t Rank, size_t I) const {
    return Waiting[Rank][I];
  }

  /// `Plans`: one for each rank.
  JointGain gain(llvm::ArrayRef<Plan> Plans, JointFigure Figure) const;

  /// What the run or a step takes on the slowest rank without a change, in a
  /// run that is not recorded if KnowsCost, ns.
  int64_t whole(JointFigure Figure) const;

private:
  using Runs = std::vector<Replay::Played>; ///< By rank.
  struct Reference {
    std::vector<std::vector<Assumptions>> Cases; ///< Of each: by rank.
    std::vector<unsigned> Levels;                ///< See combine().
    std::vector<Runs> Unchanged;                 ///< For each of Cases.
  };

  const std::vector<const Replay *> Ranks;
  std::string Obstacle;
  std::vector<std::vector<uint32_t>> Found;        ///< See collective().
  std::vector<std::vector<trace::Window>> Waiting; ///< See waiting().
  /// By rank and operation; see durationsWithoutWaiting().
  std::vector<std::vector<int64_t>> Durations;
  Reference Recorded;
  std::optional<Reference> WithoutRecorder;

  void match();
  void findWaiting();
  void findDurations();
  int64_t waited(size_t Rank, size_t I) const {
    return Waiting[Rank][I].End - Waiting[Rank][I].Start;
  }
  Reference makeReference(bool IsRecorded) const;
  Runs play(llvm::ArrayRef<Plan> Plans,
            llvm::ArrayRef<Assumptions> Assumed) const;
  std::vector<Runs>
  playCases(llvm::ArrayRef<Plan> Plans,
            const std::vector<std::vector<Assumptions>> &Cases) const;
  int64_t figureOf(const Runs &All, size_t Rank, JointFigure Figure) const;
  std::vector<int64_t> savings(llvm::ArrayRef<Plan> Plans,
                               const Reference &Baseline,
                               JointFigure Figure) const;
};

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_REPLAY_JOINTREPLAY_H
