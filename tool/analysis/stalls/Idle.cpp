// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/stalls/Idle.h"

#include "analysis/common/Windows.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof::analysis;
using namespace autoprof;
using autoprof::trace::None;
using autoprof::trace::Timeline;

int64_t DeviceActivity::unknownIn(int64_t From, int64_t To) const {
  int64_t Sum = 0;
  for (const Gap &G : Unknown)
    Sum += overlap({G.Start, G.End}, From, To);
  return Sum;
}

std::vector<uint32_t> autoprof::analysis::rowsOfQueues(const Timeline &T) {
  std::vector<uint32_t> Rows;
  for (const trace::Queue &Q : T.Queues)
    Rows.push_back(uint32_t(llvm::find_if(T.Devices,
                                          [&](const trace::Device &D) {
                                            return D.Id == Q.Device;
                                          }) -
                            T.Devices.begin()));
  return Rows;
}

std::vector<DeviceActivity>
autoprof::analysis::findActivity(const Timeline &T) {
  std::vector<DeviceActivity> Result;
  for (const trace::Device &D : T.Devices)
    Result.emplace_back().Device = D.Id;
  const std::vector<uint32_t> RowOfQueue = rowsOfQueues(T);
  std::vector<uint32_t> LatestOp(Result.size(), None);
  const trace::GpuOps &O = T.Ops;
  for (uint32_t I = 0; I < O.size(); ++I) {
    uint32_t Row = RowOfQueue[O.Queue[I]];
    DeviceActivity &A = Result[Row];
    if (!A.Ops++)
      A.First = A.Last = O.Start[I];
    if (O.Start[I] > A.Last)
      (T.Recorded.missing(A.Last, O.Start[I]) ? A.Unknown : A.Gaps)
          .push_back({A.Last, O.Start[I], LatestOp[Row], I});
    A.Busy += std::max<int64_t>(0, O.End[I] - std::max(A.Last, O.Start[I]));
    if (O.End[I] >= A.Last) {
      A.Last = O.End[I];
      LatestOp[Row] = I;
    }
  }
  for (DeviceActivity &A : Result)
    A.Gaps.shrink_to_fit();
  return Result;
}

bool autoprof::analysis::wasQueued(const Timeline &T, const Gap &G) {
  uint32_t Launch = T.Ops.Launch[G.Next];
  if (Launch == None)
    return false;
  // A synchronous copy's call continues long after it has queued the copy.
  // Queuing takes no longer than this (measured: 1 to 9 us).
  constexpr int64_t QueueTime = 10'000;
  int64_t Queued = T.Host.End[Launch];
  if (T.Stages[T.Ops.Stage[G.Next]].Kind != trace::OpKind::Kernel)
    Queued = std::min(Queued, T.Host.Start[Launch] + QueueTime);
  return Queued <= G.Start;
}
