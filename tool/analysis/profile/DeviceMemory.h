// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory over time, and who holds it: from the records of allocations
// and releases, where they were recorded ('autoprof run --memory').
//
// It counts what the program requested, of the kinds that are on the device.
// Not counted: managed and pinned memory, what the driver uses for contexts and
// code, and free memory that a pool keeps.
#ifndef AUTOPROF_ANALYSIS_PROFILE_DEVICEMEMORY_H
#define AUTOPROF_ANALYSIS_PROFILE_DEVICEMEMORY_H

#include "analysis/steps/Steps.h"
#include "analysis/waits/Attribution.h"

namespace autoprof::analysis {

/// Allocations of one place in the source; of calls without one, by name.
struct MemoryHolder {
  uint32_t Site = trace::None; ///< Into Timeline::Sites.
  std::string Call;            ///< "": not known.
  uint64_t Count = 0, Bytes = 0;
};

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

#endif // AUTOPROF_ANALYSIS_PROFILE_DEVICEMEMORY_H
