// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of the GPU's work lies in a part of a recording.
#pragma once

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

/// ns of computation launched before, during, and after a part of the host's
/// time. Of a recording without kernels: of transfers.
struct GpuWork {
  int64_t Before = 0, Inside = 0, After = 0;
  size_t OpsInside = 0, OpsOutside = 0;

  GpuWork(const trace::Timeline &T, int64_t From, int64_t To);

  /// Before, if the part has so many repetitions that it may be what the
  /// program does after its start; else 0. Programs start by compiling and by
  /// trying algorithms: the GPU works for long, but is mostly idle.
  int64_t ofStart(size_t Repetitions) const;

private:
  int64_t Time; ///< ns before the part, from the first launch on.
};

} // namespace autoprof::analysis
