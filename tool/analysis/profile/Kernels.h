// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPU operations by name: the usual table of kernels. Copies and sets by what
// they move between. Launches of graphs.
#ifndef AUTOPROF_ANALYSIS_PROFILE_KERNELS_H
#define AUTOPROF_ANALYSIS_PROFILE_KERNELS_H

#include "analysis/common/Names.h"
#include "trace/timeline/Timeline.h"

#include <optional>

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

/// Copies of one direction and pair of memory kinds, or sets of one kind.
struct MemoryRow {
  trace::OpKind Kind = trace::OpKind::Copy;
  trace::Direction Dir = trace::Direction::Unknown;
  trace::MemoryKind Source = trace::MemoryKind::Unknown;
  trace::MemoryKind Destination = trace::MemoryKind::Unknown;
  uint64_t Count = 0, Bytes = 0, LargestBytes = 0;
  int64_t Total = 0, Min = 0, Max = 0; ///< ns, durations on the GPU.

  int64_t mean() const { return Count ? Total / int64_t(Count) : 0; }
  /// Bytes per second while they ran; nullopt if bytes or time are 0.
  std::optional<double> rate() const;
};

/// By total, descending.
std::vector<MemoryRow> sumMemory(const trace::Timeline &T);

inline llvm::StringRef name(trace::Direction D) {
  return nth(D, {"unknown", "HtoD", "DtoH", "DtoD", "HtoH", "PtoP"});
}
inline llvm::StringRef name(trace::MemoryKind M) {
  return nth(M, {"unknown", "pageable", "pinned", "device", "managed"});
}

/// Launches of CUDA graphs, and what was recorded of them: one operation for
/// all of a graph, or its nodes. The latter makes launches several times as
/// expensive, in proportion to the nodes.
struct GraphLaunches {
  size_t Whole = 0;  ///< Recorded as one operation each.
  size_t ByNode = 0; ///< Recorded node by node.
};

/// Of those that the host began at `From` (ns) or later.
GraphLaunches findGraphLaunches(const trace::Timeline &T, int64_t From);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_PROFILE_KERNELS_H
