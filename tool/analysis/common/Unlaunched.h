// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations whose launch is not in the recording. Where a recording begins
// while the program runs, the GPU still works on what was queued before.
#ifndef AUTOPROF_ANALYSIS_COMMON_UNLAUNCHED_H
#define AUTOPROF_ANALYSIS_COMMON_UNLAUNCHED_H

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

struct Unlaunched {
  uint64_t Count = 0; ///< All of them.
  /// Into GpuOps, by start: those before the first operation with a launch on
  /// their stream. A stream works in order, so they were queued before that
  /// launch. The others may have lost their launch anywhere.
  std::vector<uint32_t> Before;
};

Unlaunched findUnlaunched(const trace::Timeline &T);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_COMMON_UNLAUNCHED_H
