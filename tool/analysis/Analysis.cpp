// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Analysis.h"

#include "analysis/SampledWhatIfs.h"
#include "analysis/common/Statistics.h"
#include "analysis/findings/Rules.h"
#include "analysis/result/ExpectedGain.h"
#include "analysis/waits/Operators.h"
#include "analysis/waits/RunAhead.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <utility>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostEvents;
using trace::HostKind;
using trace::None;
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

/// The change that a verdict recommends.
Edit editOf(Verdict V) {
  switch (V) {
  case Verdict::Remove:
    return Edit::Remove;
  case Verdict::Postpone:
    return Edit::Postpone;
  case Verdict::MakeAsync:
    return Edit::MakeAsync;
  case Verdict::None:
  case Verdict::Keep:
  case Verdict::NotWorthIt:
    break;
  }
  return Edit::None;
}

/// What is collected for one group of calls (see groupOf).
struct Group {
  uint64_t Count = 0;
  int64_t HostTime = 0;
  std::vector<uint32_t> Waits;
};

class Analyser {
  const Timeline &T;
  const HostEvents &H;
  const WorkOwners Owners;
  Attribution A;
  WaitList List;
  std::vector<Wait> &Waits = List.Waits;
  Exposure Exposed;
  std::vector<RunAhead> Ahead;
  std::vector<Group> Groups;
  std::optional<Replay> Player;
  Result R;

  void countGroups();
  bool isListed(uint32_t G) const;
  SiteRow makeRow(uint32_t G) const;
  void fillWaits(SiteRow &Row, const Group &G) const;
  void addRows();
  void boundGain(SiteRow &Row) const;
  Replay &replay();
  void addGains(const std::vector<uint32_t> &GroupOfRow);
  bool launchesNodes() const;
  void addWhatIfs(const std::vector<uint32_t> &GroupOfRow);
  void addTransfers();
  void addConstants();
  void addLimits();
  void estimateRecorder();
  void judgeRows(const std::vector<uint32_t> &GroupOfRow);
  std::optional<Gain> advisedGain(uint32_t I) const;
  void addReasons(const GapCauses &Causes, const std::vector<CauseTotal> &Run);
  void addProfile();

public:
  Analyser(const Timeline &T, const catalogue::Semantics *Measured)
      : T(T), H(T.Host), Owners(T) {
    R.Measured = Measured;
  }
  Result run(Steps S);
};

/// Sites are counted by their slices; calls without a site, one by one.
void Analyser::countGroups() {
  Groups.resize(numGroups(T));
  for (uint32_t I = 0; I < H.size(); ++I) {
    uint32_t G = None;
    if (H.Kind[I] == HostKind::Site)
      G = H.Site[I];
    else if (A.Outer[I] == I && (A.Site[I] == None || A.IsByStack[I]))
      G = groupOf(T, A, I);
    if (G == None)
      continue;
    ++Groups[G].Count;
    Groups[G].HostTime += H.End[I] - H.Start[I];
  }
  for (uint32_t W = 0; W < Waits.size(); ++W)
    Groups[groupOf(T, A, Waits[W].Call)].Waits.push_back(W);
}

/// Calls without a site are listed if they waited, or, if that is unknown, if
/// they may have waited: a light recording has nothing else.
bool Analyser::isListed(uint32_t G) const {
  if (!Groups[G].Waits.empty())
    return true;
  if (!R.WaitsKnown)
    return Groups[G].Count > 0;
  // A framework has hundreds of operators that only launch.
  if (G < T.Sites.size() && T.Sites[G].isOperator())
    return false;
  if (G >= T.Sites.size() || !Groups[G].Count)
    return false;
  // Stacks of launches are taken for the pauses before and after them.
  const trace::Site &S = T.Sites[G];
  const bool IsByStack = !S.Id && S.Kind.empty();
  const catalogue::Row *Known =
      IsByStack ? catalogue::lookup(S.Callee) : nullptr;
  return !Known || catalogue::mayWait(Known->Wait);
}

