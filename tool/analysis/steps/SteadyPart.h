// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a program without steps runs steadily: between start-up and tear-down.
// A process imports, loads code, and tries algorithms with little work for the
// GPU and long pauses, which would dominate a report.
#ifndef AUTOPROF_ANALYSIS_STEPS_STEADYPART_H
#define AUTOPROF_ANALYSIS_STEPS_STEADYPART_H

#include "trace/timeline/Timeline.h"

#include <optional>

namespace autoprof::analysis {

/// From the last long pause of the GPU by which no more than a tenth of its
/// work was done, to the first long one after which no more than a tenth
/// remains. Long: a fiftieth of the time from the first operation to the last,
/// with all GPUs idle. Work: operations, and the time that they took. nullopt
/// if that leaves out less than a tenth of the time.
std::optional<trace::Window> findSteadyPart(const trace::Timeline &T);

/// Of a file that is cut off: up to the last launch whose GPU work was read,
/// and to the last probe on its thread. Calls, GPU work, and probes are written
/// at different times, so what follows is there only in part. nullopt if the
/// file is complete, or has no such launch.
std::optional<trace::Window> findReadPart(const trace::Timeline &T);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_STEPS_STEADYPART_H
