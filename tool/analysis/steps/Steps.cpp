// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/Steps.h"

#include "analysis/common/Statistics.h"
#include "analysis/common/WorkOwners.h"
#include "analysis/steps/StepCandidates.h"
#include "analysis/waits/RunAhead.h"
#include "catalogue/Catalogue.h"
#include "trace/timeline/Places.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using llvm::StringRef;
using trace::HostEvents;
using trace::None;
using trace::Timeline;

namespace {

/// Whether the range launched something after `LastRecorded`, the last launch
/// with an operation in its window: that work was still queued, or running,
/// when the window closed.
bool isCutOff(const Timeline &T, uint32_t LastRecorded, uint32_t Range) {
  const HostEvents &H = T.Host;
  for (uint32_t I = Range + 1; I < H.size() && H.Start[I] < H.End[Range]; ++I) {
    if (H.Thread[I] != H.Thread[Range] || H.Kind[I] != trace::HostKind::Api ||
        (LastRecorded != None && I <= LastRecorded))
      continue;
    const catalogue::Row *Row = catalogue::lookup(T.Strings[H.Name[I]]);
    if (Row && Row->Class == catalogue::CallClass::Launch)
      return true;
  }
  return false;
}

/// Leaves out the steps at the ends of windows, or at the end of a recording
/// that was cut off, whose GPU work was not recorded to its end.
void dropCutOff(const Timeline &T, StepCandidate &C) {
  const HostEvents &H = T.Host;
  std::vector<trace::Window> Windows = T.Recorded.List;
  if (!T.Recorded.Limited)
    Windows = {{T.begin(), T.end()}};
  std::vector<uint32_t> Whole;
  for (const trace::Window &W : Windows) {
    uint32_t LastRecorded = None;
    for (uint32_t Op : T.LaunchOrder)
      if (H.Start[T.Ops.Launch[Op]] <= W.End)
        LastRecorded = T.Ops.Launch[Op];
    size_t First = Whole.size();
    for (uint32_t Range : C.Ranges)
      if (H.Start[Range] >= W.Start && H.End[Range] <= W.End)
        Whole.push_back(Range);
    while (T.Ops.size() && Whole.size() > First &&
           isCutOff(T, LastRecorded, Whole.back()))
      Whole.pop_back();
  }
  C.Ranges = std::move(Whole);
}

/// Which launching calls are of a step's work.
using IsOfWork = llvm::function_ref<bool(uint32_t Call)>;

/// What a run launched.
struct RunWork {
  int64_t Ops = 0;
  uint32_t Last = None; ///< Into GpuOps: what ended last; None: no operation.
};

std::vector<RunWork>
workOf(const Timeline &T, llvm::ArrayRef<trace::Window> Runs, IsOfWork Works) {
  const HostEvents &H = T.Host;
  std::vector<RunWork> Result(Runs.size());
  size_t Step = 0;
  for (uint32_t Op : T.LaunchOrder) {
    const uint32_t Launch = T.Ops.Launch[Op];
    if (!Works(Launch))
      continue;
    while (Step < Runs.size() && Runs[Step].End <= H.Start[Launch])
      ++Step;
    if (Step == Runs.size())
      break;
    if (H.Start[Launch] < Runs[Step].Start)
      continue;
    auto &[Ops, Last] = Result[Step];
    ++Ops;
    if (Last == None || T.Ops.End[Op] > T.Ops.End[Last])
      Last = Op;
  }
  return Result;
}

/// Removes the few runs that launched nothing, such as an iteration after the
/// last one that only prints its result: they are no steps, and have no time on
/// the GPU's clock. Returns how many; 0, and all stay, if they are a
/// tenth of all or more.
size_t dropEmptyRuns(const Timeline &T, std::vector<trace::Window> &Runs,
                     IsOfWork Works) {
  const std::vector<RunWork> Work = workOf(T, Runs, Works);
  std::vector<trace::Window> Kept;
  for (size_t I = 0; I < Runs.size(); ++I)
    if (Work[I].Ops)
      Kept.push_back(Runs[I]);
  const size_t Empty = Runs.size() - Kept.size();
  if (10 * Empty >= Runs.size())
    return 0;
  Runs = std::move(Kept);
  return Empty;
}

/// What all sources of steps have in common. `IsWhole`: a run is all of its
/// step; that of a function may end well before it.
void fillSteps(Steps &Result, const Timeline &T,
               llvm::ArrayRef<trace::Window> Runs, IsOfWork Works,
               bool IsWhole) {
  std::vector<uint32_t> Ops;
  for (const RunWork &One : workOf(T, Runs, Works))
    Ops.push_back(One.Last);
  Result.FromGpu = !llvm::is_contained(Ops, None);
  std::vector<RunAheadQuery> Queries;
  for (size_t I = 0; I < Runs.size(); ++I) {
    auto [Start, End] = Runs[I];
    int64_t Time = End - Start;
    if (Result.FromGpu) {
      // On several streams a later step may finish first.
      if (I && T.Ops.End[Ops[I]] < T.Ops.End[Ops[I - 1]])
        Ops[I] = Ops[I - 1];
      int64_t Done = T.Ops.End[Ops[I]];
      Time = Done - (I ? T.Ops.End[Ops[I - 1]] : std::min(Start, Done));
    }
    // If a window began there, there was a step before the first one.
    int64_t Before = I ? Runs[I - 1].End : 0;
    Result.List.push_back({Start, End, Time});
    Result.List.back().TimeKnown =
        !Result.FromGpu || !T.Recorded.missing(Before, Start);
    const bool Final = I + 1 == Runs.size();
    if (!T.Devices.empty())
      Queries.push_back(
          {IsWhole || Final ? End : Runs[I + 1].Start, T.Devices.front().Id});
  }
  std::vector<RunAhead> Samples = sampleRunAhead(T, Queries);
  for (size_t I = 0; I < Samples.size(); ++I)
    Result.List[I].Lead = Samples[I].Lead;
  // First steps load modules, pick algorithms and fill the queue.
  if (Result.List.size() >= 4)
    Result.WarmUp = std::max<size_t>(1, Result.List.size() / 10);
  else if (Result.List.size() >= 2 && !Result.List.front().TimeKnown)
    Result.WarmUp = 1;
  if (Result.FromGpu)
    Result.LastOps = std::move(Ops);
}

Steps makeSteps(const Timeline &T, StepCandidate C) {
  const trace::Site &S = T.Sites[C.Site];
  Steps Result;
  if (T.Recorded.Limited || T.isCutOff())
    dropCutOff(T, C);
  if (C.Ranges.empty())
    return Result;
  Result.Source = describe(T, C);
  Result.Name = nameOf(T, C);
  Result.From = StepsFrom::Range;
  Result.Thread = C.Thread;
  Result.Site = S.Id;
  std::vector<trace::Window> Runs;
  for (uint32_t Range : C.Ranges)
    Runs.push_back({T.Host.Start[Range], T.Host.End[Range]});
  const LaunchedWork Work(T);
  auto Works = [&](uint32_t Call) { return Work.isOf(C.Thread, Call); };
  Result.Empty = dropEmptyRuns(T, Runs, Works);
  fillSteps(Result, T, Runs, Works, /*IsWhole=*/S.Kind == "loop");
  return Result;
}

/// The innermost probe or operator around a call, or where its stack begins;
/// None if there is none near it.
uint32_t siteAround(const Timeline &T, uint32_t Call) {
  const HostEvents &H = T.Host;
  if (H.Site[Call] != None && T.Sites[H.Site[Call]].Line)
    return H.Site[Call];
  constexpr uint32_t MostSteps = 1'000; // Other threads' slices in between.
  for (uint32_t I = Call; I > 0 && Call - I < MostSteps; --I)
    if (H.Thread[I - 1] == H.Thread[Call] && H.End[I - 1] >= H.End[Call] &&
        H.Kind[I - 1] == trace::HostKind::Site && H.Site[I - 1] != None)
      return H.Site[I - 1];
  return None;
}

std::string describe(const Timeline &T, const Repetition &R,
                     llvm::ArrayRef<trace::Window> Runs) {
  std::vector<int64_t> Ops;
  for (const RunWork &One : workOf(T, Runs, [](uint32_t) { return true; }))
    Ops.push_back(One.Ops);
  const int64_t Operations = median(std::move(Ops));
  std::string Text = "repetition";
  if (Operations)
    Text += " of " + std::to_string(Operations) +
            (Operations == 1 ? " operation" : " operations");
  std::string Where = R.AnchorName;
  if (const uint32_t Site = siteAround(T, R.Call); Site != None)
    Where = T.Sites[Site].Line ? place(T.Sites[Site]) : T.Sites[Site].Callee;
  return Text + ", cut at " + Where;
}

Steps makeSteps(const Timeline &T, const Repetition &R) {
  // What crosses the edge of what was recorded is not a step.
  std::vector<trace::Window> Runs;
  for (size_t I = 1; I < R.Cuts.size(); ++I)
    if (!T.Recorded.missing(R.Cuts[I - 1], R.Cuts[I]))
      Runs.push_back({R.Cuts[I - 1], R.Cuts[I]});
  Steps Result;
  if (Runs.size() < 3)
    return Result;
  Result.Source = describe(T, R, Runs);
  Result.From = StepsFrom::Repetition;
  Result.Sure = R.Sure;
  Result.Thread = R.Thread;
  Result.Site = R.Anchor;
  fillSteps(
      Result, T, Runs, [](uint32_t) { return true; },
      /*IsWhole=*/true);
  return Result;
}

Steps findRepeated(const Timeline &T, uint64_t Anchor) {
  std::optional<Repetition> R = findRepetition(T, Anchor);
  return R ? makeSteps(T, *R) : Steps();
}

} // namespace

