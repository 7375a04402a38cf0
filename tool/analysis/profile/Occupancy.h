// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How full a kernel makes the GPU, estimated from its launch configuration
// (docs/reports-reference.md, "SM efficiency and occupancy"). The estimates do
// not know how evenly blocks finish, nor what other kernels run at the same
// time.
#pragma once

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

/// Both from 0 to 1.
struct LaunchFit {
  double SmEfficiency = 0;
  std::optional<double> Occupancy; ///< nullopt: limits are not known.
};

/// nullopt if the trace lacks the launch configuration or the number of the
/// device's multiprocessors.
std::optional<LaunchFit> fitOf(const trace::LaunchShape &S,
                               const trace::Device &D);

/// The fit of each kernel, computed once for each sort and device.
class LaunchFits {
  const trace::Timeline &T;
  std::vector<uint32_t> DeviceOfQueue;        ///< Into Timeline::Devices.
  std::vector<std::optional<LaunchFit>> Fits; ///< By device, then stage.

public:
  explicit LaunchFits(const trace::Timeline &T);
  /// nullopt if it is not a kernel, or if nothing is known.
  const std::optional<LaunchFit> &of(uint32_t Op) const;
  /// The device that an operation ran on, into Timeline::Devices.
  uint32_t device(uint32_t Op) const { return DeviceOfQueue[T.Ops.Queue[Op]]; }
};

} // namespace autoprof::analysis
