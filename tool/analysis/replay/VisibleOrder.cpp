// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay/Order.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;
using trace::Timeline;

namespace {

/// ns from the end of an operation to the start of one on another stream that
/// waited for it: twice the median pause between streams
/// (docs/model.md, "Queued, but started late").
constexpr int64_t MostAfter = 12'000;

struct WaitingStream {
  uint32_t Call, Queue;
};

/// The calls of cudaStreamWaitEvent of which a record names the stream.
std::vector<WaitingStream> findWaitingStreams(const Timeline &T) {
  std::vector<WaitingStream> Result;
  for (const trace::SyncRecord &S : T.Syncs)
    if (S.Type == trace::SyncType::StreamWaitEvent && S.Call != None)
      for (uint32_t Q = 0; Q < T.Queues.size(); ++Q)
        if (T.Queues[Q].Stream == S.Stream &&
            (S.Context == None || T.Queues[Q].Context == S.Context))
          Result.push_back({S.Call, Q});
  llvm::sort(Result, [](const WaitingStream &A, const WaitingStream &B) {
    return A.Call < B.Call;
  });
  return Result;
}

/// Of operations by their ends, the last one of another stream that ended
/// before this one began, after the previous one of its own stream, and had
/// been launched before `Call`; or None.
uint32_t precedingOn(const trace::GpuOps &O, const std::vector<uint32_t> &ByEnd,
                     uint32_t Op, int64_t PreviousEnd, uint32_t Call) {
  const auto Last = llvm::partition_point(
      ByEnd, [&](uint32_t Other) { return O.End[Other] <= O.Start[Op]; });
  const int64_t From = std::max(PreviousEnd, O.Start[Op] - MostAfter);
  for (auto It = Last; It != ByEnd.begin();) {
    const uint32_t Earlier = *--It;
    if (O.End[Earlier] <= From)
      break;
    if (O.Queue[Earlier] != O.Queue[Op] && O.Launch[Earlier] != None &&
        O.Launch[Earlier] < Call)
      return Earlier;
  }
  return None;
}

} // namespace

std::vector<uint32_t> autoprof::analysis::findVisibleOrder(const Timeline &T) {
  std::vector<uint32_t> Result(T.Ops.size(), None);
  const std::vector<WaitingStream> Calls = findWaitingStreams(T);
  if (Calls.empty())
    return Result;
  std::vector<uint32_t> ByEnd(T.Ops.size());
  std::iota(ByEnd.begin(), ByEnd.end(), 0);
  llvm::sort(ByEnd, [&T](uint32_t A, uint32_t B) {
    return std::pair(T.Ops.End[A], A) < std::pair(T.Ops.End[B], B);
  });
  // By stream: its latest call of cudaStreamWaitEvent since its last operation,
  // and the end of that operation.
  std::vector<uint32_t> Waiting(T.Queues.size(), None);
  std::vector<int64_t> End(T.Queues.size(),
                           std::numeric_limits<int64_t>::min());
  size_t Next = 0;
  for (uint32_t Op : T.LaunchOrder) {
    const uint32_t Launch = T.Ops.Launch[Op], Q = T.Ops.Queue[Op];
    for (; Next < Calls.size() && Calls[Next].Call < Launch; ++Next)
      Waiting[Calls[Next].Queue] = Calls[Next].Call;
    if (Waiting[Q] != None && T.Ops.Start[Op] > T.Host.End[Launch])
      Result[Op] = precedingOn(T.Ops, ByEnd, Op, End[Q], Waiting[Q]);
    Waiting[Q] = None;
    End[Q] = std::max(End[Q], T.Ops.End[Op]);
  }
  return Result;
}
