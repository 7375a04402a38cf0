// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/ranks/Together.h"

#include "analysis/Stages.h"
#include "analysis/common/Sorting.h"
#include "analysis/common/Windows.h"
#include "analysis/ranks/RankSummary.h"

#include "llvm/ADT/STLExtras.h"

#include <deque>
#include <map>
#include <numeric>
#include <set>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

/// So many waits are asked about.
constexpr size_t MaxSites = 4;

/// One rank as its replay needs it.
struct Rank {
  const Timeline &T;
  const Result &R;
  Attribution A;
  WaitList Waits;
  std::optional<Replay> Player;

  explicit Rank(const RankRecording &One) : T(One.T), R(One.R) {
    A = attribute(T);
    Waits = findWaits(T, A, R.Measured);
    Player.emplace(T, A, Waits, R.onGpuClock() ? R.Steps : Steps(), R.Measured);
    if (R.InSteps)
      Player->setLimiter(limiter(R.InSteps->Limit));
  }
};

/// A wait in all ranks.
struct Candidate {
  std::map<size_t, uint32_t> Rows; ///< By rank, into Result::Sites.
  int64_t Exposed = 0, Wait = 0;   ///< The most of one rank, ns.
  size_t Most = 0;                 ///< That rank.
};

/// Why these are not all ranks of one run, or "".
std::string missing(llvm::ArrayRef<RankRecording> All) {
  std::set<int64_t> Numbers;
  for (const RankRecording &One : All) {
    const trace::Process &Info = One.T.Info;
    if (!Info.Rank || !Info.Ranks)
      return "a trace has no rank number, or not the number of ranks";
    Numbers.insert(*Info.Rank);
    if (*Info.Ranks != int64_t(All.size()))
      return "the run had " + std::to_string(*Info.Ranks) +
             " ranks, and the traces of all are needed";
  }
  if (Numbers.size() != All.size())
    return "two traces are of the same rank";
  return "";
}

std::string differentSteps(llvm::ArrayRef<RankRecording> All) {
  const Result &First = All[0].R;
  for (const RankRecording &One : All)
    if (One.R.onGpuClock() != First.onGpuClock() ||
        bool(One.R.InSteps) != First.onGpuClock() ||
        (First.onGpuClock() &&
         One.R.Steps.measured() != First.Steps.measured()))
      return "the ranks' steps differ, or not every step launched GPU work";
  return "";
}

class Asker {
  std::deque<Rank> Ranks;
  Together Result;
  std::optional<JointReplay> Joint;
  int64_t Steps = 1; ///< That the replays' sums are of, where Result.PerStep.

  std::vector<Candidate> candidates() const;
  std::vector<Plan> plansOf(const Candidate &C) const;
  PlanAnswer gain(llvm::ArrayRef<Plan> Plans) const;
  TogetherSite ask(const Candidate &C) const;
  std::vector<trace::Window> workOf(size_t Index) const;
  std::vector<int64_t> waitsOf(size_t Index) const;
  std::vector<size_t> lastRanks() const;
  void addWaits();

public:
  Together run(llvm::ArrayRef<RankRecording> All);
};

/// Those with the largest exposed stall, and those that cost a hundredth of the
/// time on some rank.
std::vector<Candidate> Asker::candidates() const {
  std::map<std::string, Candidate> Found;
  int64_t Whole = 0;
  for (size_t I = 0; I < Ranks.size(); ++I) {
    const analysis::Result &R = Ranks[I].R;
    Whole = std::max(Whole, R.whole());
    for (uint32_t Row = 0; Row < R.Sites.size(); ++Row) {
      const SiteRow &S = R.Sites[Row];
      if (!S.Waits || (Result.PerStep && !S.waitsInSteps()))
        continue;
      const int64_t Exposed = S.exposed(Result.PerStep);
      Candidate &C = Found[keyOf(S.place(Ranks[I].T.Sites), S.Call)];
      if (C.Rows.empty() || Exposed > C.Exposed) {
        C.Exposed = Exposed;
        C.Most = I;
      }
      C.Wait = std::max(C.Wait, S.wait(Result.PerStep));
      C.Rows.emplace(I, Row);
    }
  }
  std::vector<Candidate> List;
  for (auto &[Key, C] : Found)
    if (1000 * C.Exposed >= Whole || 100 * C.Wait >= Whole)
      List.push_back(std::move(C));
  largestFirst(List,
               [](const Candidate &A) { return std::pair(A.Exposed, A.Wait); });
  if (List.size() > MaxSites)
    List.resize(MaxSites);
  return List;
}

std::vector<Plan> Asker::plansOf(const Candidate &C) const {
  std::vector<Plan> Plans(Ranks.size());
  for (const auto &[I, Row] : C.Rows)
    Plans[I] = {Edit::Remove, {Ranks[I].R.Sites[Row].Group}};
  return Plans;
}

PlanAnswer Asker::gain(llvm::ArrayRef<Plan> Plans) const {
  PlanAnswer G = Joint->gain(Plans);
  G.Saved = {G.Saved.Low / Steps, G.Saved.High / Steps};
  if (std::optional<Estimate> &E = G.Unrecorded)
    E = {E->Middle / Steps, E->Low / Steps, E->High / Steps};
  return G;
}