void Analyser::fillWaits(SiteRow &Row, const Group &G) const {
  std::vector<int64_t> Lengths, Leads, Depths;
  int64_t Sum = 0, Stall = 0;
  if (R.InSteps)
    Row.Steps.emplace();
  for (uint32_t W : G.Waits) {
    if (R.InSteps) {
      Row.Steps->Waits += R.InSteps->WaitOf[W] > 0;
      Row.Steps->Wait += R.InSteps->WaitOf[W];
      Row.Steps->Exposed += R.InSteps->ExposedOf[W];
    }
    Lengths.push_back(Waits[W].length());
    Sum += Waits[W].length();
    Stall += Exposed.OfWait[W];
    Depths.push_back(Ahead[W].Depth);
    Leads.push_back(Ahead[W].Lead);
  }
  Row.Waits = G.Waits.size();
  if (Lengths.size() < G.Count)
    Lengths.resize(G.Count, 0); // Times it did not wait.
  Row.Wait = Sum;
  Row.Exposed = Stall;
  Row.WaitP95 = quantile(Lengths, 0.95);
  Row.WaitMedian = median(std::move(Lengths));
  if (!G.Waits.empty()) {
    Row.DepthMedian = double(median(std::move(Depths)));
    Row.LeadMedian = median(std::move(Leads));
  }
}

SiteRow Analyser::makeRow(uint32_t Index) const {
  const Group &G = Groups[Index];
  SiteRow Row;
  Row.Count = G.Count;
  Row.HostTime = G.HostTime;
  if (Index < T.Sites.size()) {
    Row.Site = Index;
    Row.Call = T.Sites[Index].Callee;
    Row.Kind = T.Sites[Index].Kind;
  } else {
    Row.Call = T.Strings[Index - T.Sites.size()].str();
  }
  if (Row.Kind.empty()) {
    if (const catalogue::Row *C = catalogue::lookup(Row.Call))
      Row.Kind = catalogue::name(C->Class).str();
    else
      Row.Kind = "other";
  }
  if (R.WaitsKnown)
    fillWaits(Row, G);
  return Row;
}

/// Sorted by cost in the steps, for rows that wait there.
auto rankOf(const SiteRow &Row) {
  bool Inside = Row.Steps && Row.Steps->Waits;
  return std::tuple(Inside, Row.Waits > 0,
                    Inside ? Row.Steps->Exposed : Row.Exposed.value_or(0),
                    Inside ? Row.Steps->Wait : Row.Wait.value_or(0),
                    Row.HostTime);
}

void Analyser::addRows() {
  std::vector<uint32_t> Order;
  for (uint32_t G = 0; G < Groups.size(); ++G) {
    if (!isListed(G))
      continue;
    R.Sites.push_back(makeRow(G));
    Order.push_back(G);
  }
  std::vector<uint32_t> Rank(Order.size());
  for (uint32_t I = 0; I < Rank.size(); ++I)
    Rank[I] = I;
  llvm::sort(Rank, [this](uint32_t A, uint32_t B) {
    return std::pair(rankOf(R.Sites[A]), B) > std::pair(rankOf(R.Sites[B]), A);
  });
  std::vector<SiteRow> Sorted;
  std::vector<uint32_t> GroupOfRow;
  for (uint32_t I : Rank) {
    Sorted.push_back(std::move(R.Sites[I]));
    GroupOfRow.push_back(Order[I]);
  }
  R.Sites = std::move(Sorted);
  addGains(GroupOfRow);
  R.Graphs = findGraphLaunches(T, T.begin());
  addWhatIfs(GroupOfRow);
  addTransfers();
  addLimits();
  estimateRecorder();
  addConstants();
  judgeRows(GroupOfRow);
}

/// What is known without a replay.
void Analyser::boundGain(SiteRow &Row) const {
  Row.Gained = Gain{0, std::min(*Row.Wait, *Row.Exposed)};
  if (Row.Steps)
    Row.Steps->Gained = {0, std::min(Row.Steps->Wait, Row.Steps->Exposed)};
}

Replay &Analyser::replay() {
  if (!Player)
    Player.emplace(T, A, List, R.Steps, R.Measured);
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
  for (uint32_t I = 0; I < R.Sites.size(); ++I) {
    const SiteRow &Row = R.Sites[I];
    int64_t Wait = OfSteps ? Row.Steps->Wait : *Row.Wait,
            Stall = OfSteps ? Row.Steps->Exposed : *Row.Exposed;
    if (MinReplayShare * Stall >= Whole || (Wait && 100 * Wait >= Whole))
      Waiters.push_back(
          {I, GroupOfRow[I], Row.Kind == "sync", Row.Kind == "free", Stall});
  }
  if (Waiters.empty() || !replay().obstacle().empty())
    return;
  const bool KnowsCost = T.Info.Mode == "full" && !launchesNodes();
  R.WhatIfs = answerWhatIfs(replay(), Waiters, OfSteps, KnowsCost,
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
  llvm::append_range(R.WhatIfs.Answers,
                     answerTransfers(replay(), R.Transfers, OfSteps,
                                     T.Info.Mode == "full", Whole));
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
    R.Limits = findLimits(replay(), median(R.Steps.times()));
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
    E.Low = Step.Low;
    E.High = std::min(Step.High, *E.RecordedStep);
    E.UnrecordedStep = E.Low + (E.High - E.Low) / 2;
    E.Source =
        E.Cost.Measured ? RecorderSource::Calibration : RecorderSource::BuiltIn;
    E.Why.clear();
  }
}

