// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU's side of a replay: when operations start and end on their streams.
// Player.cpp has the host's side, the calls that launch them and wait.
#include "analysis/replay/Player.h"

#include "analysis/transfers/Transfers.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;

int64_t Player::Streams::latest(const std::vector<uint32_t> &Group) const {
  int64_t Result = Never;
  for (uint32_t S : Group)
    Result = std::max(Result, End[S]);
  return Result;
}

/// The predecessor of an operation on this stream: the last one of the streams
/// that are ordered with it.
const Player::Predecessor &Player::predecessor(uint32_t Queue) const {
  uint32_t Last = Queue;
  for (uint32_t Q : Ordered[Queue])
    if (Replayed.End[Q] > Replayed.End[Last])
      Last = Q;
  return Predecessors[Last];
}

/// By how much the pause before an operation grows if more of them are queued
/// when it is launched than there were: not at all, or as much as was measured.
int64_t Player::longerPause(uint32_t Op, uint32_t Call, int64_t Begin) const {
  if (Assumed.ShortPauses || T.Stages[O.Stage[Op]].Kind == trace::OpKind::Copy)
    return 0;
  uint32_t Queue = O.Queue[Op], Was = WasQueued[Queue].after(H.Start[Call]),
           Is = IsQueued[Queue].after(Begin);
  return std::max<int64_t>(0, Pauses::longerWith(Is) - Pauses::longerWith(Was));
}

/// The time of a copy from or to pinned memory: no longer than it took.
int64_t Player::pinnedTime(uint32_t Op) const {
  const trace::Stage &S = T.Stages[O.Stage[Op]];
  const PinnedCopies::Estimate E = R.Pinned->of(S.Dir, S.Bytes);
  return std::min(Assumed.FastCalls ? E.Short : E.Long,
                  O.End[Op] - O.Start[Op]);
}

int64_t Player::startOf(uint32_t Op, uint32_t Call, int64_t Begin) const {
  uint32_t Q = O.Queue[Op];
  const Predecessor &Last = predecessor(Q);
  int64_t Launched = H.Start[Call], Start = O.Start[Op];
  const int64_t RecordedStart =
      std::max(Recorded.latest(Ordered[Q]), Recorded.Barrier[Q]);
  int64_t FromLaunch = Start - Launched, FromPrevious = FromLaunch;
  const bool WasQueued = RecordedStart > Launched;
  if (WasQueued) {
    // How long the launch itself took to arrive is not seen.
    FromPrevious = Start - RecordedStart + longerPause(Op, Call, Begin);
    FromLaunch = std::min(FromLaunch, R.LaunchLatency);
  }
  if (isPinned()) // Nothing has to be staged before.
    FromLaunch = std::min(FromLaunch, R.LaunchLatency);
  // How much of what recording adds comes before the launch gets to the GPU is
  // not known.
  if (isWholeGraph(Op) && Assumed.Added.GraphLaunch)
    FromLaunch = Assumed.FastCalls
                     ? std::min(FromLaunch, Replay::UsualLaunchLatency)
                     : 0;
  else if (!Assumed.FastCalls)
    FromLaunch = std::max<int64_t>(0, FromLaunch - recorderIn(Call, true));
  if (Last.Op != None && (!WasQueued || Last.IsDropped || isPinned())) {
    auto Kind = [this](uint32_t Op) { return T.Stages[O.Stage[Op]].Kind; };
    Succession Pair{changesEngine(Kind(Last.Op), Kind(Op)),
                    Events - Last.Events};
    Pauses::Range Pause = R.TypicalPauses->of(Pair);
    FromPrevious = Assumed.ShortPauses ? Pause.Short : Pause.Long;
    // It was not longer than this.
    if (RecordedStart != Never)
      FromPrevious = std::min(FromPrevious, Start - RecordedStart);
  }
  // Recording lengthens pauses between kernels, in some programs from nothing
  // (docs/runtime.md, "The calibration").
  if (Assumed.Added.Launch && Assumed.ShortPauses && Last.Op != None &&
      T.Stages[O.Stage[Op]].Kind != trace::OpKind::Copy &&
      T.Stages[O.Stage[Last.Op]].Kind != trace::OpKind::Copy)
    FromPrevious = 0;
  int64_t Result = Begin + FromLaunch;
  if (isApart(Op))
    if (const auto It = KernelEnd.find(T.Queues[Q].Device);
        It != KernelEnd.end())
      Result = std::max(Result, It->second);
  const int64_t Now =
      std::max(Replayed.latest(Ordered[Q]), Replayed.Barrier[Q]);
  return Now == Never ? Result : std::max(Result, Now + FromPrevious);
}

