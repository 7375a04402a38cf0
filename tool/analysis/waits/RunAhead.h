// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far the CPU is ahead of the GPU at given instants.
#ifndef AUTOPROF_ANALYSIS_WAITS_RUNAHEAD_H
#define AUTOPROF_ANALYSIS_WAITS_RUNAHEAD_H

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

struct RunAheadQuery {
  int64_t Time; ///< ns
  uint32_t Device;
};

struct RunAhead {
  /// Operations whose launching call has returned and which have not finished
  /// (the running one counts), over all streams of the device. All operations
  /// of one launch (a graph's nodes) count as one.
  uint32_t Depth = 0;
  /// ns of GPU work still queued: the rest of the running operation plus the
  /// durations of the others, on the stream where that is longest. (The sum
  /// over streams would count concurrent work twice.)
  int64_t Lead = 0;
};

/// One answer for each query. `Queries` must be sorted by time. Of the
/// operations without a known launch, those count that were queued before the
/// recording began (see Unlaunched.h).
std::vector<RunAhead> sampleRunAhead(const trace::Timeline &T,
                                     const std::vector<RunAheadQuery> &Queries);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_WAITS_RUNAHEAD_H
