// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The usual tables: what the GPU did, by name; what the host did, by name; who
// holds the device's memory. Times in ns.
#pragma once

#include "analysis/common/Names.h"
#include "analysis/steps/Steps.h"
#include "analysis/waits/Attribution.h"
#include "analysis/waits/Waits.h"
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
  /// Mean over the time they ran (see smEfficiency()); nullopt if it is not
  /// known of each of them.
  std::optional<double> SmEfficiency;

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
                                const trace::Window &Steps);

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

/// A framework's operators of one name, as key_averages() of torch.profiler
/// sums them. A run directly inside one of the same name is part of it.
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

/// Allocations of one place in the source; of calls without one, by name.
struct MemoryHolder {
  uint32_t Site = trace::None; ///< Into Timeline::Sites.
  std::string Call;            ///< "": not known.
  uint64_t Count = 0, Bytes = 0;
};

/// Device memory over time, and who holds it: from the records of allocations
/// and releases, where they were recorded ('autoprof run --memory'). It counts
/// what the program requested, of the kinds that are on the device. Not
/// counted: managed and pinned memory, what the driver uses for contexts and
/// code, and free memory that a pool keeps.
struct DeviceMemory {
  uint32_t Device = 0;
  uint64_t Allocations = 0, Releases = 0;
  /// Releases of what was allocated before the recording began, or whose
  /// allocation was lost: then all sums are too small.
  uint64_t Unmatched = 0;
  uint64_t PeakBytes = 0;
  int64_t PeakTime = 0; ///< ns
  /// The step, from 1, that the peak lies in.
  std::optional<size_t> PeakStep;
  std::vector<MemoryHolder> AtPeak;   ///< By bytes, descending.
  std::vector<MemoryHolder> NotFreed; ///< At the end; likewise.
  /// Bytes from each time (ns) on; at most 2,000 points: if there were more
  /// changes, each point is the maximum of its share of the time.
  std::vector<std::pair<int64_t, uint64_t>> Curve;
};

/// One for each device with allocations, by its number.
std::vector<DeviceMemory> findDeviceMemory(const trace::Timeline &T,
                                           const Attribution &A,
                                           const Steps &S);

} // namespace autoprof::analysis
