// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Analysis.h"

#include "analysis/Stages.h"
#include "analysis/decisions/Decisions.h"
#include "analysis/findings/Scene.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

/// What is known before anything is searched for.
static Result describeRun(const Timeline &T, Steps S,
                          const catalogue::Semantics *Measured) {
  Result R;
  R.Measured = Measured;
  R.Steps = std::move(S);
  R.WaitsKnown =
      T.Ops.size() > 0 || (T.Info.CuptiState == "ok" && T.Info.Mode == "full");
  R.Wall = T.Info.Wall.value_or(T.end() - T.begin());
  const int64_t Begin = T.Info.Wall ? 0 : T.begin();
  R.Recorded = R.Wall - T.Recorded.missing(Begin, Begin + R.Wall);
  R.Blocked = findBlockedCalls(T, {T.begin(), T.end()});
  R.Unlaunched = findUnlaunched(T);
  R.Graphs = findGraphLaunches(T, T.begin());
  R.Devices = findActivity(T);
  int64_t First = T.end(), Last = T.begin();
  for (const DeviceActivity &D : R.Devices) {
    if (D.Ops) {
      First = std::min(First, D.First);
      Last = std::max(Last, D.Last);
    }
    R.Drains += llvm::count_if(D.Gaps, [&T](const Gap &G) {
      // Without a recorded launch, when it was queued is unknown.
      return T.Ops.Launch[G.Next] != trace::None && !wasQueued(T, G);
    });
  }
  R.Span = std::max<int64_t>(0, Last - First) - T.Recorded.missing(First, Last);
  return R;
}

/// Why the GPUs idled, in the run and in the steps that count.
static void explainStalls(const Timeline &T, const Attribution &A,
                          const std::vector<Wait> &Waits, Result &R) {
  R.Stalls = findExposure(T, Waits, R.Devices);
  R.Causes = explainGaps(T, A, R.Devices, R.Stalls);
  R.WaitDrains = R.Stalls.countGaps();
  R.Gaps = sumGaps(R, T.begin(), T.end());
  R.InSteps = findSteady(T, R.Steps, Waits, R);
  const trace::Window Part =
      R.InSteps ? R.InSteps->Gpu : trace::Window{T.begin(), T.end()};
  R.Busy = findBusyHost(T, A, R, Part);
  R.Lines = findHostLines(T, A, Waits, R, Part);
}

/// Tables that nothing else depends on.
static void addProfile(const Timeline &T, const Attribution &A, Result &R) {
  R.Calls = sumCalls(T, R.Waits);
  R.Ranges = sumRanges(T, R.InSteps ? R.InSteps->Host : trace::Window{0, 0});
  R.Operators = sumOperators(T);
  R.Memory = sumMemory(T);
  R.Memories = findDeviceMemory(T, A, R.Steps);
  R.Kernels = sumKernels(T, R.InSteps ? R.InSteps->Gpu : trace::Window{0, 0});
  R.Used = R.InSteps ? R.InSteps->Used
                     : findUtilization(T, R.Devices, {T.begin(), T.end()});
}

/// The phase that a report about the steps must not hide: see Result.
static std::optional<size_t> findWaitsElsewhere(const Result &R) {
  std::optional<size_t> Found;
  if (R.Decided.Answer == Answer::Change)
    return Found;
  for (size_t I = 1; I < R.Phases.size(); ++I) {
    const PhaseSums &P = R.Phases[I];
    if (100 * P.Exposed >= P.Time && 100 * P.Time >= R.Span && P.Exposed &&
        (!Found || P.Exposed > R.Phases[*Found].Exposed))
      Found = I;
  }
  return Found;
}

Result autoprof::analysis::analyse(const Timeline &T, Steps S,
                                   const catalogue::Semantics *Measured) {
  Result R = describeRun(T, std::move(S), Measured);
  // Waits.
  const Attribution A = attribute(T);
  WaitList List = findWaits(T, A, Measured);
  for (const Wait &W : List.Waits)
    R.Waited += W.length();
  // Stalls.
  explainStalls(T, A, List.Waits, R);
  R.Kinds = findKinds(T, A, R.Steps, List.Waits);
  R.Phases = sumPhases(T, R.Steps, List.Waits, R.Stalls);
  R.Sites = listSites(T, A, List, R);
  advise(T, A, List, R.Sites);
  // Replays.
  askReplays(T, A, List, R);
  // Decisions.
  R.Waits = std::move(List.Waits);
  decide(T, R);
  R.WaitsElsewhere = findWaitsElsewhere(R);

  addProfile(T, A, R);
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
