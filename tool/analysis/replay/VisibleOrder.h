// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operation of another stream an operation waited for, where the
// recording shows it. CUPTI's record of cudaStreamWaitEvent names the stream
// that waits, but not the event.
#ifndef AUTOPROF_ANALYSIS_REPLAY_VISIBLEORDER_H
#define AUTOPROF_ANALYSIS_REPLAY_VISIBLEORDER_H

#include "trace/timeline/Timeline.h"

#include <vector>

namespace autoprof::analysis {

/// For each operation: one of another stream that it waited for, or None. It is
/// the first of its stream after a cudaStreamWaitEvent, began after its launch
/// had returned and at most 12 us after the end of that operation, for which
/// its own stream had been idle. The operation may have ended before the launch
/// began: then the wait took no time, but it would if the launch came earlier.
std::vector<uint32_t> findVisibleOrder(const trace::Timeline &T);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_REPLAY_VISIBLEORDER_H
