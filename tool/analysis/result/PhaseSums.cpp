// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/result/Result.h"

#include "analysis/common/Sorting.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

/// Steps of one phase, with none of another between them.
struct Stretch {
  size_t Phase;       ///< 0: the steps; else one more than the index in Others.
  size_t Last;        ///< Step.
  int64_t Start, End; ///< ns, host.
};

std::vector<Stretch> stretchesOf(llvm::ArrayRef<const Steps *> Phases) {
  std::vector<Stretch> Runs, Result;
  for (size_t P = 0; P < Phases.size(); ++P)
    for (size_t I = 0; I < Phases[P]->List.size(); ++I)
      Runs.push_back({P, I, Phases[P]->List[I].Start, Phases[P]->List[I].End});
  sortBy(Runs, &Stretch::Start);
  for (const Stretch &Run : Runs)
    if (!Result.empty() && Result.back().Phase == Run.Phase)
      Result.back() = {Run.Phase, Run.Last, Result.back().Start, Run.End};
    else
      Result.push_back(Run);
  return Result;
}

/// The stretch that is open at this time; null: none is.
const Stretch *stretchAt(llvm::ArrayRef<Stretch> All, int64_t Time) {
  const auto After = llvm::upper_bound(
      All, Time, [](int64_t At, const Stretch &S) { return At < S.Start; });
  if (After == All.begin() || std::prev(After)->End < Time)
    return nullptr;
  return &*std::prev(After);
}

/// Adds the time of each stretch. On the GPU, it begins when what was launched
/// before it is done, and not before the GPU's first operation: until then CUDA
/// starts.
void addTimes(const Timeline &T, llvm::ArrayRef<const Steps *> Phases,
              llvm::ArrayRef<Stretch> All, std::vector<PhaseSums> &Sums) {
  int64_t Done = T.Ops.size() ? *llvm::min_element(T.Ops.Start) : T.begin();
  size_t Next = 0;
  for (const Stretch &One : All) {
    for (; Next < T.LaunchOrder.size(); ++Next) {
      const uint32_t Op = T.LaunchOrder[Next];
      if (T.Host.Start[T.Ops.Launch[Op]] >= One.Start)
        break;
      Done = std::max(Done, T.Ops.End[Op]);
    }
    const std::vector<uint32_t> &LastOps = Phases[One.Phase]->LastOps;
    const int64_t From =
                      LastOps.empty() ? One.Start : std::max(One.Start, Done),
                  To = LastOps.empty() ? One.End : T.Ops.End[LastOps[One.Last]];
    Sums[One.Phase].Time +=
        std::max<int64_t>(0, To - From - T.Recorded.missing(From, To));
  }
}

} // namespace

std::vector<PhaseSums>
autoprof::analysis::sumPhases(const Timeline &T, const Steps &S,
                              const std::vector<Wait> &Waits,
                              const Exposure &Stalls) {
  if (S.List.empty())
    return {};
  std::vector<const Steps *> Phases{&S};
  for (const Steps &Other : S.Others)
    Phases.push_back(&Other);
  std::vector<PhaseSums> Result;
  for (const Steps *P : Phases) {
    Result.emplace_back();
    Result.back().Source = P->Source;
    Result.back().Name = P->Name;
    Result.back().Steps = P->List.size();
  }
  const std::vector<Stretch> All = stretchesOf(Phases);
  addTimes(T, Phases, All, Result);
  for (uint32_t Op : T.LaunchOrder)
    if (const Stretch *In = stretchAt(All, T.Host.Start[T.Ops.Launch[Op]]))
      Result[In->Phase].Gpu += T.Ops.End[Op] - T.Ops.Start[Op];
  for (size_t I = 0; I < Waits.size(); ++I)
    if (const Stretch *In = stretchAt(All, Waits[I].Start)) {
      Result[In->Phase].Waited += Waits[I].length();
      Result[In->Phase].Exposed += Stalls.OfWait[I];
    }
  return Result;
}
