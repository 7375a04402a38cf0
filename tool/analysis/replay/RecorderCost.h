// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What full recording adds to the calls of the program.
#ifndef AUTOPROF_ANALYSIS_REPLAY_RECORDERCOST_H
#define AUTOPROF_ANALYSIS_REPLAY_RECORDERCOST_H

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

/// What full recording adds to a call that queues work, and to any other, ns on
/// the launching thread.
struct RecorderCost {
  int64_t Launch = 0, Call = 0;
  /// What launching a graph takes if it is not recorded, however many nodes it
  /// has. Everything beyond is due to the recorder, which takes longer for each
  /// node. 0: nothing is subtracted.
  int64_t GraphLaunch = 0;
};

/// The least and the most that full recording added on machines with an H200
/// (docs/performance.md, "A launch"): they differ by more than a factor of
/// three. The fallback where the recording's machine was not measured.
constexpr RecorderCost LeastAdded{930, 500, 4'600},
    MostAdded{3'290, 1'090, 2'300};

struct RecorderCostRange {
  RecorderCost Least = LeastAdded, Most = MostAdded;
  bool Measured = false; ///< On this recording's machine.
};

/// What was measured on the recording's machine, widened by how much such a
/// measurement differs from the cost of the program's own calls; else the
/// built-in range.
RecorderCostRange recorderCost(const trace::Timeline &T);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_REPLAY_RECORDERCOST_H
