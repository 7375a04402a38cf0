// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one step costs once the program runs steadily: the steps after the
// warm-up, without loading, warming up and finishing. A short recording of a
// long training run is mostly start-up, so shares of its whole time are
// misleading.
//
// Host and GPU have their own windows, as a CPU that runs ahead is in later
// steps than its GPU: on the host from the start of the first step that counts
// to the end of the last one; on the GPU between the ends of the GPU work of
// the steps before and of the last one (the same instants that step times are
// taken from). Waits belong to the host's window, and GPU gaps to the GPU's. Of
// what crosses an edge, the part inside counts.
#ifndef AUTOPROF_ANALYSIS_RESULT_STEADY_H
#define AUTOPROF_ANALYSIS_RESULT_STEADY_H

#include "analysis/common/Names.h"
#include "analysis/profile/Utilization.h"
#include "analysis/replay/Estimate.h"
#include "analysis/stalls/Gaps.h"
#include "analysis/steps/Steps.h"
#include "analysis/waits/Waits.h"

#include <optional>

namespace autoprof::analysis {

/// What limits the steps. See docs/reports.md, "What limits the steps".
enum class Regime : uint8_t {
  LaunchBound,   ///< Launching takes longer than the work launched.
  CpuBound,      ///< The host does other things.
  Between,       ///< None of the others.
  GpuBound,      ///< The GPU always has work, and does it.
  TransferBound, ///< Most of it is copying.
  HeldUp,        ///< The GPU has work queued and starts it late.
};

/// Whether the host limits the steps.
inline bool isHostBound(Regime R) {
  return R == Regime::LaunchBound || R == Regime::CpuBound;
}

inline Limiter limiter(Regime R) {
  if (isHostBound(R))
    return Limiter::Host;
  return R == Regime::GpuBound ? Limiter::Gpu : Limiter::Both;
}

inline llvm::StringRef name(Regime R) {
  return nth(R, {"launch_bound", "cpu_bound", "in_between", "gpu_bound",
                 "transfer_bound", "held_up"});
}
/// In words, for reports.
inline llvm::StringRef phrase(Regime R) {
  return nth(R, {"launch-bound", "CPU-bound", "no single limit", "GPU-bound",
                 "transfer-bound", "held up"});
}

/// How long calls were held up: by a full command queue of the GPU, or by
/// something else that CUPTI records. A full queue is no wait for certain work:
/// any operation that finishes makes room.
struct BlockedCalls {
  uint64_t Count = 0; ///< Of the profiler's records.
  /// ns in which at least one call was blocked.
  int64_t Time = 0;
};

/// From the overhead records of this kind that overlap `Part`. None of them: no
/// call was blocked, or the profiler does not record it.
BlockedCalls
findBlockedCalls(const trace::Timeline &T, trace::Window Part,
                 trace::OverheadKind Kind = trace::OverheadKind::QueueFull);

/// Sums over the steps that count; times in ns.
struct Steady {
  size_t Count = 0;
  trace::Window Host{0, 0}, Gpu{0, 0};
  int64_t HostTime = 0; ///< Length of the host's window.
  int64_t Span = 0;     ///< Length of the GPU's, summed over devices in use.
  int64_t Busy = 0;     ///< With Gaps it sums up to Span.
  std::vector<CauseTotal> Gaps;    ///< By Cause.
  std::vector<CauseTotal> Reasons; ///< By GapCauses::Reasons.
  int64_t Waited = 0;              ///< Sum of WaitOf.
  BlockedCalls Blocked;            ///< In the host's window.
  std::vector<int64_t> WaitOf;     ///< Part of each wait.
  std::vector<int64_t> ExposedOf;  ///< Part of each wait's exposed stall.
  Utilization Used;                ///< What the GPU did in its window.
  Regime Limit = Regime::Between;

  int64_t exposed() const { return Gaps[unsigned(Cause::ExposedWait)].Total; }
  /// Idle time in which the GPU had nothing queued.
  int64_t starved() const;
  /// Idle time before operations that were queued already: the GPU's own.
  int64_t pauses() const;
  /// Idle time before operations that were queued and started late.
  int64_t late() const { return Gaps[unsigned(Cause::QueuedLate)].Total; }
};

/// nullopt without steps, or without GPU work in them.
std::optional<Steady> findSteady(const trace::Timeline &T, const Steps &S,
                                 const std::vector<Wait> &Waits,
                                 const Idling &I);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_RESULT_STEADY_H
