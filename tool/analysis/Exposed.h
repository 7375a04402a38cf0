// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What waits cost: GPU-idle time from the last operation finished by the
// waiting call's return to the start of the next operation whose launching
// call began after that return. A wait behind which the GPU stays busy has an
// exposed stall of 0: it costs nothing. Pauses before operations that were
// already queued when the pause began are the GPU's own and do not count.
#ifndef AUTOPROF_ANALYSIS_EXPOSED_H
#define AUTOPROF_ANALYSIS_EXPOSED_H

#include "analysis/Idle.h"
#include "analysis/Waits.h"

namespace autoprof::analysis {

struct Exposure {
  /// ns, one for each wait. A gap that several waits touch is given once, to
  /// the wait whose call returned first, so that these sum up to real time.
  std::vector<int64_t> OfWait;
  /// For each device (as in Activity) and gap: the wait it was given to, or
  /// trace::None.
  std::vector<std::vector<uint32_t>> WaitOfGap;
};

Exposure findExposure(const trace::Timeline &T, const std::vector<Wait> &Waits,
                      const std::vector<DeviceActivity> &Activity);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_EXPOSED_H
