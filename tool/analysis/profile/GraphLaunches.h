// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches of CUDA graphs, and what was recorded of them: one operation for all
// of a graph, or its nodes. The latter makes launches several times as
// expensive, in proportion to the nodes.
#ifndef AUTOPROF_ANALYSIS_PROFILE_GRAPHLAUNCHES_H
#define AUTOPROF_ANALYSIS_PROFILE_GRAPHLAUNCHES_H

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

struct GraphLaunches {
  size_t Whole = 0;  ///< Recorded as one operation each.
  size_t ByNode = 0; ///< Recorded node by node.
};

/// Of those that the host began at `From` (ns) or later.
GraphLaunches findGraphLaunches(const trace::Timeline &T, int64_t From);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_PROFILE_GRAPHLAUNCHES_H
