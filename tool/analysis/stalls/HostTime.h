// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each host thread was doing at each moment: the innermost range it was in
// (for a helper: the range of its owner), and the outermost API call. Time is
// cut into segments in which these stay the same. Every moment of a thread from
// its first slice to its last belongs to one segment.
#ifndef AUTOPROF_ANALYSIS_STALLS_HOSTTIME_H
#define AUTOPROF_ANALYSIS_STALLS_HOSTTIME_H

#include "analysis/common/WorkOwners.h"
#include "analysis/waits/Attribution.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace autoprof::analysis {

struct HostSegment {
  uint32_t Thread;
  int64_t From, To; ///< ns; not empty.
  /// Into HostEvents: the innermost range around it, or None.
  uint32_t Range;
  /// Into HostEvents: the outermost call, or None: outside of calls.
  uint32_t Call;
};

/// Calls `Use` for each segment; those of one thread come in order. Lanes of
/// user's ranges (Thread::IsLane) are not threads and have none.
void forEachHostSegment(const trace::Timeline &T, const Attribution &A,
                        const WorkOwners &Owners,
                        llvm::function_ref<void(const HostSegment &)> Use);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_STALLS_HOSTTIME_H
