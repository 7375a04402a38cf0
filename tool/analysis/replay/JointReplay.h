// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What changes gain: the replays of one process, or of all ranks of one run
// side by side (docs/model.md, "Several ranks"). A gain on one rank counts only
// as far as it is the rank that the others wait for. The clocks of the ranks
// need not agree.
#pragma once

#include "analysis/replay/WhatIf.h"

namespace autoprof::analysis {

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

  /// What is saved: the least that any rank gains. `Plans`: one for each rank.
  PlanAnswer gain(llvm::ArrayRef<Plan> Plans) const;

  /// About the same, from one playback.
  int64_t roughGain(llvm::ArrayRef<Plan> Plans) const;

  /// What the steps that count, or the run, take on the slowest rank without a
  /// change, ns; in a run that is not recorded if KnowsCost.
  int64_t whole() const;

private:
  using Runs = std::vector<int64_t>; ///< By rank: what counts, ns.
  const std::vector<const Replay *> Ranks;
  std::string Obstacle;
  std::vector<std::vector<uint32_t>> Found;        ///< See collective().
  std::vector<std::vector<trace::Window>> Waiting; ///< See waiting().
  /// Without a change, for each of levels(); the second is empty if the cost of
  /// recording is not known.
  std::vector<Runs> Recorded, WithoutRecorder;

  void match();
  void findWaiting();
  int64_t waited(size_t Rank, size_t I) const {
    return Waiting[Rank][I].End - Waiting[Rank][I].Start;
  }
  std::vector<unsigned> levels(bool IsRecorded) const;
  Runs play(llvm::ArrayRef<Plan> Plans, bool IsRecorded, unsigned Levels) const;
  std::vector<Runs> playCases(llvm::ArrayRef<Plan> Plans,
                              bool IsRecorded) const;
  int64_t leastSaved(const Runs &Before, const Runs &After) const;
  std::vector<int64_t> savings(llvm::ArrayRef<Plan> Plans,
                               bool IsRecorded) const;
};

} // namespace autoprof::analysis
