// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long calls could not return because the GPU's command queue was full.
// That is no wait for certain work: any operation that finishes makes room.
#ifndef AUTOPROF_ANALYSIS_WAITS_BLOCKEDCALLS_H
#define AUTOPROF_ANALYSIS_WAITS_BLOCKEDCALLS_H

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

struct BlockedCalls {
  uint64_t Count = 0; ///< Of the profiler's records.
  /// ns in which at least one call was blocked.
  int64_t Time = 0;
};

/// From CUPTI's overhead records that overlap `Part`. None of them: no call was
/// blocked, or the profiler does not record it.
BlockedCalls findBlockedCalls(const trace::Timeline &T, trace::Window Part);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_WAITS_BLOCKEDCALLS_H
