// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why the GPU was idle. The part of a gap that waits cause is their exposed
// stall: the first part of the idle time after a wait, at most as long as the
// call held up the host (docs/model.md, "Exposed stall"). A wait after which
// the GPU stays busy has an exposed stall of 0. Pauses before operations that
// were already queued when the pause began are the GPU's own and do not count.
//
// The rest of a gap has one cause: what the launching thread did for most of
// that time. The parts add up to the gap, and with the busy time to the span.
#pragma once

#include "analysis/common/Names.h"
#include "analysis/stalls/Idle.h"
#include "analysis/waits/Waits.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace autoprof::analysis {

/// The part of a gap that is the exposed stall of a wait.
struct ExposedPart {
  uint32_t Gap, Wait; ///< Into DeviceActivity::Gaps; into WaitList::Waits.
  int64_t Length;     ///< ns
};

struct Exposure {
  /// ns, one for each wait. Idle time that several waits touch is counted once,
  /// first for the wait whose call returned first, so that the parts add up to
  /// real time.
  std::vector<int64_t> OfWait;
  /// For each device (as in Activity): its parts, sorted by gap. Those of one
  /// gap follow each other from its start on.
  std::vector<std::vector<ExposedPart>> Parts;

  /// ns of a gap, from its start on, that waits cause.
  int64_t exposedIn(size_t Device, uint32_t Gap) const;
  /// Gaps of all devices of which a wait causes a part.
  uint64_t countGaps() const;
};

Exposure findExposure(const trace::Timeline &T, const std::vector<Wait> &Waits,
                      const std::vector<DeviceActivity> &Activity);

/// After a longer pause than this, an operation that was queued started late,
/// ns: other work held it up, such as another process's (docs/model.md).
constexpr int64_t LongestPause = 20'000;

/// In order of precedence.
enum class Cause : uint8_t {
  ExposedWait, ///< The exposed stall of a wait.
  QueueFull,   ///< The next launch was blocked by a full command buffer.
  ModuleLoad,  ///< The next launch loaded a module or a function first.
  Profiler,    ///< The recorder itself held up the next launch.
  HostBusy,    ///< The launching thread was outside CUDA calls, or in calls
               ///< that queue nothing.
  LaunchBound, ///< The launching thread was inside calls that queue work:
               ///< launching takes longer than the work launched.
  QueuedLate,  ///< The next operation was queued, and started far later than
               ///< a GPU starts one: see LongestPause.
  InterStream, ///< The next operation was queued and waited for another stream.
  BackToBack,  ///< The GPU's own pause between two queued operations.
  Unknown      ///< The next operation's launch is not in the trace.
};
constexpr unsigned NumCauses = unsigned(Cause::Unknown) + 1;

inline llvm::StringRef name(Cause C) {
  return nth(C, {"exposed_wait", "queue_full", "module_load", "profiler",
                 "host_busy", "launch_bound", "queued_late", "inter_stream",
                 "back_to_back", "unknown"});
}

/// Part of a gap that has one cause.
struct GapPart {
  size_t Device; ///< Into the rows of Activity.
  uint32_t Gap;  ///< Into DeviceActivity::Gaps.
  int64_t Start, End;
  Cause Kind;
  uint32_t Wait; ///< Into WaitList::Waits; None: no exposed stall.
};

/// For each device and gap, in the order of Activity: the cause of the part
/// that is not an exposed stall.
using GapCauses = std::vector<std::vector<Cause>>;

/// When the GPUs were idle, and why.
struct Idling {
  std::vector<DeviceActivity> Devices;
  Exposure Stalls;  ///< Of all waits and of the gaps in Devices.
  GapCauses Causes; ///< Of the gaps in Devices.
};

GapCauses explainGaps(const trace::Timeline &T, const Attribution &A,
                      const std::vector<DeviceActivity> &Activity,
                      const Exposure &E);

/// Calls `Use` for each part of each gap, cut to the time between From and To
/// (ns); those of one device come in order.
void forEachGapPart(const Idling &I, int64_t From, int64_t To,
                    llvm::function_ref<void(const GapPart &)> Use);

/// Until when the host's activity matters to a gap whose next operation's
/// launch is known and came after the gap began, ns: the end of that launch.
int64_t launchedBy(const trace::Timeline &T, const Gap &G);

struct CauseTotal {
  uint32_t Count = 0;
  int64_t Total = 0; ///< ns
};

/// Totals by Cause over all devices, of what lies between From and To (ns).
std::vector<CauseTotal> sumGaps(const Idling &I, int64_t From, int64_t To);

} // namespace autoprof::analysis
