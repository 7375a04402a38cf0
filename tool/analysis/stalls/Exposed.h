// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What waits cost. A wait is followed by idle time of the GPU from the last
// operation finished by the waiting call's return to the start of the next
// operation whose launching call began after that return. Of this time the
// exposed stall is what the wait is answerable for: no more than the call held
// the host up. Had the call taken no time at all, all that follows it on its
// thread, and the next launch with it, would have come at most so much earlier,
// and the GPU would have been idle all the same for the rest - because the host
// was busy, or launching is slow. So a wait of a microsecond in a slow loop has
// an exposed stall of microseconds, however long the GPU idles behind it.
//
// A wait behind which the GPU stays busy has an exposed stall of 0: it costs
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
  /// ns, one for each wait. Idle time that several waits touch is given once,
  /// first to the wait whose call returned first, so that these sum up to real
  /// time.
  std::vector<int64_t> OfWait;
  /// For each device (as in Activity): its parts, sorted by gap. Those of one
  /// gap follow each other from its start on.
  std::vector<std::vector<ExposedPart>> Parts;

  /// The parts of one gap.
  llvm::ArrayRef<ExposedPart> of(size_t Device, uint32_t Gap) const;
  /// ns of a gap, from its start on, that waits are answerable for.
  int64_t exposedIn(size_t Device, uint32_t Gap) const;
  /// Gaps of all devices that a wait is answerable for.
  uint64_t countGaps() const;
};

Exposure findExposure(const trace::Timeline &T, const std::vector<Wait> &Waits,
                      const std::vector<DeviceActivity> &Activity);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_STALLS_EXPOSED_H
