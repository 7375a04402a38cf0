// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of an analysis that replay the timeline.
#include "analysis/Analyser.h"

#include "analysis/SampledWhatIfs.h"
#include "analysis/common/Statistics.h"
#include "analysis/common/Temporaries.h"
#include "analysis/waits/Successors.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;

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

} // namespace

/// What is known without a replay.
void Analyser::boundGain(SiteRow &Row) const {
  Row.Gained = Gain{0, std::min(*Row.Wait, *Row.Exposed)};
  if (Row.Steps)
    Row.Steps->Gained = {0, std::min(Row.Steps->Wait, Row.Steps->Exposed)};
}

Replay &Analyser::replay() {
  if (!Player) {
    Player.emplace(T, A, List, R.Steps, R.Measured);
    if (R.InSteps)
      Player->setLimiter(limiter(R.InSteps->Limit));
  }
  return *Player;
}

void Analyser::addGains(const std::vector<uint32_t> &GroupOfRow) {
  if (!R.WaitsKnown)
    return;
  size_t Replays = 0;
  for (size_t I = 0; I < R.Sites.size(); ++I) {
    SiteRow &Row = R.Sites[I];
    boundGain(Row);
    int64_t Limit = *Row.Exposed;
    if (!Limit)
      continue;
    bool Inside = Row.Steps && Row.Steps->Waits;
    bool Small = Inside ? Row.Steps->Exposed < R.InSteps->Span / MinReplayShare
                        : Limit < R.Span / MinReplayShare;
    if (Small || Replays == MaxReplays) {
      Row.GainNote = "too small";
      continue;
    }
    if (!replay().obstacle().empty()) {
      Row.GainNote = replay().obstacle().str();
      continue;
    }
    ++Replays;
    Plan P{Edit::Remove, {GroupOfRow[I]}};
    const Gains Raw = replay().gain(P);
    Gains Found = Raw;
    if (replay().removesOperators(P)) {
      P.KeepOperators = true;
      Found = replay().gain(P);
      Row.Operator = difference(Raw.Run, Found.Run);
    }
    Row.Gained =
        Gain{std::min(Found.Run.Low, Limit), std::min(Found.Run.High, Limit)};
    if (!Inside)
      continue;
    if (!R.Steps.FromGpu) {
      Row.GainNote = "not every step launched GPU work";
      continue;
    }
    Limit = Row.Steps->Exposed;
    Row.Steps->Gained = {std::min(Found.Steps.Low, Limit),
                         std::min(Found.Steps.High, Limit)};
    Row.Steps->Operator = difference(Raw.Steps, Found.Steps);
  }
}

/// Whether graphs were recorded node by node in the steps that count, or in the
/// run if there are none. What recording a node adds is not known.
bool Analyser::launchesNodes() const {
  const bool OfSteps = R.InSteps && R.Steps.FromGpu;
  return findGraphLaunches(T, OfSteps ? R.InSteps->Host.Start : T.begin())
             .ByNode != 0;
}

/// Whether it is known what the recorder added to each call.
bool Analyser::knowsCost() const {
  return T.Info.Mode == "full" && !launchesNodes();
}

/// Whether a form of this call leaves its result on the GPU: BLAS with device
/// pointers.
static bool canLeaveResult(llvm::StringRef Call) {
  const catalogue::Row *Found = catalogue::lookup(Call);
  return Found && Found->Wait == catalogue::Waits::Maybe &&
         catalogue::ask(*Found,
                        catalogue::pointerMode(catalogue::values::DeviceMode))
                 .Wait == catalogue::Waits::No;
}

/// Of the row of a group, if it has one, ns.
int64_t Analyser::stallOf(uint32_t Group,
                          const std::vector<uint32_t> &GroupOfRow,
                          bool OfSteps) const {
  const auto It = llvm::find(GroupOfRow, Group);
  if (Group == trace::None || It == GroupOfRow.end())
    return 0;
  const SiteRow &Row = R.Sites[size_t(It - GroupOfRow.begin())];
  return OfSteps ? Row.Steps->Exposed : *Row.Exposed;
}

