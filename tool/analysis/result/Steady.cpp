// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/result/Steady.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;
using trace::Timeline;

namespace {

struct Window {
  int64_t From, To; ///< ns

  int64_t length() const { return std::max<int64_t>(0, To - From); }
  int64_t overlap(int64_t Start, int64_t End) const {
    return std::max<int64_t>(0, std::min(To, End) - std::max(From, Start));
  }
};

Window hostWindow(const Steps &S) {
  return {S.List[S.WarmUp].Start, S.List.back().End};
}

Window gpuWindow(const Timeline &T, const Steps &S) {
  Window W = hostWindow(S);
  if (S.fromOp() != None)
    W.From = T.Ops.End[S.fromOp()];
  if (S.toOp() != None)
    W.To = T.Ops.End[S.toOp()];
  return W;
}

/// Whether this cause leaves the GPU idle for a tenth of the time, and longer
/// than all others together, except for the GPU's own short pauses.
bool isMainCause(const Steady &S, Cause C) {
  int64_t Idle = S.Gaps[unsigned(C)].Total;
  return 10 * Idle >= S.Span && 2 * Idle >= S.starved() + S.late();
}

/// With both below a twentieth, the GPU is at work or between two operations
/// for more than nine tenths of the time.
bool isGpuBound(const Steady &S) {
  return 20 * S.starved() < S.Span && 20 * S.late() < S.Span;
}

Regime judge(const Steady &S) {
  if (2 * S.Used.part(Work::Copy) >= S.Span)
    return Regime::TransferBound;
  if (isMainCause(S, Cause::LaunchBound))
    return Regime::LaunchBound;
  if (isMainCause(S, Cause::HostBusy))
    return Regime::CpuBound;
  if (isMainCause(S, Cause::QueuedLate))
    return Regime::HeldUp;
  return isGpuBound(S) ? Regime::GpuBound : Regime::Between;
}

} // namespace

llvm::StringRef autoprof::analysis::name(Regime R) {
  constexpr llvm::StringLiteral Names[] = {"launch_bound",   "cpu_bound",
                                           "in_between",     "gpu_bound",
                                           "transfer_bound", "held_up"};
  return Names[unsigned(R)];
}

llvm::StringRef autoprof::analysis::phrase(Regime R) {
  constexpr llvm::StringLiteral Phrases[] = {"launch-bound",    "CPU-bound",
                                             "no single limit", "GPU-bound",
                                             "transfer-bound",  "held up"};
  return Phrases[unsigned(R)];
}

int64_t Steady::pauses() const {
  return Gaps[unsigned(Cause::InterStream)].Total +
         Gaps[unsigned(Cause::BackToBack)].Total;
}

int64_t Steady::starved() const { return Span - Busy - pauses() - late(); }

std::optional<Steady>
autoprof::analysis::findSteady(const Timeline &T, const Steps &S,
                               const std::vector<Wait> &Waits,
                               const std::vector<DeviceActivity> &Activity,
                               const Exposure &E, const GapCauses &Causes) {
  if (S.List.empty() || !T.Ops.size())
    return std::nullopt;
  const Window Host = hostWindow(S), Gpu = gpuWindow(T, S);
  Steady Result;
  Result.Count = S.measured();
  Result.Host = {Host.From, Host.To};
  Result.Gpu = {Gpu.From, Gpu.To};
  Result.HostTime = Host.length() - T.Recorded.missing(Host.From, Host.To);
  for (const Wait &W : Waits) {
    Result.WaitOf.push_back(Host.overlap(W.Start, W.End));
    Result.Waited += Result.WaitOf.back();
  }
  Result.Blocked = findBlockedCalls(T, Result.Host);
  Result.ExposedOf.assign(Waits.size(), 0);
  int64_t Idle = 0;
  for (const DeviceActivity &D : Activity)
    Result.Span += Gpu.overlap(D.First, D.Last) - D.unknownIn(Gpu.From, Gpu.To);
  forEachGapPart(Activity, E, Causes, Gpu.From, Gpu.To, [&](const GapPart &P) {
    Idle += P.End - P.Start;
    if (P.Wait != None)
      Result.ExposedOf[P.Wait] += P.End - P.Start;
  });
  if (!Result.Span || !Result.HostTime)
    return std::nullopt;
  Result.Busy = Result.Span - Idle;
  Result.Reasons = sumReasons(Activity, E, Causes, Gpu.From, Gpu.To);
  Result.Gaps = sumGaps(Causes, Result.Reasons);
  Result.Used = findUtilization(T, Activity, Result.Gpu);
  Result.Limit = judge(Result);
  return Result;
}
