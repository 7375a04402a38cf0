// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage of an analysis that replays the timeline.
#include "analysis/Stages.h"

#include "analysis/common/Statistics.h"
#include "analysis/common/Temporaries.h"
#include "analysis/waits/Successors.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

/// Gains are replayed for this many sites, those with the largest exposed
/// stall, and only where that is at least a thousandth of the time: a replay
/// walks the whole timeline.
constexpr size_t MaxReplays = 16;
constexpr int64_t MinReplayShare = 1000;
/// In longer recordings, questions other than removing a single wait are
/// answered from a sample of the steps: a dozen replays would take longer than
/// reading the trace.
constexpr size_t MaxWhatIfOps = 1'000'000, SampledOps = 100'000;

/// Makes a replay when the first question needs it.
class Asker {
  const Timeline &T;
  const Attribution &A;
  const WaitList &List;
  const Result &R;
  /// Whether the answers are about the steps that count, on the GPU's clock.
  const bool OfSteps;
  const int64_t Whole; ///< ns, what the answers are sums over.
  std::optional<Replay> Player;

  Replay &replay();
  bool isReplayable() { return replay().obstacle().empty(); }
  /// There are steps, and no replay can say what changes in them.
  bool hasOtherSteps() const { return R.InSteps && !OfSteps; }
  bool isLong() const { return T.Ops.size() > MaxWhatIfOps; }
  bool launchesNodes() const;
  bool knowsCost() const;
  void fillGain(SiteRow &Row);
  std::optional<Waiter> waiterOf(uint32_t I) const;
  std::optional<uint32_t> rowOf(uint32_t Group) const;
  std::string whyNotUnrecorded();

public:
  Asker(const Timeline &T, const Attribution &A, const WaitList &List,
        const Result &R)
      : T(T), A(A), List(List), R(R), OfSteps(R.InSteps && R.Steps.FromGpu),
        Whole(OfSteps ? R.InSteps->Span : R.Span) {}

  void gains(std::vector<SiteRow> &Rows);
  WhatIfTable whatIfs();
  std::vector<TransferRow> transfers() const;
  void transferWhatIfs(std::vector<TransferRow> &Rows, WhatIfTable &Table);
  std::optional<StepLimits> limits();
  RecorderEffect recorder();
  std::optional<ReplayConstants> constants() const;
};

Replay &Asker::replay() {
  if (!Player) {
    Player.emplace(T, A, List, R.Steps, R.Measured);
    if (R.InSteps)
      Player->setLimiter(limiter(R.InSteps->Limit));
  }
  return *Player;
}

/// By replay, at most the exposed stall.
void Asker::fillGain(SiteRow &Row) {
  auto AtMost = [](const Gain &G, int64_t Limit) {
    return Gain{std::min(G.Low, Limit), std::min(G.High, Limit)};
  };
  Plan P{Edit::Remove, {Row.Group}};
  const Gains Raw = replay().gain(P);
  Gains Found = Raw;
  if (replay().removesOperators(P)) {
    P.KeepOperators = true;
    Found = replay().gain(P);
    Row.Operator = difference(Raw.Run, Found.Run);
  }
  Row.Gained = AtMost(Found.Run, *Row.Exposed);
  if (!Row.Steps || !Row.Steps->Waits)
    return;
  if (!R.Steps.FromGpu) {
    Row.GainNote = "not every step launched GPU work";
    return;
  }
  Row.Steps->Gained = AtMost(Found.Steps, Row.Steps->Exposed);
  Row.Steps->Operator = difference(Raw.Steps, Found.Steps);
}

/// Of removing each of the calls that cost most; of the others, what is known
/// without a replay.
void Asker::gains(std::vector<SiteRow> &Rows) {
  size_t Replays = 0;
  for (SiteRow &Row : Rows) {
    Row.Gained = Gain{0, std::min(*Row.Wait, *Row.Exposed)};
    if (Row.Steps)
      Row.Steps->Gained = {0, std::min(Row.Steps->Wait, Row.Steps->Exposed)};
    if (!*Row.Exposed)
      continue;
    const bool Inside = Row.Steps && Row.Steps->Waits;
    const bool Small =
        Inside ? Row.Steps->Exposed < R.InSteps->Span / MinReplayShare
               : *Row.Exposed < R.Span / MinReplayShare;
    if (Small || Replays == MaxReplays) {
      Row.GainNote = "too small";
    } else if (!isReplayable()) {
      Row.GainNote = replay().obstacle().str();
    } else {
      ++Replays;
      fillGain(Row);
    }
  }
}

/// Whether graphs were recorded node by node in the steps that count, or in the
/// run if there are none. What recording a node adds is not known.
bool Asker::launchesNodes() const {
  return findGraphLaunches(T, OfSteps ? R.InSteps->Host.Start : T.begin())
             .ByNode != 0;
}

/// Whether it is known what the recorder added to each call.
bool Asker::knowsCost() const {
  return T.Info.Mode == "full" && !launchesNodes();
}

/// Whether a form of this call leaves its result on the GPU: BLAS with device
/// pointers.
bool canLeaveResult(llvm::StringRef Call) {
  const catalogue::Row *Found = catalogue::lookup(Call);
  return Found && Found->Wait == catalogue::Waits::Maybe &&
         catalogue::ask(*Found,
                        catalogue::pointerMode(catalogue::values::DeviceMode))
                 .Wait == catalogue::Waits::No;
}

