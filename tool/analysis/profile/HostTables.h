// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host did, by name: API calls, and ranges with the GPU work that
// was launched in them. Times in ns.
#ifndef AUTOPROF_ANALYSIS_PROFILE_HOSTTABLES_H
#define AUTOPROF_ANALYSIS_PROFILE_HOSTTABLES_H

#include "analysis/common/WorkOwners.h"
#include "analysis/waits/Waits.h"

namespace autoprof::analysis {

/// API calls of one name.
struct CallRow {
  std::string Name;
  uint64_t Count = 0;
  int64_t Total = 0; ///< Nested calls included.
  int64_t Self = 0;  ///< Without nested calls.
  int64_t Wait = 0;
};

/// By total, descending.
std::vector<CallRow> sumCalls(const trace::Timeline &T,
                              const std::vector<Wait> &Waits);

/// A function, a loop's iterations, or NVTX ranges of one name.
struct RangeRow {
  uint32_t Site = trace::None;
  std::string Name;
  uint64_t Count = 0; ///< Runs, or iterations; those of a recursion, too.
  /// Of a recursion, only the outermost runs are in the totals.
  int64_t Total = 0;
  int64_t Self = 0; ///< Without ranges inside.
  int64_t Median = 0;
  /// Durations of the GPU operations launched inside, summed; concurrent ones
  /// count twice. A thread's helpers launch for it; in a range that lies on no
  /// thread (nvtxRangeStart) any thread may launch.
  int64_t Gpu = 0;
  int64_t GpuSelf = 0; ///< Launched in no range inside.
  /// Of all runs that began in the steps that count.
  uint64_t StepCount = 0;
  int64_t StepTotal = 0;
};

/// By total, descending. `Steps`: the host's window of the steps that count;
/// empty if there are none.
std::vector<RangeRow> sumRanges(const trace::Timeline &T,
                                const WorkOwners &Owners,
                                const trace::Window &Steps);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_PROFILE_HOSTTABLES_H
