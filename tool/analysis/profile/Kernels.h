// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPU operations by name: the usual table of kernels.
#ifndef AUTOPROF_ANALYSIS_PROFILE_KERNELS_H
#define AUTOPROF_ANALYSIS_PROFILE_KERNELS_H

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

/// Operations of one name; durations in ns.
struct KernelRow {
  std::string Name; ///< Demangled, in full.
  trace::OpKind Kind = trace::OpKind::Other;
  uint64_t Count = 0;
  int64_t Total = 0, Min = 0, Max = 0;
  uint64_t StepCount = 0; ///< Those that ended in the steps that count.
  int64_t StepTotal = 0;
  /// How full they make the GPU, means over the time they ran (Occupancy.h);
  /// nullopt if the trace does not have it for each of them.
  std::optional<double> SmEfficiency, Occupancy;

  int64_t mean() const { return Count ? Total / int64_t(Count) : 0; }
};

/// By total, descending. `Steps`: the GPU's window of the steps that count;
/// empty if there are none.
std::vector<KernelRow> sumKernels(const trace::Timeline &T,
                                  const trace::Window &Steps);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_PROFILE_KERNELS_H
