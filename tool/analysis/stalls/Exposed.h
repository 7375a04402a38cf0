// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What waits cost. A wait is followed by idle time of the GPU from the last
// operation finished by the waiting call's return to the start of the next
// operation whose launching call began after that return. The exposed stall is
// the part of this time that the wait causes: at most as long as the call held
// up the host. If the call had taken no time, everything after it on its
// thread, including the next launch, would have come earlier by at most that
// much. For the rest, the GPU would have been idle anyway, because the host was
// busy or launching is slow. So a wait of a microsecond in a slow loop has an
// exposed stall of microseconds, however long the GPU is idle after it.
//
// A wait after which the GPU stays busy has an exposed stall of 0: it costs
// nothing. Pauses before operations that were already queued when the pause
// began are the GPU's own and do not count.
#ifndef AUTOPROF_ANALYSIS_STALLS_EXPOSED_H
#define AUTOPROF_ANALYSIS_STALLS_EXPOSED_H

#include "analysis/stalls/Idle.h"
#include "analysis/waits/Waits.h"

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

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_STALLS_EXPOSED_H
