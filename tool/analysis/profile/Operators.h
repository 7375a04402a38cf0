// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A framework's operators by name, as key_averages() of torch.profiler sums
// them. A run directly inside one of the same name is part of it.
#ifndef AUTOPROF_ANALYSIS_PROFILE_OPERATORS_H
#define AUTOPROF_ANALYSIS_PROFILE_OPERATORS_H

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

/// Times in ns.
struct OperatorSums {
  uint64_t Count = 0;
  int64_t Cpu = 0;     ///< From their begins to their ends.
  int64_t SelfCpu = 0; ///< Outside of operators and calls of CUDA inside.
  /// Durations of the GPU operations that their thread launched in them;
  /// concurrent ones count twice.
  int64_t Gpu = 0;
  int64_t SelfGpu = 0; ///< Launched in no operator inside.
  /// What the framework's allocator gave in them, less what it took back.
  int64_t CpuBytes = 0, SelfCpuBytes = 0, GpuBytes = 0, SelfGpuBytes = 0;

  void add(const OperatorSums &B);
};

struct OperatorRow {
  std::string Name;
  OperatorSums All;
  /// By the shapes of their inputs, "[[64, 128], []]", or "": not known; by
  /// CPU time. One at least.
  std::vector<std::pair<std::string, OperatorSums>> ByShapes;
};

/// By GPU time of their own, then by CPU time of their own. Empty if the trace
/// has no operators.
std::vector<OperatorRow> sumOperators(const trace::Timeline &T);

/// Whether the trace has what the framework's allocator did.
bool hasTensorMemory(const trace::Timeline &T);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_PROFILE_OPERATORS_H