/// For waits in the steps that count, if there are such steps. Includes waits
/// during which the GPU is busy, because streams could overlap without them.
void Analyser::addWhatIfs(const std::vector<uint32_t> &GroupOfRow) {
  const bool OfSteps = R.InSteps && R.Steps.FromGpu;
  if (!R.WaitsKnown || Waits.empty() || (R.InSteps && !OfSteps))
    return;
  if (T.Ops.size() > MaxWhatIfOps) {
    R.WhatIfs = sampleWhatIfs(T, R, SampledOps);
    return;
  }
  const int64_t Whole = OfSteps ? R.InSteps->Span : R.Span;
  std::vector<Waiter> Waiters;
  const auto Successors = findSuccessors(T, A, List);
  for (uint32_t I = 0; I < R.Sites.size(); ++I) {
    const SiteRow &Row = R.Sites[I];
    int64_t Wait = OfSteps ? Row.Steps->Wait : *Row.Wait,
            Stall = OfSteps ? Row.Steps->Exposed : *Row.Exposed;
    if (MinReplayShare * Stall < Whole && (!Wait || 100 * Wait < Whole))
      continue;
    const uint32_t Partner = partnerOf(T, Row.Site);
    Waiters.push_back({I,
                       GroupOfRow[I],
                       Row.Kind == "sync",
                       Row.Kind == "free",
                       canLeaveResult(Row.Call),
                       Partner,
                       Stall,
                       stallOf(Partner, GroupOfRow, OfSteps),
                       {},
                       {}});
    auto Known = Successors.find(GroupOfRow[I]);
    if (Known == Successors.end())
      continue;
    for (uint32_t Group : Known->second)
      if (auto It = llvm::find(GroupOfRow, Group); It != GroupOfRow.end()) {
        Waiters.back().SuccessorGroups.push_back(Group);
        Waiters.back().SuccessorRows.push_back(
            uint32_t(It - GroupOfRow.begin()));
      }
  }
  if (Waiters.empty() || !replay().obstacle().empty())
    return;
  R.WhatIfs = answerWhatIfs(replay(), Waiters, OfSteps, knowsCost(),
                            int64_t(WorthIt * double(Whole) / 2));
}

/// After addWhatIfs, whose table gets the answers.
void Analyser::addTransfers() {
  if (!R.WaitsKnown)
    return;
  std::optional<TransferWindows> Steps;
  if (R.InSteps)
    Steps.emplace(
        TransferWindows{R.InSteps->Host, R.InSteps->Gpu, R.InSteps->WaitOf});
  R.Transfers = sumTransfers(T, A, Waits, Steps ? &*Steps : nullptr);
  const bool OfSteps = R.InSteps && R.Steps.FromGpu;
  const int64_t Whole = OfSteps ? R.InSteps->Span : R.Span;
  if ((R.InSteps && !OfSteps) || T.Ops.size() > MaxWhatIfOps ||
      llvm::none_of(
          R.Transfers,
          [&](const TransferRow &Row) { return isWorthAsking(Row, Whole); }) ||
      !replay().obstacle().empty())
    return;
  for (TransferRow &Row : R.Transfers)
    if (isWorthAsking(Row, Whole) && Row.Memory == trace::MemoryKind::Pageable)
      Row.Pinned =
          replay().pinnedCopies().of(Row.Dir, Row.Run.Bytes / Row.Run.Count);
  llvm::append_range(
      R.WhatIfs.Answers,
      answerTransfers(replay(), R.Transfers, OfSteps, knowsCost(), Whole));
  if (knowsCost() && !R.WhatIfs.UnrecordedWhole)
    R.WhatIfs.setUnrecorded(replay(), OfSteps);
}

/// After all replays.
void Analyser::addConstants() {
  if (!Player || !Player->obstacle().empty())
    return;
  const Pauses &P = Player->pauses();
  R.Constants = ReplayConstants{{P.source(false), P.source(true)},
                                {P.isUsed(false), P.isUsed(true)},
                                Player->collectives()};
}

void Analyser::addLimits() {
  if (!R.InSteps || !R.Steps.FromGpu || R.Steps.times().empty())
    return;
  R.AsGraph = findCapture(T, A, R.Steps);
  if (T.Ops.size() <= MaxWhatIfOps && replay().obstacle().empty())
    R.Limits = findLimits(replay(), median(R.Steps.times()),
                          double(R.InSteps->Busy) /
                              double(std::max<int64_t>(1, R.InSteps->Span)));
}

/// Where no unrecorded step was timed.
void Analyser::estimateRecorder() {
  RecorderEffect &E = R.Recorder;
  if (E.Source != RecorderSource::Unknown || !E.RecordedStep ||
      T.Info.Mode != "full" || !T.Info.Source.Producer.empty())
    return;
  if (!R.InSteps || !R.Steps.FromGpu) {
    E.Why = "not every step launched GPU work";
  } else if (T.Ops.size() > MaxWhatIfOps) {
    E.Why = "with more than a million GPU operations the steps are not "
            "replayed";
  } else if (!replay().obstacle().empty()) {
    E.Why = replay().obstacle().str();
  } else if (launchesNodes()) {
    E.Why = "launches of CUDA graphs were recorded node by node, and what that "
            "adds is not known";
  } else {
    const Gain Step = replay().unrecordedStep();
    // Recording lengthens these pauses, in some programs from nothing
    // (docs/runtime.md, "The calibration").
    const int64_t Pauses = R.InSteps->pauses() / int64_t(R.InSteps->Count);
    E.Low = std::max<int64_t>(0, Step.Low - Pauses);
    E.High = std::min(Step.High, *E.RecordedStep);
    E.UnrecordedStep = E.Low + (E.High - E.Low) / 2;
    E.Source =
        E.Cost.Measured ? RecorderSource::Calibration : RecorderSource::BuiltIn;
    E.Why.clear();
  }
}
