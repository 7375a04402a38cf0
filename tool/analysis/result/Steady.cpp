// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/result/Result.h"

#include "analysis/common/Windows.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;
using trace::Timeline;

namespace {

trace::Window hostWindow(const Steps &S) {
  return {S.List[S.WarmUp].Start, S.List.back().End};
}

trace::Window gpuWindow(const Timeline &T, const Steps &S) {
  trace::Window W = hostWindow(S);
  if (S.fromOp() != None)
    W.Start = T.Ops.End[S.fromOp()];
  if (S.toOp() != None)
    W.End = T.Ops.End[S.toOp()];
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

int64_t Steady::pauses() const {
  return Gaps[unsigned(Cause::InterStream)].Total +
         Gaps[unsigned(Cause::BackToBack)].Total;
}

int64_t Steady::starved() const { return Span - Busy - pauses() - late(); }

BlockedCalls autoprof::analysis::findBlockedCalls(const Timeline &T,
                                                  trace::Window Part,
                                                  trace::OverheadKind Kind) {
  BlockedCalls Result;
  int64_t Done = Part.Start;
  for (const trace::Overhead &O : T.Overheads) { // Sorted by start.
    if (O.Kind != Kind || O.End <= Part.Start || O.Start >= Part.End)
      continue;
    ++Result.Count;
    // Threads may be blocked at the same time.
    const int64_t From = std::max(Done, O.Start),
                  To = std::min(O.End, Part.End);
    Result.Time += std::max<int64_t>(0, To - From);
    Done = std::max(Done, To);
  }
  return Result;
}

std::optional<Steady>
autoprof::analysis::findSteady(const Timeline &T, const Steps &S,
                               const std::vector<Wait> &Waits,
                               const Idling &I) {
  if (S.List.empty() || !T.Ops.size())
    return std::nullopt;
  const trace::Window Host = hostWindow(S), Gpu = gpuWindow(T, S);
  Steady Result;
  Result.Count = S.measured();
  Result.Host = Host;
  Result.Gpu = Gpu;
  Result.HostTime = std::max<int64_t>(0, Host.End - Host.Start) -
                    T.Recorded.missing(Host.Start, Host.End);
  for (const Wait &W : Waits) {
    Result.WaitOf.push_back(overlap(Host, W.Start, W.End));
    Result.Waited += Result.WaitOf.back();
  }
  Result.Blocked = findBlockedCalls(T, Result.Host);
  Result.ExposedOf.assign(Waits.size(), 0);
  int64_t Idle = 0;
  for (const DeviceActivity &D : I.Devices)
    Result.Span +=
        overlap(Gpu, D.First, D.Last) - D.unknownIn(Gpu.Start, Gpu.End);
  forEachGapPart(I, Gpu.Start, Gpu.End, [&](const GapPart &P) {
    Idle += P.End - P.Start;
    if (P.Wait != None)
      Result.ExposedOf[P.Wait] += P.End - P.Start;
  });
  if (!Result.Span || !Result.HostTime)
    return std::nullopt;
  Result.Busy = Result.Span - Idle;
  Result.Gaps = sumGaps(I, Gpu.Start, Gpu.End);
  Result.Used = findUtilization(T, I.Devices, Result.Gpu);
  Result.Limit = judge(Result);
  return Result;
}