void Analyser::judgeRows(const std::vector<uint32_t> &GroupOfRow) {
  const bool InTorch = usesTorch(T);
  for (size_t I = 0; I < R.Sites.size(); ++I) {
    SiteRow &Row = R.Sites[I];
    if (!Row.Waits)
      continue;
    // The call that waited longest represents the site.
    const std::vector<uint32_t> &GroupWaits = Groups[GroupOfRow[I]].Waits;
    uint32_t Longest = *std::max_element(
        GroupWaits.begin(), GroupWaits.end(), [this](uint32_t A, uint32_t B) {
          return Waits[A].length() < Waits[B].length();
        });
    Evidence E;
    E.Row = Row.Kind == trace::OperatorKind ? operatorRow(Row.Call)
                                            : catalogue::lookup(Row.Call);
    if (!E.Row || !catalogue::mayWait(E.Row->Wait))
      E.Row = catalogue::lookup(T.Strings[H.Name[Waits[Longest].Call]]);
    if (InTorch)
      E.Torch =
          catalogue::torchNameIn(Row.Kind == trace::OperatorKind
                                     ? llvm::StringRef(Row.Call)
                                     : T.Strings[H.Name[Waits[Longest].Call]]);
    E.Copy = Waits[Longest].CopyDirection;
    E.OfSteps = Row.Steps && Row.Steps->Waits;
    E.Wait = E.OfSteps ? Row.Steps->Wait : *Row.Wait;
    E.Exposed = E.OfSteps ? Row.Steps->Exposed : *Row.Exposed;
    const auto Removed = expectedGain(R, uint32_t(I), Edit::Remove);
    E.IsWorthIt = Removed && Removed->isWorthIt();
    E.OnlyRemoving = E.IsWorthIt && !Removed->isWaitWorthIt();
    Row.Judged = judge(E);
    Row.Advised = advisedGain(uint32_t(I));
  }
}

/// The replay's answer for the verdict of a row of Result::Sites.
std::optional<Gain> Analyser::advisedGain(uint32_t I) const {
  const SiteRow &Row = R.Sites[I];
  const bool Inside = Row.Steps && Row.Steps->Waits;
  const Edit Kind = editOf(Row.Judged.Kind);
  if (Kind == Edit::Remove && Row.GainNote.empty())
    return Inside ? Row.Steps->Gained : *Row.Gained;
  // Its answers are about the steps where these are known.
  if (Kind == Edit::None || (Row.Steps && !Inside))
    return std::nullopt;
  for (const WhatIfRow &Answer : R.WhatIfs.Answers)
    if (Answer.Kind == Kind && Answer.Rows == std::vector{I})
      return Answer.Saved;
  return std::nullopt;
}

void Analyser::addReasons(const GapCauses &Causes,
                          const std::vector<CauseTotal> &Run) {
  const trace::Window Nothing{0, 0};
  BusyHost Busy = findBusyHost(T, A, R.Devices, Exposed, Causes,
                               R.InSteps ? R.InSteps->Gpu : Nothing,
                               [](const BusyPart &) {});
  auto Add = [](CauseTotal &Sum, const CauseTotal &One) {
    Sum.Count += One.Count;
    Sum.Total += One.Total;
  };
  // Reasons that differ only in their operator share a row.
  std::map<std::tuple<Cause, LateReason, uint32_t, uint32_t>, size_t> RowOf;
  std::vector<CauseTotal> LargestInRun, LargestInSteps; // By row.
  for (size_t I = 0; I < Run.size(); ++I) {
    if (!Run[I].Count)
      continue;
    Reason Key = Causes.Reasons[I];
    const uint32_t Operator = std::exchange(Key.Operator, None);
    auto [It, IsNew] = RowOf.try_emplace(
        {Key.Kind, Key.Why, Key.Site, Key.Call}, R.Reasons.size());
    const size_t Index = It->second;
    if (IsNew) {
      R.Reasons.emplace_back().Key = Key;
      LargestInRun.emplace_back();
      LargestInSteps.emplace_back();
    }
    ReasonRow &Row = R.Reasons[Index];
    const CauseTotal Steps = R.InSteps ? R.InSteps->Reasons[I] : CauseTotal();
    Add(Row.Run, Run[I]);
    Add(Row.Steps, Steps);
    if (Operator != None)
      Row.Operators.push_back({Operator, Run[I], Steps});
    if (Run[I].Total > LargestInRun[Index].Total) {
      LargestInRun[Index] = Run[I];
      Row.BusyInRun = Busy.MainInRun[I];
    }
    if (Steps.Total > LargestInSteps[Index].Total) {
      LargestInSteps[Index] = Steps;
      Row.BusyInSteps = Busy.MainInSteps[I];
    }
  }
  for (ReasonRow &Row : R.Reasons)
    llvm::stable_sort(Row.Operators,
                      [](const ReasonOperator &A, const ReasonOperator &B) {
                        return std::pair(A.Steps.Total, A.Run.Total) >
                               std::pair(B.Steps.Total, B.Run.Total);
                      });
  llvm::stable_sort(R.Reasons, [](const ReasonRow &A, const ReasonRow &B) {
    return std::tuple(A.Key.Kind, -A.Steps.Total, -A.Run.Total) <
           std::tuple(B.Key.Kind, -B.Steps.Total, -B.Run.Total);
  });
  R.Busy = std::move(Busy.Rows);
}

