// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The questions that a replay answers: what removing, postponing, or making
// asynchronous each of the most expensive waits would save, what removing all
// of them would save, and in which order to remove them. Once one wait is gone,
// the next one may cost more, or nothing, so single gains do not add up.
#ifndef AUTOPROF_ANALYSIS_REPLAY_WHATIFTABLE_H
#define AUTOPROF_ANALYSIS_REPLAY_WHATIFTABLE_H

#include "analysis/replay/WhatIf.h"
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
  int64_t Exposed = 0; ///< ns, sum over the steps that count (or the run).
  int64_t PartnerExposed = 0;
  /// Rows and groups of calls that would wait in its place (findSuccessors).
  std::vector<uint32_t> SuccessorRows, SuccessorGroups;
};

struct WhatIfRow {
  Edit Kind = Edit::None;
  /// What was replayed for it: mostly the same. A call that is asynchronous if
  /// it reads nothing back, or whose object is created once, is replayed as
  /// that, without successors.
  Edit Replayed = Edit::None;
  /// Into Result::Sites; empty: all that wait. In WhatIfTable::Answers, those
  /// after the first would wait in its place, and are changed with it.
  std::vector<uint32_t> Rows;
  /// Into Result::Transfers, whose copies it is about; Rows is empty then.
  uint32_t Transfer = trace::None;
  /// ns, sums over the steps that count, or over the run where there are none.
  /// At most the exposed stall of the waits concerned; of transfers all.
  Gain Saved;
  /// ns that the replay saves beyond that: streams run at the same time (if
  /// they do not slow each other down), and the CPU gets ahead where launching
  /// was slow.
  Gain Beyond;
  /// The part of Beyond that is the CPU time of the operators around removed
  /// calls (see ReadBack).
  Gain Operators;
  /// How much shorter the median step is, with what lies beyond; 0 without
  /// steps. This is not Saved per step, which is a mean, dominated by single
  /// slow steps that lose their waits.
  Gain Step;
  /// With what lies beyond, in a run that is not recorded: sums as Saved, and
  /// of the median step; nullopt where the recorder's cost is not known.
  std::optional<Estimate> Unrecorded, UnrecordedStep;
  /// As Saved with Beyond, if the other ranks of the run do not change: their
  /// collectives end when they did. nullopt without collectives.
  std::optional<Gain> Alone;
};

/// The median step under an ideal: a bound of what any change can bring. ns.
struct StepLimits {
  Gain FreeLaunches, InfiniteCpu, HiddenCopies, NoWaits;
};

/// The steps that were replayed, where these are not all that count.
struct StepSample {
  size_t Steps = 0; ///< 0: none could be, so there are no answers.
  int64_t Mean = 0, MeanOfAll = 0; ///< ns, of a step.
};

struct WhatIfTable {
  /// Whether host threads may hand work to each other, and may not.
  bool MayHandOver = false;
  /// By site, the most expensive first, each alone and with its successors;
  /// then all.
  std::vector<WhatIfRow> Answers;
  /// Removing one more each time, the best first: Saved is that of all so far.
  std::vector<WhatIfRow> Order;
  std::optional<StepSample> Sampled; ///< Sums are scaled to all steps.
  /// What the steps that count (or the run) take when they are not recorded,
  /// ns, by replay; nullopt where the recorder's cost is not known.
  std::optional<int64_t> UnrecordedWhole;
  /// The same for the median of these steps; nullopt without steps.
  std::optional<int64_t> UnrecordedStep;

  /// Sets the last two.
  void setUnrecorded(const Replay &Player, bool OfSteps);

  /// The answer for one row of Result::Sites, alone or with those that would
  /// wait in its place, or null.
  const WhatIfRow *find(Edit Kind, uint32_t Row,
                        bool WithSuccessors = false) const;
};

/// Of steps on the GPU's clock, whose median is `Step` (ns) in the recording.
/// `Busy`: the share of the time in which the GPU works. Unless its copies are
/// hidden, no change of the host makes a step shorter than that.
StepLimits findLimits(const Replay &Player, int64_t Step, double Busy);

/// `Waiters` by exposed stall, descending. `Full`: recorded by autoprof in
/// full, at a cost that is known. `OfSteps`: gains of the steps that count,
/// else of the run. `Worth`: gains below this are not followed, ns.
WhatIfTable answerWhatIfs(const Replay &Player,
                          const std::vector<Waiter> &Waiters, bool OfSteps,
                          bool Full, int64_t Worth);

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
