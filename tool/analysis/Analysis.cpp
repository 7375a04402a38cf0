// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Analysis.h"

#include "analysis/Analyser.h"
#include "analysis/common/Statistics.h"
#include "analysis/common/Temporaries.h"
#include "analysis/findings/Rules.h"
#include "analysis/result/ExpectedGain.h"
#include "analysis/waits/Operators.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <utility>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostKind;
using trace::None;
using trace::Timeline;

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

void Analyser::fillWaits(SiteRow &Row, const CallGroup &G) const {
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
  const CallGroup &G = Groups[Index];
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
static auto rankOf(const SiteRow &Row) {
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

/// The gain of creating the row's object only once, if that was replayed.
static std::optional<ExpectedGain> createdOnce(const Result &R, uint32_t Row) {
  const auto Gain = expectedGain(R, Row, Edit::MakeAsync);
  return Gain && Gain->CreatedOnce ? Gain : std::nullopt;
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
    if (const auto Once = createdOnce(R, uint32_t(I));
        Once && Once->isWorthIt()) {
      E.IsWorthIt = true;
      E.OnlyRemoving = false;
    }
    Row.Judged = judge(E);
    Row.Advised = advisedGain(uint32_t(I));
  }
  judgePairs();
}

/// A constructor and its destructor are one change, of which one is a finding:
/// the one that stalls longer.
void Analyser::judgePairs() {
  for (uint32_t I = 0; I < R.Sites.size(); ++I) {
    SiteRow &Row = R.Sites[I];
    const uint32_t Partner = partnerOf(T, Row.Site);
    const auto Other = llvm::find_if(R.Sites, [Partner](const SiteRow &S) {
      return Partner != trace::None && S.Site == Partner;
    });
    if (Other == R.Sites.end())
      continue;
    const uint32_t J = uint32_t(Other - R.Sites.begin());
    const auto Mine = createdOnce(R, I), Its = createdOnce(R, J);
    if (!Mine || !Its || !Its->isWorthIt() || J > I)
      continue;
    Row.Judged = {Verdict::NotWorthIt, "the change of " + Other->Call +
                                           " on the same line includes it"};
    Row.Advised.reset();
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
  R.Blocked = findBlockedCalls(T, {T.begin(), T.end()});
  R.Unlaunched = findUnlaunched(T);
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
    R.Drains += llvm::count_if(D.Gaps, [this](const Gap &G) {
      // Without a recorded launch, when it was queued is unknown.
      return T.Ops.Launch[G.Next] != trace::None && !wasQueued(T, G);
    });
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
