// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage of an analysis that replays the timeline.
#include "analysis/Stages.h"

#include "analysis/common/Statistics.h"
#include "analysis/common/Temporaries.h"
#include "analysis/decisions/Decisions.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

bool autoprof::analysis::knowsCost(const Timeline &T, const Result &R) {
  return T.Info.Mode == "full" &&
         !findGraphLaunches(T,
                            R.onGpuClock() ? R.InSteps->Host.Start : T.begin())
              .ByNode;
}

namespace {

/// Gains are replayed for this many sites, those that cost most: a replay walks
/// the whole timeline.
constexpr size_t MaxReplays = 16;
/// A site is asked about by itself if its exposed stall is at least a
/// thousandth of the time, or its waits a hundredth: while it waits, streams
/// could overlap, or another call could wait in its place.
constexpr int64_t MinStallShare = 1000, MinWaitShare = 100;
/// In longer recordings, a sample of the steps is replayed: dozens of replays
/// would take longer than reading the trace.
constexpr size_t MaxReplayedOps = 1'000'000, SampledOps = 100'000;

/// Makes a replay when the first question needs it.
class Asker {
  const Timeline &T;
  const Attribution &A;
  const WaitList &List;
  const Result &R;
  /// Whether the answers are about the steps that count, on the GPU's clock.
  const bool OfSteps;
  const int64_t Whole; ///< ns, what the answers are sums over.
  std::optional<StepSample> Sample;
  std::optional<Replay> Player;

  Replay &replay();
  bool isReplayable();
  /// There are steps, and no replay can say what changes in them.
  bool hasOtherSteps() const { return R.InSteps && !OfSteps; }
  bool isLong() const { return T.Ops.size() > MaxReplayedOps; }
  bool isCostly(const SiteRow &Row, bool Inside) const;
  void fillGain(SiteRow &Row);
  Waiter waiterOf(uint32_t I) const;

public:
  Asker(const Timeline &T, const Attribution &A, const WaitList &List,
        const Result &R)
      : T(T), A(A), List(List), R(R), OfSteps(R.onGpuClock()),
        Whole(R.whole()) {
    if (isLong())
      Sample = sampleSteps(T, R, SampledOps);
  }

