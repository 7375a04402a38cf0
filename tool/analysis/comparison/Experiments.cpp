// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Experiments.h"

#include "analysis/common/Sorting.h"
#include "analysis/waits/Attribution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using llvm::StringRef;
using trace::Timeline;

void Experiment::add(llvm::ArrayRef<int64_t> Times, bool IsOdd) {
  std::vector<int64_t> AsItIs;
  for (size_t I = 0; I < Times.size(); ++I)
    if (!isChangedPart(I, IsOdd))
      AsItIs.push_back(Times[I]);
  Usual.push_back(median(AsItIs));
  // Of all parts: changed or not, they are equal if the change does nothing.
  const double Speed =
      double(Usual.front()) / double(std::max<int64_t>(1, median(Times.vec())));
  for (size_t I = 0; I < Times.size(); ++I) {
    Trial Part;
    Part.IsNew = isChangedPart(I, IsOdd);
    Part.Time = std::max<int64_t>(1, std::llround(double(Times[I]) * Speed));
    Parts.Runs.push_back(std::move(Part));
  }
}

void Experiment::judgeParts(const StoppingPlan &Plan) {
  Judged = judge(Parts, Plan);
  if (!Judged)
    return;
  Judged->BaseTime = median(Usual);
  Judged->NewTime =
      std::llround(double(Judged->BaseTime) * (1 + Judged->Change));
  Judged->Unadjusted = *Judged;
}

std::optional<Interval> Experiment::saved() const {
  if (!Judged || !Judged->Range)
    return std::nullopt;
  auto Ns = [this](double Change) {
    return -Change * double(Judged->BaseTime);
  };
  return Interval{Ns(Judged->Range->High), Ns(Judged->Range->Low)};
}

bool Experiment::gains(double AtLeast) const {
  return Judged && Judged->Differs && Judged->Change <= -AtLeast;
}

namespace {

/// Rows at one place.
struct PlaceRows {
  std::string Where; ///< As Experiment has it.
  std::vector<uint32_t> Rows;
  bool Waits = false;
  uint64_t Copies = 0; ///< To the host, in the run.
  std::vector<Switched> Kinds;
  int64_t Expected = 0; ///< ns per step: for the order.
};

} // namespace

static std::optional<Interval> predictedOf(const SiteRow &Row) {
  if (!Row.Promised.Expected || !Row.Promised.Expected->PerStep ||
      Row.Promised.Change == Verdict::None)
    return std::nullopt;
  const Estimate &E = Row.Promised.Expected->Saved;
  return Interval{double(E.Low), double(E.High)};
}

static Switched switchedBy(const SiteRow &Row, trace::Direction Dir) {
  if (Row.Kind == "sync")
    return Switched::LeftOut;
  if (Row.Kind == "free")
    return Switched::Kept;
  if (Row.Kind == "copy" && Dir == trace::Direction::DtoH)
    return Switched::Late;
  if (Row.Kind == "copy" && Dir == trace::Direction::HtoD)
    return Switched::Staged;
  return Switched::NotWaiting;
}

static std::string placeOfRow(const Timeline &T, const SiteRow &Row) {
  if (Row.Site == trace::None)
    return "";
  const trace::Site &S = T.Sites[Row.Site];
  if (S.Id)
    return "site " + llvm::utohexstr(S.Id, /*LowerCase=*/true);
  return S.PlaceFrames.empty() ? "" : "frame " + S.PlaceFrames;
}

/// Of the copies at each site.
static std::map<uint32_t, trace::Direction> findDirections(const Timeline &T) {
  const Attribution A = attribute(T);
  std::map<uint32_t, trace::Direction> Found;
  for (uint32_t Op : T.LaunchOrder)
    if (const trace::Stage &S = T.Stages[T.Ops.Stage[Op]];
        S.Kind == trace::OpKind::Copy)
      Found[A.Site[T.Ops.Launch[Op]]] = S.Dir;
  return Found;
}

/// ns per step: the exposed stall, or, if that is more, the prediction.
static int64_t expectedOf(const SiteRow &Row, const Result &R) {
  return std::max(Row.Steps->Exposed /
                      int64_t(std::max<size_t>(1, R.InSteps->Count)),
                  int64_t(predictedOf(Row).value_or(Interval{0, 0}).High));
}

/// In the order of Result::Sites; rows without a place are alone. What is made
/// in each step and waits for nothing, because an earlier wait drained the
/// queue, may wait without that one.
static std::vector<PlaceRows> groupRows(const Timeline &T, const Result &R) {
  std::map<uint32_t, trace::Direction> Directions = findDirections(T);
  // Stacks are taken of calls that waited, and of some others.
  std::map<StringRef, uint64_t> WithoutStack;
  for (const SiteRow &Row : R.Sites)
    if (Row.Site == trace::None)
      WithoutStack[Row.Call] += Row.Count;
  std::vector<PlaceRows> Groups;
  for (uint32_t I = 0; I < R.Sites.size(); ++I) {
    const SiteRow &Row = R.Sites[I];
    const Switched How = switchedBy(Row, Directions[Row.Site]);
    if (!Row.Steps)
      continue;
    const bool Waits = Row.Steps->Waits;
    std::string Where = placeOfRow(T, Row);
    const uint64_t Calls =
        Row.Count +
        (StringRef(Where).starts_with("frame") ? WithoutStack[Row.Call] : 0);
    const bool MayWait = (How == Switched::LeftOut || How == Switched::Late) &&
                         2 * Calls >= R.Steps.List.size();
    if (!Waits && (!MayWait || Where.empty()))
      continue;
    auto Group = llvm::find_if(Groups, [&](const PlaceRows &G) {
      return !Where.empty() && G.Where == Where;
    });
    if (Group == Groups.end()) {
      Groups.emplace_back();
      Group = Groups.end() - 1;
      Group->Where = std::move(Where);
    }
    Group->Waits |= Waits;
    Group->Rows.push_back(I);
    Group->Kinds.push_back(How);
    Group->Copies += How == Switched::Late ? Row.Count : 0;
    Group->Expected += expectedOf(Row, R);
  }
  return Groups;
}