std::vector<int64_t> Steps::times() const {
  std::vector<int64_t> Result;
  for (size_t I = WarmUp; I < List.size(); ++I)
    if (List[I].TimeKnown)
      Result.push_back(List[I].Time);
  return Result;
}

std::vector<int64_t> Steps::leads() const {
  std::vector<int64_t> Result;
  for (size_t I = WarmUp; I < List.size(); ++I)
    Result.push_back(List[I].Lead);
  return Result;
}

/// With what else the program does.
static Steps makeSteps(const Timeline &T, const std::vector<StepCandidate> &All,
                       const StepCandidate &Chosen,
                       llvm::ArrayRef<const StepCandidate *> Phases) {
  Steps Result = makeSteps(T, Chosen);
  for (const StepCandidate *Phase : Phases)
    if (areApart(T, *Phase, Chosen))
      if (Steps Other = makeSteps(T, *Phase); !Other.List.empty())
        Result.Others.push_back(std::move(Other));
  if (const StepCandidate *Inner = findInner(T, All, Chosen))
    Result.Inner = InnerSteps{
        describe(T, *Inner), nameOf(T, *Inner), Inner->Ranges.size(),
        std::min(1.0, double(Inner->GpuTime) / double(Chosen.GpuTime))};
  return Result;
}