  void gains(std::vector<SiteRow> &Rows);
  WhatIfTable whatIfs();
  std::vector<TransferRow> transfers() const;
  void transferWhatIfs(std::vector<TransferRow> &Rows, WhatIfTable &Table);
  void changes(const std::vector<TransferRow> &Rows, WhatIfTable &Table);
  std::optional<StepLimits> limits();
  std::optional<ReplayConstants> constants() const;
};

Replay &Asker::replay() {
  if (!Player) {
    Player.emplace(T, A, List, R.Steps, R.Measured,
                   Sample ? &*Sample : nullptr);
    if (R.InSteps)
      Player->setLimiter(limiter(R.InSteps->Limit));
  }
  return *Player;
}

bool Asker::isReplayable() {
  return (!Sample || Sample->Steps) && replay().obstacle().empty();
}

void Asker::fillGain(SiteRow &Row) {
  const Gains Found = replay().gain({Edit::Remove, {Row.Group}});
  Row.Gained = Sample ? Found.Steps : Found.Run;
  if (!Row.Steps)
    return;
  if (!Row.Steps->Waits) {
    // Before and after the steps it is not known what the program needs to be
    // done, and when: only what the GPU idles counts.
    Row.Gained = Gain{std::min(Row.Gained->Low, *Row.Exposed),
                      std::min(Row.Gained->High, *Row.Exposed)};
    return;
  }
  Row.Steps->Gained = Found.Steps;
  if (!R.Steps.FromGpu)
    Row.GainNote = "not every step launched GPU work";
}

bool Asker::isCostly(const SiteRow &Row, bool Inside) const {
  const int64_t Span = Inside ? R.InSteps->Span : R.Span,
                Wait = Row.wait(Inside);
  return MinStallShare * Row.exposed(Inside) >= Span ||
         (Wait && MinWaitShare * Wait >= Span);
}

/// Of removing each of the calls that cost most; of the others, what is known
/// without a replay.
void Asker::gains(std::vector<SiteRow> &Rows) {
  size_t Replays = 0;
  for (SiteRow &Row : Rows) {
    Row.Gained = Gain{0, std::min(*Row.Wait, *Row.Exposed)};
    if (Row.Steps)
      Row.Steps->Gained = {0, std::min(Row.Steps->Wait, Row.Steps->Exposed)};
    if (!Row.Waits)
      continue;
    const bool Inside = Row.waitsInSteps();
    if (!isCostly(Row, Inside) || Replays == MaxReplays) {
      Row.GainNote = "too small";
    } else if (Sample && (!Sample->Steps || !Inside)) {
      Row.GainNote = "the recording is too long; --window takes a part";
    } else if (!isReplayable()) {
      Row.GainNote = replay().obstacle().str();
    } else {
      ++Replays;
      fillGain(Row);
    }
  }
}

Waiter Asker::waiterOf(uint32_t I) const {
  const SiteRow &Row = R.Sites[I];
  Waiter Result;
  Result.Row = I;
  Result.Group = Row.Group;
  Result.IsSync = Row.Kind == "sync";
  Result.IsFree = Row.Kind == "free";
  Result.LeavesResult = canLeaveResult(Row.Call);
  Result.Partner = partnerOf(T, Row.Site);
  return Result;
}

/// For waits in the steps that count, if there are such steps. Needs the gains.
WhatIfTable Asker::whatIfs() {
  WhatIfTable Table;
  if (List.Waits.empty() || hasOtherSteps())
    return Table;
  Table.Sampled = Sample;
  std::vector<Waiter> Waiters;
  for (uint32_t I = 0; I < R.Sites.size(); ++I)
    if (R.Sites[I].wait(OfSteps) && isCostly(R.Sites[I], OfSteps))
      Waiters.push_back(waiterOf(I));
  if (Waiters.empty() || !isReplayable())
    return Table;
  answerWhatIfs(Table, replay(), Waiters, OfSteps, knowsCost(T, R));
  return Table;
}

std::vector<TransferRow> Asker::transfers() const {
  std::optional<TransferWindows> Steps;
  if (R.InSteps)
    Steps.emplace(
        TransferWindows{R.InSteps->Host, R.InSteps->Gpu, R.InSteps->WaitOf});
  return sumTransfers(T, A, List.Waits, Steps ? &*Steps : nullptr);
}

/// Adds the answers to `Table`.
void Asker::transferWhatIfs(std::vector<TransferRow> &Rows,
                            WhatIfTable &Table) {
  auto IsAsked = [this](const TransferRow &Row) {
    return isWorthAsking(Row, Whole);
  };
  if (hasOtherSteps() || llvm::none_of(Rows, IsAsked) || !isReplayable())
    return;
  for (TransferRow &Row : Rows)
    if (IsAsked(Row) && Row.Memory == trace::MemoryKind::Pageable)
      Row.Pinned =
          replay().pinnedCopies().of(Row.Dir, Row.Run.Bytes / Row.Run.Count);
  llvm::append_range(Table.Answers, answerTransfers(replay(), Rows, OfSteps,
                                                    knowsCost(T, R), Whole));
  if (knowsCost(T, R) && !Table.UnrecordedWhole)
    Table.setUnrecorded(replay(), OfSteps);
}

/// What to change. Needs the transfers.
void Asker::changes(const std::vector<TransferRow> &Rows, WhatIfTable &Table) {
  if (hasOtherSteps())
    return;
  std::vector<Candidate> Candidates = findCandidates(T, A, List, R);
  if (Candidates.empty() || !isReplayable())
    return;
  Table.Changes = findChangeSet(replay(), std::move(Candidates),
                                int64_t(WorthIt * double(Whole)));
  answerChanges(Table, replay(), Rows, OfSteps, knowsCost(T, R));
}

std::optional<StepLimits> Asker::limits() {
  if (!OfSteps || R.Steps.times().empty() || !isReplayable())
    return std::nullopt;
  return findLimits(replay(), median(R.Steps.times()),
                    double(R.InSteps->Busy) /
                        double(std::max<int64_t>(1, R.InSteps->Span)));
}

std::optional<ReplayConstants> Asker::constants() const {
  if (!Player || !Player->obstacle().empty())
    return std::nullopt;
  const Pauses &P = Player->pauses();
  return ReplayConstants{{P.source(false), P.source(true)},
                         {P.isUsed(false), P.isUsed(true)},
                         Player->collectives()};
}

} // namespace

void autoprof::analysis::askReplays(const Timeline &T, const Attribution &A,
                                    const WaitList &List, Result &R) {
  Asker Replays(T, A, List, R);
  if (R.WaitsKnown) {
    Replays.gains(R.Sites);
    R.WhatIfs = Replays.whatIfs();
    R.Transfers = Replays.transfers();
    Replays.transferWhatIfs(R.Transfers, R.WhatIfs);
    Replays.changes(R.Transfers, R.WhatIfs);
  }
  R.Limits = Replays.limits();
  R.Recorder = findRecorderEffect(T, R.Steps);
  // The last, because it says what the replays before it used.
  R.Constants = Replays.constants();
}