/// Into Result::Sites; nullopt: the group has no row.
std::optional<uint32_t> Asker::rowOf(uint32_t Group) const {
  for (uint32_t I = 0; I < R.Sites.size(); ++I)
    if (R.Sites[I].Group == Group)
      return I;
  return std::nullopt;
}

/// nullopt: the row costs too little to be asked about. Includes waits during
/// which the GPU is busy, because streams could overlap without them.
std::optional<Waiter> Asker::waiterOf(uint32_t I) const {
  const SiteRow &Row = R.Sites[I];
  auto StallOf = [this](const SiteRow &One) {
    return OfSteps ? One.Steps->Exposed : *One.Exposed;
  };
  const int64_t Wait = OfSteps ? Row.Steps->Wait : *Row.Wait,
                Stall = StallOf(Row);
  if (MinReplayShare * Stall < Whole && (!Wait || 100 * Wait < Whole))
    return std::nullopt;
  Waiter Result;
  Result.Row = I;
  Result.Group = Row.Group;
  Result.IsSync = Row.Kind == "sync";
  Result.IsFree = Row.Kind == "free";
  Result.LeavesResult = canLeaveResult(Row.Call);
  Result.Exposed = Stall;
  Result.Partner = partnerOf(T, Row.Site);
  if (const auto Partner = rowOf(Result.Partner))
    Result.PartnerExposed = StallOf(R.Sites[*Partner]);
  return Result;
}

/// For waits in the steps that count, if there are such steps. Needs the gains.
WhatIfTable Asker::whatIfs() {
  if (List.Waits.empty() || hasOtherSteps())
    return {};
  if (isLong())
    return sampleWhatIfs(T, R, SampledOps);
  std::vector<Waiter> Waiters;
  const auto Successors = findSuccessors(T, A, List);
  for (uint32_t I = 0; I < R.Sites.size(); ++I) {
    std::optional<Waiter> Found = waiterOf(I);
    if (!Found)
      continue;
    if (auto Known = Successors.find(Found->Group); Known != Successors.end())
      for (uint32_t Group : Known->second)
        if (const auto Next = rowOf(Group)) {
          Found->SuccessorGroups.push_back(Group);
          Found->SuccessorRows.push_back(*Next);
        }
    Waiters.push_back(std::move(*Found));
  }
  if (Waiters.empty() || !isReplayable())
    return {};
  return answerWhatIfs(replay(), Waiters, OfSteps, knowsCost(),
                       int64_t(WorthIt * double(Whole) / 2));
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
  if (hasOtherSteps() || isLong() || llvm::none_of(Rows, IsAsked) ||
      !isReplayable())
    return;
  for (TransferRow &Row : Rows)
    if (IsAsked(Row) && Row.Memory == trace::MemoryKind::Pageable)
      Row.Pinned =
          replay().pinnedCopies().of(Row.Dir, Row.Run.Bytes / Row.Run.Count);
  llvm::append_range(Table.Answers, answerTransfers(replay(), Rows, OfSteps,
                                                    knowsCost(), Whole));
  if (knowsCost() && !Table.UnrecordedWhole)
    Table.setUnrecorded(replay(), OfSteps);
}

std::optional<StepLimits> Asker::limits() {
  if (!OfSteps || R.Steps.times().empty() || isLong() || !isReplayable())
    return std::nullopt;
  return findLimits(replay(), median(R.Steps.times()),
                    double(R.InSteps->Busy) /
                        double(std::max<int64_t>(1, R.InSteps->Span)));
}

/// Why unrecorded steps cannot be replayed; "": they can.
std::string Asker::whyNotUnrecorded() {
  if (!OfSteps)
    return "not every step launched GPU work";
  if (isLong())
    return "with more than a million GPU operations the steps are not replayed";
  if (!isReplayable())
    return replay().obstacle().str();
  if (launchesNodes())
    return "launches of CUDA graphs were recorded node by node, and what that "
           "adds is not known";
  return "";
}

/// Where no unrecorded step was timed, by replay.
RecorderEffect Asker::recorder() {
  RecorderEffect E = findRecorderEffect(T, R.Steps);
  if (E.Source != RecorderSource::Unknown || !E.RecordedStep ||
      T.Info.Mode != "full" || !T.Info.Source.Producer.empty())
    return E;
  E.Why = whyNotUnrecorded();
  if (!E.Why.empty())
    return E;
  const Gain Step = replay().unrecordedStep();
  // Recording lengthens these pauses, in some programs from nothing
  // (docs/runtime.md, "The calibration").
  const int64_t Pauses = R.InSteps->pauses() / int64_t(R.InSteps->Count);
  E.Low = std::max<int64_t>(0, Step.Low - Pauses);
  E.High = std::min(Step.High, *E.RecordedStep);
  E.UnrecordedStep = E.Low + (E.High - E.Low) / 2;
  E.Source =
      E.Cost.Measured ? RecorderSource::Calibration : RecorderSource::BuiltIn;
  return E;
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
  }
  R.Limits = Replays.limits();
  R.Recorder = Replays.recorder();
  // The last, because it says what the replays before it used.
  R.Constants = Replays.constants();
}
