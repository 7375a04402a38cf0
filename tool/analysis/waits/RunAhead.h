// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far the CPU is ahead of the GPU: at given instants, and as curves.
#pragma once

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

/// Operations whose launch is not in the recording. Where a recording begins
/// while the program runs, the GPU still works on what was queued before.
struct Unlaunched {
  uint64_t Count = 0; ///< All of them.
  /// Into GpuOps, by start: those before the first operation with a launch on
  /// their stream. A stream works in order, so they were queued before that
  /// launch. The others may have lost their launch anywhere.
  std::vector<uint32_t> Before;
};

Unlaunched findUnlaunched(const trace::Timeline &T);

struct RunAheadQuery {
  int64_t Time; ///< ns
  uint32_t Device;
};

/// An operation counts from the return of its launching call, or from its own
/// start where that is earlier (a synchronous copy, or a kernel that begins
/// before its launch returns), to its end.
struct RunAhead {
  /// Operations (the running one counts), over all streams of the device. All
  /// operations of one launch (a graph's nodes) count as one.
  uint32_t Depth = 0;
  /// ns of GPU work still queued: the rest of the running operation plus the
  /// durations of the others, on the stream where that is longest. (The sum
  /// over streams would count concurrent work twice.)
  int64_t Lead = 0;
  /// Whether an operation is running on that stream, so that the lead falls by
  /// 1 ns each ns.
  bool Falling = false;
};

/// One answer for each query. `Queries` must be sorted by time. Of the
/// operations without a known launch, those count that were queued before the
/// recording began (Unlaunched::Before).
std::vector<RunAhead> sampleRunAhead(const trace::Timeline &T,
                                     const std::vector<RunAheadQuery> &Queries);

/// Valid from Time (ns) to the next point of the curve.
struct RunAheadPoint : RunAhead {
  int64_t Time;
};

struct RunAheadCurve {
  uint32_t Device = 0; ///< Its id.
  /// In order, at most one for each instant. Before the first both are 0.
  std::vector<RunAheadPoint> Points;
};

/// The curve of each device that has work, of what happened from `From` to `To`
/// (ns).
std::vector<RunAheadCurve> findRunAheadCurves(const trace::Timeline &T,
                                              int64_t From, int64_t To);

} // namespace autoprof::analysis