llvm::Expected<Steps> autoprof::analysis::findSteps(const Timeline &T,
                                                    StringRef Name) {
  const std::vector<StepCandidate> All = findStepCandidates(T);
  const std::vector<const StepCandidate *> Phases = findPhases(T, All);
  if (Name.empty())
    return Phases.empty() ? findRepeated(T, /*Anchor=*/0)
                          : makeSteps(T, All, *Phases.front(), Phases);
  llvm::Expected<StepCandidate> Chosen = chooseNamed(T, All, Name);
  if (!Chosen)
    return Chosen.takeError();
  return makeSteps(T, All, *Chosen, Phases);
}

Steps autoprof::analysis::findStepsOfSite(const Timeline &T, uint64_t Site) {
  for (const StepCandidate &C : findStepCandidates(T))
    if (Site && T.Sites[C.Site].Id == Site)
      return makeSteps(T, C);
  return Site ? findRepeated(T, Site) : Steps();
}

Steps autoprof::analysis::findStepsOfPart(const Timeline &Part,
                                          const Timeline &Whole, StringRef Name,
                                          Steps Found) {
  llvm::Expected<Steps> All = findSteps(Whole, Name);
  if (!All) {
    llvm::consumeError(All.takeError());
    return Name.empty() ? Found : findStepsOfPart(Part, Whole, "", Found);
  }
  if (All->List.empty())
    return Found;
  Steps Inside;
  if (All->Name.empty())
    Inside = findStepsOfSite(Part, All->Site);
  else if (llvm::Expected<Steps> Named = findSteps(Part, All->Name))
    Inside = std::move(*Named);
  else
    llvm::consumeError(Named.takeError());
  if (Inside.List.empty())
    Inside.SourceOfWhole = All->Source;
  return Inside;
}
