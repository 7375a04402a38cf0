// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why the GPU was idle: one cause for each gap.
#ifndef AUTOPROF_ANALYSIS_GAPS_H
#define AUTOPROF_ANALYSIS_GAPS_H

#include "analysis/Exposed.h"

namespace autoprof::analysis {

/// In order of precedence.
enum class Cause : uint8_t {
  ExposedWait, ///< The exposed stall of a wait.
  QueueFull,   ///< The next launch was blocked by a full command buffer.
  ModuleLoad,  ///< The next launch loaded a module or a function first.
  Profiler,    ///< The recorder itself held up the next launch.
  HostBusy,    ///< The launching thread was outside CUDA calls.
  LaunchBound, ///< The launching thread was inside CUDA calls: launching
               ///< takes longer than the work launched.
  InterStream, ///< The next operation was queued and waited for another stream.
  BackToBack,  ///< The GPU's own pause between two queued operations.
  Unknown      ///< The next operation's launch is not in the trace.
};
constexpr unsigned NumCauses = unsigned(Cause::Unknown) + 1;

/// "exposed_wait", "queue_full", ...
llvm::StringRef name(Cause C);

struct CauseTotal {
  uint32_t Count = 0;
  int64_t Total = 0; ///< ns
};

/// The cause of each gap of each device, in the order of Activity.
using GapCauses = std::vector<std::vector<Cause>>;
GapCauses explainGaps(const trace::Timeline &T, const Attribution &A,
                      const std::vector<DeviceActivity> &Activity,
                      const Exposure &E);

/// Totals for each cause over all devices, of what lies between From and To
/// (ns).
std::vector<CauseTotal> sumGaps(const std::vector<DeviceActivity> &Activity,
                                const GapCauses &Causes, int64_t From,
                                int64_t To);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_GAPS_H
