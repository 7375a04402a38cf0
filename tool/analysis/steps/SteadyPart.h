// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a program without steps runs steadily: between start-up and tear-down.
// A process imports, loads code, and tries algorithms with little work for the
// GPU and long pauses, which would dominate a report.
#pragma once

#include "trace/timeline/Timeline.h"

#include <optional>

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
