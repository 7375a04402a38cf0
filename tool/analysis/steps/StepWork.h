// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which GPU work belongs to each run of a range that is a step.
#ifndef AUTOPROF_ANALYSIS_STEPS_STEPWORK_H
#define AUTOPROF_ANALYSIS_STEPS_STEPWORK_H

#include "trace/timeline/Timeline.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace autoprof::analysis {

/// The operation (into GpuOps) that ended last among those launched by each
/// run; None if a run launched nothing. `Works`: by thread, whether it launches
/// work for the runs.
std::vector<uint32_t> lastOps(const trace::Timeline &T,
                              llvm::ArrayRef<trace::Window> Runs,
                              const std::vector<bool> &Works);

/// Removes the few runs that call nothing of the GPU's, such as an iteration
/// after the last one that only prints its result: they are no steps, and have
/// no time on the GPU's clock. Returns how many; 0, and all stay, if they are a
/// tenth of all or more.
size_t dropEmptyRuns(const trace::Timeline &T, std::vector<trace::Window> &Runs,
                     const std::vector<bool> &Works);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_STEPS_STEPWORK_H
