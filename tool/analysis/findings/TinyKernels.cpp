// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Statistics.h"
#include "analysis/findings/Scene.h"

#include <fmt/format.h>

#include <unordered_map>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

constexpr size_t MinLaunches = 100;

/// A launch of a single kernel: a graph's launch is one of many.
struct Launches {
  std::vector<int64_t> Calls, Kernels; ///< Durations, ns.
  size_t Tiny = 0; ///< The call takes longer than the kernel.
};

Launches collect(const Scene &S) {
  std::unordered_map<uint32_t, uint32_t> OpsOfCall;
  for (uint32_t Op : S.Ops)
    ++OpsOfCall[S.T.Ops.Launch[Op]];
  Launches Result;
  for (uint32_t Op : S.Ops) {
    uint32_t Call = S.T.Ops.Launch[Op];
    if (!S.isKernel(Op) || Call == trace::None || OpsOfCall[Call] > 1)
      continue;
    Result.Calls.push_back(S.T.Host.End[Call] - S.T.Host.Start[Call]);
    Result.Kernels.push_back(S.length(Op));
    Result.Tiny += Result.Kernels.back() < Result.Calls.back();
  }
  return Result;
}

} // namespace

// A kernel that is shorter than its launch is what Meta's HTA calls a short
// kernel. Many of them do no harm while the CPU is ahead: so only where the GPU
// idles because launching is too slow.
void autoprof::analysis::findTinyKernels(const Scene &S,
                                         std::vector<Finding> &Found) {
  int64_t Idle = S.idle(Cause::LaunchBound);
  if (Idle < S.Span / 10)
    return;
  Launches L = collect(S);
  size_t Count = L.Kernels.size();
  if (Count < MinLaunches || 2 * L.Tiny < Count)
    return;
  int64_t Call = median(std::move(L.Calls)),
          Kernel = median(std::move(L.Kernels));
  Finding F;
  F.Severity = Severity::Warning;
  F.Message =
      fmt::format("{} of {} kernels {} take less time to run than to launch "
                  "(medians {} and {}), and the GPU idles {} because of it.",
                  count(L.Tiny), count(Count), S.where().str(),
                  duration(Kernel), duration(Call), S.share(Idle));
  F.Advice = "Launch a step as one CUDA graph, or fuse neighboring kernels.";
  F.Doubt =
      "Recording lengthens each launch, by 1.3 to 3.3 us on H200 machines.";
  F.Evidence = llvm::json::Object{{"kernels", int64_t(Count)},
                                  {"tiny", int64_t(L.Tiny)},
                                  {"kernel_median_ns", Kernel},
                                  {"launch_median_ns", Call},
                                  {"idle_ns", Idle}};
  F.Cost = Idle;
  Found.push_back(std::move(F));
}