/// Whether all of the calls wait for the device, and it has other work to do
/// than that of one stream.
static bool mayBeNarrowed(const Timeline &T, const Result &R,
                          const Experiment &E) {
  const auto IsOfDevice = [&R](uint32_t Row) {
    const StringRef Call = R.Sites[Row].Call;
    return Call.ends_with("DeviceSynchronize") ||
           Call.ends_with("ThreadSynchronize") ||
           Call.ends_with("CtxSynchronize");
  };
  return E.How == Switched::LeftOut && llvm::all_of(E.Rows, IsOfDevice) &&
         llvm::any_of(T.LaunchOrder, [&T](uint32_t Op) {
           return T.Ops.Queue[Op] != T.Ops.Queue[T.LaunchOrder.front()];
         });
}

std::vector<Experiment>
autoprof::analysis::proposeExperiments(const Timeline &T, const Result &R) {
  std::vector<PlaceRows> Groups = groupRows(T, R);
  largestFirst(Groups, &PlaceRows::Expected);
  const uint64_t Steps = std::max<size_t>(1, R.Steps.List.size());
  std::vector<Experiment> All;
  for (PlaceRows &G : Groups) {
    Experiment E;
    E.How = llvm::all_equal(G.Kinds) ? G.Kinds[0] : Switched::NotWaiting;
    // A copy and the synchronization for it, as PyTorch makes them.
    if (llvm::is_contained(G.Kinds, Switched::Late))
      E.How = Switched::Late;
    for (uint32_t Row : G.Rows)
      if (std::optional<Interval> P = predictedOf(R.Sites[Row]))
        if (!E.Predicted || E.Predicted->High < P->High)
          E.Predicted = P;
    E.Where = std::move(G.Where);
    // A value of the step before: of so many copies before.
    E.Late = std::max<uint64_t>(1, (G.Copies + Steps / 2) / Steps);
    if (E.Where.empty())
      E.Why = NoResult::NoPlace;
    else if (!G.Waits)
      E.Why = NoResult::Drained;
    E.Rows = std::move(G.Rows);
    All.push_back(E);
    const bool IsNarrowed = mayBeNarrowed(T, R, E);
    if ((E.How != Switched::Late && E.How != Switched::NotWaiting &&
         !IsNarrowed) ||
        E.Why != NoResult::None)
      continue;
    E.How = IsNarrowed ? Switched::Narrowed : Switched::NotRead;
    E.Late = 0;
    E.Predicted.reset();
    All.push_back(std::move(E));
  }
  const bool UsesPool = llvm::any_of(R.Sites, [Steps](const SiteRow &Row) {
    return StringRef(Row.Call).contains("MallocAsync") && 2 * Row.Count > Steps;
  });
  if (UsesPool) {
    All.emplace_back();
    All.back().How = Switched::PoolKept;
    All.back().Where = "pool";
  }
  return All;
}

/// Kernels and graphs: what runtime/experiment/Timing.h counts.
static bool isLaunch(StringRef Call) {
  return Call.contains("LaunchKernel") ||
         Call.contains("LaunchCooperativeKernel") ||
         Call.contains("GraphLaunch");
}

/// Between two parts, in which the second is prepared.
constexpr uint64_t StepsBetween = 2;

/// A multiple of four. Each part is long enough that one drain of the queue is
/// lost in it.
static uint64_t numberOfParts(uint64_t Steps) {
  constexpr uint64_t InPart = 25, Fewest = 8, Few = 12;
  for (uint64_t Count = MostParts; Count > Few; Count -= 4)
    if (Steps / Count >= InPart + StepsBetween)
      return Count;
  return Steps / Few >= Few ? Few : Fewest;
}

std::vector<LaunchPart> autoprof::analysis::timedParts(const Timeline &T,
                                                       const Steps &S) {
  const uint64_t Steps = S.List.size();
  if (Steps < FewestSteps)
    return {};
  // A call of the driver inside of one of the runtime is the same launch.
  std::vector<int64_t> RuntimeEnds(T.Threads.size());
  std::vector<int64_t> Launches;
  const trace::HostEvents &H = T.Host;
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (!H.isCall(I) || !isLaunch(T.Strings[H.Name[I]]))
      continue;
    int64_t &End = RuntimeEnds[H.Thread[I]];
    if (H.Start[I] >= End)
      Launches.push_back(H.Start[I]);
    End = std::max(End, H.End[I]);
  }
  llvm::sort(Launches);
  auto Before = [&](uint64_t Step) {
    return uint64_t(llvm::lower_bound(Launches, S.List[Step].Start) -
                    Launches.begin());
  };
  const uint64_t From = std::max<uint64_t>(1, Steps / 10),
                 Usable = Steps - 1 - From, Count = numberOfParts(Usable);
  std::vector<LaunchPart> Parts;
  for (uint64_t I = 0; I < Count; ++I) {
    const uint64_t Last = From + (I + 1) * (Usable / Count),
                   First = Last - (Usable / Count - StepsBetween);
    Parts.push_back({Before(First), Before(Last), Last - First});
    if (Parts.back().From >= Parts.back().To)
      return {};
  }
  return Parts;
}