/// They take no time after their predecessors.
void Player::dropOps(size_t First, int64_t Begin) {
  for (size_t I = First; I < NextOp; ++I) {
    uint32_t Op = T.LaunchOrder[I], Q = O.Queue[Op];
    int64_t Done = Replayed.latest(Ordered[Q]);
    OpEnd[Op] = Done == Never ? Begin : Done;
    Played[Q].push_back(Op);
    Recorded.End[Q] = std::max(Recorded.End[Q], O.End[Op]);
    for (uint32_t Other : Ordered[Q])
      Predecessors[Other].IsDropped = true;
  }
}

/// What was launched before the recording, or the part of it that is replayed,
/// stays where it is.
void Player::playEarlyOps() {
  for (uint32_t Op : R.EarlyOps) {
    const uint32_t Q = O.Queue[Op];
    OpEnd[Op] = O.End[Op];
    Recorded.End[Q] = std::max(Recorded.End[Q], O.End[Op]);
    Replayed.End[Q] = Recorded.End[Q];
    Played[Q].push_back(Op);
    if (O.Launch[Op] == None)
      continue;
    WasQueued[Q].add(O.End[Op]);
    IsQueued[Q].add(O.End[Op]);
    Predecessors[Q] = {Op, 0, false};
  }
  if (R.FromOp != None && O.Launch[R.FromOp] < R.FirstCall)
    OpEnd[R.FromOp] = O.End[R.FromOp];
  NextOp = size_t(llvm::partition_point(T.LaunchOrder,
                                        [this](uint32_t Op) {
                                          return O.Launch[Op] < R.FirstCall;
                                        }) -
                  T.LaunchOrder.begin());
}

/// Operations of one launch (a graph's nodes) keep their distances.
void Player::playOps(size_t First, int64_t Shift) {
  for (size_t I = First; I < NextOp; ++I) {
    uint32_t Op = T.LaunchOrder[I], Q = O.Queue[Op];
    OpEnd[Op] = O.End[Op] + Shift;
    if (isPinned())
      OpEnd[Op] = O.Start[Op] + Shift + pinnedTime(Op);
    Played[Q].push_back(Op);
    Recorded.End[Q] = std::max(Recorded.End[Q], O.End[Op]);
    Replayed.End[Q] = std::max(Replayed.End[Q], OpEnd[Op]);
    if (isApart(Op)) {
      int64_t &Last = KernelEnd[T.Queues[Q].Device];
      Last = std::max(Last, OpEnd[Op]);
    }
    WasQueued[Q].add(Recorded.End[Q]);
    IsQueued[Q].add(Replayed.End[Q]);
    Predecessors[Q] = {Op, Events, false};
  }
}

/// cudaStreamWaitEvent: which earlier work the event covers is not recorded. It
/// may be all that had finished when the next operation of the stream began.
void Player::orderStreams(uint32_t Call) {
  auto It = OrderedBy.find(Call);
  for (uint32_t Q : All)
    if (It == OrderedBy.end() || It->second == Q)
      OrderedSince[Q] = Call;
}

/// The first operation after cudaStreamWaitEvent on its stream.
void Player::orderAfterOthers(uint32_t Op) {
  const uint32_t Q = O.Queue[Op], Call = OrderedSince[Q];
  if (Call == None)
    return;
  OrderedSince[Q] = None;
  for (const std::vector<uint32_t> &Earlier : Played) {
    auto Last = llvm::partition_point(Earlier, [&](uint32_t Other) {
      return (O.Launch[Other] == None || O.Launch[Other] < Call) &&
             O.End[Other] <= O.Start[Op];
    });
    if (Last == Earlier.begin())
      continue;
    --Last;
    Recorded.Barrier[Q] = std::max(Recorded.Barrier[Q], O.End[*Last]);
    Replayed.Barrier[Q] = std::max(Replayed.Barrier[Q], OpEnd[*Last]);
  }
}
