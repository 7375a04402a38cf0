// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/waits/Waits.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

BlockedCalls autoprof::analysis::findBlockedCalls(const Timeline &T,
                                                  trace::Window Part) {
  BlockedCalls Result;
  int64_t Done = Part.Start;
  for (const trace::Overhead &O : T.Overheads) { // Sorted by start.
    if (O.Kind != trace::OverheadKind::QueueFull || O.End <= Part.Start ||
        O.Start >= Part.End)
      continue;
    ++Result.Count;
    // Threads may be blocked at the same time.
    const int64_t From = std::max(Done, O.Start),
                  To = std::min(O.End, Part.End);
    Result.Time += std::max<int64_t>(0, To - From);
    Done = std::max(Done, To);
  }
  return Result;
}
