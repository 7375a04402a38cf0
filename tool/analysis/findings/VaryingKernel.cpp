// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/KernelName.h"
#include "analysis/common/Statistics.h"
#include "analysis/findings/Scene.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <map>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

constexpr size_t MinSteps = 10, MaxFindings = 3;
/// Time above this multiple of the median counts.
constexpr double Tolerance = 1.25;

/// Durations of the launches at one place of the steps: the n-th of one sort
/// of kernel. The same kernel elsewhere in a step may do other work.
using Place = std::pair<uint32_t, uint32_t>; // Stage, n.

std::map<Place, std::vector<int64_t>> collect(const Scene &S) {
  const trace::Timeline &T = S.T;
  const std::vector<Step> &List = S.R.Steps.List;
  std::map<Place, std::vector<int64_t>> Result;
  std::map<uint32_t, uint32_t> Seen; // By stage, in the current step.
  size_t Step = S.R.Steps.WarmUp;
  for (uint32_t Op : T.LaunchOrder) {
    int64_t Launched = T.Host.Start[T.Ops.Launch[Op]];
    if (Launched < S.Host.Start || Launched >= S.Host.End)
      continue;
    for (; Step < List.size() && Launched >= List[Step].End; ++Step)
      Seen.clear();
    if (Step == List.size())
      break;
    if (Launched >= List[Step].Start && S.work(Op) == Work::Compute &&
        S.isKernel(Op)) {
      uint32_t Stage = T.Ops.Stage[Op];
      Result[{Stage, Seen[Stage]++}].push_back(S.length(Op));
    }
  }
  return Result;
}

/// What one kernel loses by varying.
struct Variation {
  int64_t Excess = 0;          ///< ns above the tolerated durations.
  int64_t Median = 0, P95 = 0; ///< Of the place that varies most.
  int64_t Longest = 0;
};

void add(Variation &V, const std::vector<int64_t> &Lengths) {
  int64_t Median = median(Lengths), Excess = 0;
  for (int64_t Ns : Lengths)
    Excess += std::max<int64_t>(0, Ns - int64_t(Tolerance * double(Median)));
  V.Excess += Excess;
  if (Excess > V.Longest) {
    V.Longest = Excess;
    V.Median = Median;
    V.P95 = quantile(Lengths, 0.95);
  }
}

Finding report(const Scene &S, llvm::StringRef Kernel, const Variation &V) {
  Finding F;
  F.Message = fmt::format(
      "{} takes much longer in some steps than in others at the same place "
      "(median {}, p95 {}): {} in excess of 1.25 times the median.",
      shortName(Kernel), duration(V.Median), duration(V.P95),
      S.share(V.Excess));
  F.Advice =
      "Check whether its data differs, what runs concurrently, and whether the "
      "GPU's clock changes (nvidia-smi -q -d CLOCK,PERFORMANCE).";
  F.Doubt = "The trace does not show which of these is the cause.";
  F.Evidence = llvm::json::Object{{"kernel", llvm::json::fixUTF8(Kernel)},
                                  {"median_ns", V.Median},
                                  {"p95_ns", V.P95},
                                  {"excess_ns", V.Excess}};
  F.Cost = V.Excess;
  return F;
}

} // namespace

void autoprof::analysis::findVaryingKernel(const Scene &S,
                                           std::vector<Finding> &Found) {
  if (!S.InSteps || S.Steps < MinSteps)
    return;
  std::map<uint32_t, Variation> OfName;
  for (const auto &[Place, Lengths] : collect(S))
    if (Lengths.size() >= MinSteps)
      add(OfName[S.T.Stages[Place.first].Name], Lengths);
  std::vector<std::pair<int64_t, uint32_t>> Worst;
  for (const auto &[Name, V] : OfName)
    if (100 * V.Excess >= 3 * S.Span)
      Worst.push_back({-V.Excess, Name});
  llvm::sort(Worst);
  for (auto [Excess, Name] : llvm::ArrayRef(Worst).take_front(MaxFindings))
    Found.push_back(report(S, S.T.Strings[Name], OfName[Name]));
}