TogetherSite Asker::ask(const Candidate &C) const {
  const Rank &Most = Ranks[C.Most];
  const SiteRow &Row = Most.R.Sites[C.Rows.at(C.Most)];
  TogetherSite Site;
  Site.Place = Row.place(Most.T.Sites);
  Site.Call = Row.Call;
  Site.Kind = Row.Kind;
  Site.Ranks = C.Rows.size();
  Site.Rank = *Most.T.Info.Rank;
  Site.OnAll = gain(plansOf(C));
  return Site;
}

/// When the rank's GPU does anything but wait in collectives, whose data it may
/// move: disjoint, in order.
std::vector<trace::Window> Asker::workOf(size_t Index) const {
  const Timeline &T = Ranks[Index].T;
  std::vector<trace::Window> All, Result;
  for (uint32_t Op = 0; Op < T.Ops.size(); ++Op)
    if (!isCollective(T, T.Stages[T.Ops.Stage[Op]]))
      All.push_back({T.Ops.Start[Op], T.Ops.End[Op]});
  for (size_t I = 0; I < Joint->collectives(); ++I)
    All.push_back(
        {Joint->waiting(Index, I).End, T.Ops.End[Joint->collective(Index, I)]});
  sortBy(All, &trace::Window::Start);
  for (const trace::Window &W : All)
    append(Result, W);
  return Result;
}

/// For how long the rank's GPU does nothing but wait in each collective, ns; of
/// those that end in the steps that count, if there are steps. If it waits in
/// several at the same time, the first one has that time.
std::vector<int64_t> Asker::waitsOf(size_t Index) const {
  const Rank &One = Ranks[Index];
  const std::vector<trace::Window> Work = workOf(Index);
  std::vector<size_t> ByStart(Joint->collectives());
  std::iota(ByStart.begin(), ByStart.end(), 0);
  sortBy(ByStart, [&](size_t A) { return Joint->waiting(Index, A).Start; });
  std::vector<int64_t> Times(Joint->collectives());
  int64_t Counted = One.T.begin();
  for (size_t I : ByStart) {
    const trace::Window &Wait = Joint->waiting(Index, I);
    const int64_t End = One.T.Ops.End[Joint->collective(Index, I)];
    if (Result.PerStep &&
        (End <= One.R.InSteps->Gpu.Start || End > One.R.InSteps->Gpu.End))
      continue;
    const int64_t From = std::max(Wait.Start, Counted);
    if (From < Wait.End)
      Times[I] = Wait.End - From - overlap(Work, From, Wait.End);
    Counted = std::max(Counted, Wait.End);
  }
  return Times;
}

/// By collective: the rank that did not wait in it, which is the last one to
/// reach it.
std::vector<size_t> Asker::lastRanks() const {
  std::vector<size_t> Result;
  for (size_t I = 0; I < Joint->collectives(); ++I) {
    size_t Last = 0;
    while (Joint->waiting(Last, I).Start < Joint->waiting(Last, I).End)
      ++Last;
    Result.push_back(Last);
  }
  return Result;
}

void Asker::addWaits() {
  const std::vector<size_t> Last = lastRanks();
  for (size_t I = 0; I < Ranks.size(); ++I) {
    const std::vector<int64_t> Waits = waitsOf(I);
    std::vector<int64_t> For(Ranks.size());
    CollectiveWait Wait;
    for (size_t Next = 0; Next < Waits.size(); ++Next) {
      For[Last[Next]] += Waits[Next];
      Wait.Time += Waits[Next];
    }
    const auto Most = llvm::max_element(For);
    Wait.Rank = *Ranks[I].T.Info.Rank;
    Wait.Last = *Ranks[size_t(Most - For.begin())].T.Info.Rank;
    Wait.LastTime = *Most / Steps;
    Wait.Time /= Steps;
    Result.Waits.push_back(Wait);
  }
}

Together Asker::run(llvm::ArrayRef<RankRecording> All) {
  Result.Obstacle = missing(All);
  if (Result.Obstacle.empty())
    Result.Obstacle = differentSteps(All);
  if (!Result.Obstacle.empty())
    return std::move(Result);
  for (const RankRecording &One : All)
    Ranks.emplace_back(One);
  std::vector<const Replay *> Players;
  for (const Rank &One : Ranks)
    Players.push_back(&*One.Player);
  Joint.emplace(std::move(Players),
                llvm::all_of(All, [](const RankRecording &One) {
                  return knowsCost(One.T, One.R);
                }));
  Result.Obstacle = Joint->obstacle().str();
  if (!Result.Obstacle.empty())
    return std::move(Result);
  Result.Collectives = Joint->collectives();
  Result.PerStep = All[0].R.onGpuClock();
  if (Result.PerStep)
    Steps = int64_t(All[0].R.InSteps->Count);
  Result.Whole = Joint->whole() / Steps;
  addWaits();
  for (const Candidate &C : candidates())
    Result.Sites.push_back(ask(C));
  Result.WithoutWaits =
      gain(std::vector<Plan>(Ranks.size(), Plan::withoutWaits()));
  largestFirst(Result.Sites,
               [](const TogetherSite &A) { return A.OnAll.middle(); });
  return std::move(Result);
}

} // namespace

std::optional<Together>
autoprof::analysis::replayTogether(llvm::ArrayRef<RankRecording> All) {
  if (All.size() < 2 || llvm::none_of(All, [](const RankRecording &One) {
        return runsCollectives(One.T);
      }))
    return std::nullopt;
  return Asker().run(All);
}
