// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When each device was busy and when it was idle: always the union over all
// its streams, never a sum of per-stream times.
#pragma once

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

/// Time between two operations in which no operation of the device ran.
struct Gap {
  int64_t Start, End;
  uint32_t Previous, Next; ///< Into GpuOps: what ended and what began it.
};

struct DeviceActivity {
  uint32_t Device = 0;
  uint32_t Ops = 0;
  int64_t First = 0, Last = 0; ///< Start of the first, end of the last op.
  int64_t Busy = 0;            ///< ns in which at least one operation ran.
  std::vector<Gap> Gaps;       ///< In order; with Busy they sum up to span().
  /// Gaps of which a part was not recorded: it is unknown whether the device
  /// was idle.
  std::vector<Gap> Unknown;

  int64_t span() const { return Last - First - unknownIn(First, Last); }
  /// ns of Unknown from From to To.
  int64_t unknownIn(int64_t From, int64_t To) const;
};

/// For each of Timeline::Queues: the index of its device in Timeline::Devices.
std::vector<uint32_t> rowsOfQueues(const trace::Timeline &T);

/// One row for each of Timeline::Devices.
std::vector<DeviceActivity> findActivity(const trace::Timeline &T);

/// Whether the GPU had its next operation when the gap began. Then the gap is
/// the GPU's own pause, and no host thread could have shortened it.
bool wasQueued(const trace::Timeline &T, const Gap &G);

} // namespace autoprof::analysis
