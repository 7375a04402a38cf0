// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Statistics.h"
#include "analysis/findings/Scene.h"

#include <fmt/format.h>

#include <unordered_map>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

constexpr size_t MinLaunches = 100;

/// ns. Between two launches of Python's array libraries, dispatching takes less
/// than this; what takes longer is other work.
constexpr int64_t LongestDispatch = 100'000;

bool isPython(const Scene &S) { return S.R.Lines && !S.R.Lines->OnlyRunning; }

/// ns that the GPU idles because launches follow each other too slowly. What a
/// native program does between two launches is its own work, and no other way
/// of launching saves it; in Python, most of it is the dispatching of
/// operators.
int64_t idleBetweenLaunches(const Scene &S) {
  if (!isPython(S))
    return (S.InSteps ? S.R.InSteps->Gaps
                      : S.R.Gaps)[unsigned(Cause::LaunchBound)]
        .Total;
  int64_t Idle = 0;
  for (const BusyRow &Row : S.R.Busy)
    if (Row.Cpu < LongestDispatch * int64_t(Row.Count))
      Idle += Row.Idle;
  return Idle;
}

/// The statement whose launches are many: at least half of the time that the
/// GPU lacks work in it is `Idle`, however the rest of that is spread. Null:
/// none.
const HostLine *launchingStatement(const Scene &S, int64_t Idle) {
  const HostLine *Line = S.R.Lines ? mainStatement(S.T, *S.R.Lines) : nullptr;
  const auto &Gaps = S.InSteps ? S.R.InSteps->Gaps : S.R.Gaps;
  const auto Lacks = double(Gaps[unsigned(Cause::HostBusy)].Total +
                            Gaps[unsigned(Cause::LaunchBound)].Total);
  if (!Line || double(Line->Samples) / double(S.R.Lines->Idle) <
                   2 * (1 - double(Idle) / Lacks))
    return nullptr;
  return Line;
}

/// A launch of a single kernel: a graph's launch is one of many.
struct Launches {
  size_t Count = 0;
  /// Durations of those whose call takes longer than the kernel, ns.
  std::vector<int64_t> TinyCalls, TinyKernels;
};

Launches collect(const Scene &S) {
  std::unordered_map<uint32_t, uint32_t> OpsOfCall;
  for (uint32_t Op : S.Ops)
    ++OpsOfCall[S.T.Ops.Launch[Op]];
  Launches Result;
  for (uint32_t Op : S.Ops) {
    uint32_t Call = S.T.Ops.Launch[Op];
    if (S.stage(Op).Kind != trace::OpKind::Kernel || Call == trace::None ||
        OpsOfCall[Call] > 1)
      continue;
    ++Result.Count;
    const int64_t InCall = S.T.Host.End[Call] - S.T.Host.Start[Call],
                  Kernel = S.T.Ops.End[Op] - S.T.Ops.Start[Op];
    if (Kernel >= InCall)
      continue;
    Result.TinyCalls.push_back(InCall);
    Result.TinyKernels.push_back(Kernel);
  }
  return Result;
}

} // namespace

// A kernel that is shorter than its launch is what Meta's HTA calls a short
// kernel. Many of them do no harm while the CPU is ahead: so only where the GPU
// idles because launching is too slow. Measured on an H200 (CUDA 13.0, PyTorch
// 2.11), a compiled model takes 62 % off the steps of
// bench/frameworks/denoise.py and 42 % off those of generate.py, in which this
// idle time is 49 and 83 %.
void autoprof::analysis::findTinyKernels(const Scene &S,
                                         std::vector<Finding> &Found) {
  const int64_t Idle = idleBetweenLaunches(S);
  if (Idle < S.Span / 10)
    return;
  Launches L = collect(S);
  const size_t Tiny = L.TinyKernels.size();
  if (L.Count < MinLaunches || 2 * Tiny < L.Count)
    return;
  const int64_t TinyCall = median(std::move(L.TinyCalls)),
                TinyKernel = median(std::move(L.TinyKernels));
  Finding F;
  F.Severity = Severity::Warning;
  F.Message = fmt::format(
      "{} of {} kernels {} take less time to run than to launch "
      "(their medians are {} and {}), and the GPU idles {} because "
      "of it{}.",
      count(Tiny), count(L.Count), S.where().str(), duration(TinyKernel),
      duration(TinyCall), S.share(Idle),
      isPython(S) ? " and of what Python does between launches" : "");
  F.Advice = "Launch a step as one CUDA graph, or fuse neighboring kernels, as "
             "torch.compile does.";
  F.Doubt =
      "Recording lengthens each launch; the summary states by how much, if "
      "that is known.";
  F.Evidence = llvm::json::Object{{"kernels", int64_t(L.Count)},
                                  {"tiny", int64_t(Tiny)},
                                  {"tiny_kernel_median_ns", TinyKernel},
                                  {"tiny_launch_median_ns", TinyCall},
                                  {"idle_ns", Idle}};
  F.Cost = Idle;
  if (const HostLine *Line = launchingStatement(S, Idle)) {
    const trace::Site &At = S.T.Sites[Line->Site];
    F.Message += fmt::format(
        " Of the time in which the GPU lacks work, {} is "
        "in what {} calls.",
        percent(double(Line->Samples), double(S.R.Lines->Idle)), place(At));
    F.Evidence["file"] = At.File;
    F.Evidence["line"] = int64_t(At.Line);
  }
  Found.push_back(std::move(F));
}
