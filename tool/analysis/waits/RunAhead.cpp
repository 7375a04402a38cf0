// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/waits/RunAhead.h"

#include "analysis/common/Unlaunched.h"

#include <algorithm>
#include <deque>

using namespace autoprof::analysis;
using autoprof::trace::GpuOps;
using autoprof::trace::HostEvents;
using autoprof::trace::Timeline;

namespace {

/// The operations of one launch that went to one stream.
struct Batch {
  int64_t Returned, Start, End, Busy;
  uint32_t Launch; ///< None: one operation, queued before the recording began.
};

/// One stream's queue, first in, first out.
struct Pending {
  std::deque<Batch> Batches;
  int64_t Busy = 0; ///< Sum over Batches.

  void push(const Batch &B) {
    Busy += B.Busy;
    if (Batches.empty() || Batches.back().Launch != B.Launch ||
        B.Launch == autoprof::trace::None) {
      Batches.push_back(B);
      return;
    }
    Batch &Last = Batches.back();
    Last.Start = std::min(Last.Start, B.Start);
    Last.End = std::max(Last.End, B.End);
    Last.Busy += B.Busy;
  }

  void finishUntil(int64_t Time) {
    while (!Batches.empty() && Batches.front().End <= Time) {
      Busy -= Batches.front().Busy;
      Batches.pop_front();
    }
  }

  RunAhead at(int64_t Time) const {
    RunAhead R{uint32_t(Batches.size()), Busy};
    // Calls of other threads may still be in flight.
    for (auto It = Batches.rbegin();
         It != Batches.rend() && It->Returned > Time; ++It) {
      --R.Depth;
      R.Lead -= It->Busy;
    }
    if (R.Depth) {
      const Batch &Front = Batches.front();
      R.Lead -= std::clamp<int64_t>(Time - Front.Start, 0, Front.Busy);
    }
    return R;
  }
};

} // namespace

std::vector<RunAhead>
autoprof::analysis::sampleRunAhead(const Timeline &T,
                                   const std::vector<RunAheadQuery> &Queries) {
  const GpuOps &O = T.Ops;
  const HostEvents &H = T.Host;
  std::vector<Pending> Streams(T.Queues.size());
  std::vector<RunAhead> Result;
  Result.reserve(Queries.size());
  for (uint32_t Op : findUnlaunched(T).Before)
    Streams[O.Queue[Op]].push({INT64_MIN, O.Start[Op], O.End[Op],
                               O.End[Op] - O.Start[Op], autoprof::trace::None});
  size_t Next = 0;
  for (const RunAheadQuery &Q : Queries) {
    for (; Next < T.LaunchOrder.size(); ++Next) {
      uint32_t Op = T.LaunchOrder[Next], Launch = O.Launch[Op];
      if (H.Start[Launch] >= Q.Time)
        break;
      Streams[O.Queue[Op]].push({H.End[Launch], O.Start[Op], O.End[Op],
                                 O.End[Op] - O.Start[Op], Launch});
    }
    RunAhead Sum;
    for (size_t S = 0; S < Streams.size(); ++S) {
      if (T.Queues[S].Device != Q.Device)
        continue;
      Streams[S].finishUntil(Q.Time);
      RunAhead One = Streams[S].at(Q.Time);
      Sum.Depth += One.Depth;
      Sum.Lead = std::max(Sum.Lead, One.Lead);
    }
    Result.push_back(Sum);
  }
  return Result;
}