void Analyser::addProfile() {
  R.Calls = sumCalls(T, Waits);
  R.Ranges = sumRanges(T, Owners);
  R.Memory = sumMemory(T);
  R.Memories = findDeviceMemory(T, A, R.Steps);
  trace::Window Steps = R.InSteps ? R.InSteps->Gpu : trace::Window{0, 0};
  R.Kernels = sumKernels(T, Steps);
  R.Used = R.InSteps ? R.InSteps->Used
                     : findUtilization(T, R.Devices, {T.begin(), T.end()});
}

Result Analyser::run(Steps S) {
  R.Steps = std::move(S);
  R.WaitsKnown =
      T.Ops.size() > 0 || (T.Info.CuptiState == "ok" && T.Info.Mode == "full");
  R.Wall = T.Info.Wall.value_or(T.end() - T.begin());
  const int64_t Begin = T.Info.Wall ? 0 : T.begin();
  R.Recorded = R.Wall - T.Recorded.missing(Begin, Begin + R.Wall);
  A = attribute(T);
  List = findWaits(T, A, R.Measured);
  R.Devices = findActivity(T);
  Exposed = findExposure(T, Waits, R.Devices);
  GapCauses Causes = explainGaps(T, A, Owners, Waits, R.Devices, Exposed);
  std::vector<CauseTotal> Reasons =
      sumReasons(R.Devices, Exposed, Causes, T.begin(), T.end());
  R.Gaps = sumGaps(Causes, Reasons);
  R.Recorder = findRecorderEffect(T, R.Steps);
  R.InSteps = findSteady(T, R.Steps, Waits, R.Devices, Exposed, Causes);
  addReasons(Causes, Reasons);
  for (const DeviceActivity &D : R.Devices)
    R.Drains += llvm::count_if(
        D.Gaps, [this](const Gap &G) { return !wasQueued(T, G); });
  R.WaitDrains = Exposed.countGaps();

  std::vector<RunAheadQuery> Queries;
  for (const Wait &W : Waits) {
    Queries.push_back({W.Start, W.Device});
    R.Waited += W.length();
  }
  Ahead = sampleRunAhead(T, Queries);

  int64_t First = T.end(), Last = T.begin();
  for (const DeviceActivity &D : R.Devices)
    if (D.Ops) {
      First = std::min(First, D.First);
      Last = std::max(Last, D.Last);
    }
  R.Span = std::max<int64_t>(0, Last - First) - T.Recorded.missing(First, Last);

  countGroups();
  addRows();
  addProfile();
  R.Waits = std::move(List.Waits);
  R.Stalls = std::move(Exposed);
  R.Causes = std::move(Causes);
  return std::move(R);
}

} // namespace

Result autoprof::analysis::analyse(const Timeline &T, Steps S,
                                   const catalogue::Semantics *Measured) {
  Result R = Analyser(T, Measured).run(std::move(S));
  R.Findings = findFindings(T, R);
  return R;
}

llvm::Expected<Result>
autoprof::analysis::analyse(const Timeline &T, llvm::StringRef StepName,
                            const catalogue::Semantics *Measured) {
  llvm::Expected<Steps> S = findSteps(T, StepName);
  if (!S)
    return S.takeError();
  return analyse(T, std::move(*S), Measured);
}
