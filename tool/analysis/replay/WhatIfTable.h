// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The questions that a replay answers: what removing, postponing, or making
// asynchronous each of the most expensive waits would save, what removing all
// of them would save, and what the changes that are worth making save together.
// Once one wait is gone, the next one may cost more, or nothing, so single
// gains do not add up.
#ifndef AUTOPROF_ANALYSIS_REPLAY_WHATIFTABLE_H
#define AUTOPROF_ANALYSIS_REPLAY_WHATIFTABLE_H

#include "analysis/replay/ChangeSet.h"
#include "analysis/transfers/Transfers.h"

namespace autoprof::analysis {

/// One row of the report, as the questions need it.
struct Waiter {
  uint32_t Row = 0;    ///< Into Result::Sites.
  uint32_t Group = 0;  ///< See groupOf.
  bool IsSync = false; ///< Does nothing but wait.
  bool IsFree = false; ///< Frees memory: there is no result to use later.
  /// Can leave its result on the GPU: asynchronous, it reads nothing back.
  bool LeavesResult = false;
  /// Of a call that creates an object, the group that destroys it, and the
  /// other way round; None for all other calls. Created once, neither happens.
  uint32_t Partner = trace::None;
};

/// What a plan saves.
struct PlanAnswer {
  /// ns, sums over the steps that count, or over the run where there are none.
  Gain Saved;
  /// How much shorter the median step is; 0 without steps. This is not Saved
  /// per step, which is a mean, dominated by single slow steps that lose their
  /// waits.
  Gain Step;
  /// In a run that is not recorded: sums as Saved, and of the median step;
  /// nullopt where the recorder's cost is not known.
  std::optional<Estimate> Unrecorded, UnrecordedStep;
};

struct WhatIfRow : PlanAnswer {
  Edit Kind = Edit::None;
  /// What was replayed for it: mostly the same. A call that is asynchronous if
  /// it reads nothing back, or whose object is created once, is replayed as
  /// that.
  Edit Replayed = Edit::None;
  /// Into Result::Sites; empty: all that wait, or a transfer.
  std::vector<uint32_t> Rows;
  /// Into Result::Transfers, whose copies it is about; Rows is empty then.
  uint32_t Transfer = trace::None;
};

/// The median step under an ideal: a bound of what any change can bring. ns.
struct StepLimits {
  Gain FreeLaunches, InfiniteCpu, NoWaits;
};

struct WhatIfTable {
  /// By site, the most expensive first; then all.
  std::vector<WhatIfRow> Answers;
  /// What is worth a change, and what it saves: the least of each change, and
  /// the most. Without members: nothing is worth it.
  ChangeSet Changes;
  std::optional<PlanAnswer> Mild, Strong;
  /// Where not all steps that count were replayed; sums are scaled to all.
  std::optional<StepSample> Sampled;
  /// What the steps that count (or the run) take when they are not recorded,
  /// ns, by replay; nullopt where the recorder's cost is not known.
  std::optional<int64_t> UnrecordedWhole;
  /// The same for the median of these steps; nullopt without steps.
  std::optional<int64_t> UnrecordedStep;

  /// Sets the last two.
  void setUnrecorded(const Replay &Player, bool OfSteps);

  /// The answer for one row of Result::Sites, or null.
  const WhatIfRow *find(Edit Kind, uint32_t Row) const;
};

/// Of steps on the GPU's clock, whose median is `Step` (ns) in the recording.
/// `Busy`: the share of the time in which the GPU works: no change of the host
/// makes a step shorter than that.
StepLimits findLimits(const Replay &Player, int64_t Step, double Busy);

/// Adds the answers about single waits, and about all. `Waiters` by cost,
/// descending. `Full`: recorded by autoprof in full, at a cost that is known.
/// `OfSteps`: gains of the steps that count, else of the run.
void answerWhatIfs(WhatIfTable &Table, const Replay &Player,
                   const std::vector<Waiter> &Waiters, bool OfSteps, bool Full);

/// Adds what Changes save. `Transfers`: Result::Transfers.
void answerChanges(WhatIfTable &Table, const Replay &Player,
                   const std::vector<TransferRow> &Transfers, bool OfSteps,
                   bool Full);

/// Copies of fewer bytes on average are waits, not transfers.
constexpr uint64_t SmallTransfer = 64 * 1024;

/// Whether a transfer costs enough to be asked about: a hundredth of `Whole`,
/// ns, of the steps that count or of the run.
bool isWorthAsking(const TransferRow &Row, int64_t Whole);

/// About whole transfers: pinning the host's memory, not waiting for the copy
/// either, and leaving it out. Of the most expensive ones that are worth it.
/// `OfSteps`, `Full`: as for
/// answerWhatIfs.
std::vector<WhatIfRow> answerTransfers(const Replay &Player,
                                       const std::vector<TransferRow> &Rows,
                                       bool OfSteps, bool Full, int64_t Whole);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_REPLAY_WHATIFTABLE_H
