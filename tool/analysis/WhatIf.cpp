// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/WhatIf.h"

#include "analysis/Statistics.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <future>
#include <limits>
#include <unordered_map>

using namespace autoprof;
using namespace autoprof::analysis;
using llvm::StringRef;
using trace::None;
using trace::SyncType;
using trace::Timeline;

namespace {

constexpr int64_t Never = std::numeric_limits<int64_t>::min();

/// What is known of the streams at one moment, in recorded or replayed time.
struct Clocks {
  std::vector<int64_t> End;     ///< Of each stream's last operation, or Never.
  std::vector<int64_t> Barrier; ///< Later operations start after this.

  explicit Clocks(size_t Streams)
      : End(Streams, Never), Barrier(Streams, Never) {}

  int64_t latest(const std::vector<uint32_t> &Streams) const {
    int64_t Result = Never;
    for (uint32_t S : Streams)
      Result = std::max(Result, End[S]);
    return Result;
  }
};

} // namespace

namespace autoprof::analysis {

/// One playback. It follows the recording call by call and keeps recorded and
/// replayed times side by side: an edge's length comes from the one and is
/// applied in the other.
class Player {
  const Replay &R;
  const Timeline &T;
  const trace::HostEvents &H;
  const trace::GpuOps &O;
  const uint32_t Removed;
  const bool High;
  Clocks Recorded, Replayed;
  std::vector<std::vector<uint32_t>> Ordered; ///< Streams ordered with each.
  std::vector<uint32_t> All;
  std::vector<int64_t> OpEnd; ///< Replayed, for each of GpuOps.
  std::unordered_map<uint32_t, uint32_t> OrderedBy; ///< Call to its stream.
  size_t NextOp = 0, NextWait = 0, NextLatent = 0, NextFull = 0;
  int64_t Host, HostRecorded; ///< When the previous call returned.

  struct Ready {
    int64_t Recorded = Never, Replayed = Never;
  };
  Ready waitsFor(const Wait &W) const;
  const Wait *take(const std::vector<Wait> &List, size_t &Next, uint32_t Call);
  int64_t startOf(uint32_t Op, uint32_t Call, int64_t Begin) const;
  void playOps(uint32_t Call, int64_t Begin, size_t First);
  void orderStreams(uint32_t Call);
  void playCall(uint32_t Call);

public:
  Player(const Replay &R, uint32_t Removed, bool High);
  Replay::Played run();
};

Player::Player(const Replay &R, uint32_t Removed, bool High)
    : R(R), T(R.T), H(T.Host), O(T.Ops), Removed(Removed), High(High),
      Recorded(T.Queues.size()), Replayed(T.Queues.size()),
      Ordered(T.Queues.size()), OpEnd(O.size()), Host(T.begin()),
      HostRecorded(T.begin()) {
  for (uint32_t Q = 0; Q < T.Queues.size(); ++Q) {
    All.push_back(Q);
    for (uint32_t Other = 0; Other < T.Queues.size(); ++Other)
      if (isOrderedWith(T.Queues[Q], T.Queues[Other]))
        Ordered[Q].push_back(Other);
  }
  for (const trace::SyncRecord &S : T.Syncs)
    if (S.Type == SyncType::StreamWaitEvent && S.Call != None)
      for (uint32_t Q : All)
        if (T.Queues[Q].Stream == S.Stream)
          OrderedBy[S.Call] = Q;
}

Player::Ready Player::waitsFor(const Wait &W) const {
  if (W.Scope == WaitScope::Operation)
    return {O.End[W.LastOp], OpEnd[W.LastOp]};
  const std::vector<uint32_t> &Streams =
      W.Scope == WaitScope::Device ? All : Ordered[W.Queue];
  return {Recorded.latest(Streams), Replayed.latest(Streams)};
}

/// The last entry of `List` for this call; they are in order of calls.
const Wait *Player::take(const std::vector<Wait> &List, size_t &Next,
                         uint32_t Call) {
  const Wait *Found = nullptr;
  for (; Next < List.size() && R.A.Outer[List[Next].Call] <= Call; ++Next)
    if (R.A.Outer[List[Next].Call] == Call)
      Found = &List[Next];
  return Found;
}

int64_t Player::startOf(uint32_t Op, uint32_t Call, int64_t Begin) const {
  uint32_t Q = O.Queue[Op];
  int64_t Launched = H.Start[Call], Start = O.Start[Op];
  int64_t Behind = std::max(Recorded.latest(Ordered[Q]), Recorded.Barrier[Q]);
  int64_t FromLaunch = Start - Launched, FromPrevious = FromLaunch;
  if (Behind > Launched) {
    // It was queued: how long the launch itself took to arrive is not seen.
    FromPrevious = Start - Behind;
    FromLaunch = std::min(FromLaunch, R.LaunchLatency);
  } else if (High) {
    FromPrevious = std::min(FromPrevious, R.Pause);
  }
  int64_t Result = Begin + FromLaunch;
  int64_t Now = std::max(Replayed.latest(Ordered[Q]), Replayed.Barrier[Q]);
  return Now == Never ? Result : std::max(Result, Now + FromPrevious);
}

/// Operations of one launch (a graph's nodes) keep their distances.
void Player::playOps(uint32_t Call, int64_t Begin, size_t First) {
  if (First == NextOp)
    return;
  uint32_t Head = T.LaunchOrder[First];
  int64_t Shift = startOf(Head, Call, Begin) - O.Start[Head];
  for (size_t I = First; I < NextOp; ++I) {
    uint32_t Op = T.LaunchOrder[I], Q = O.Queue[Op];
    OpEnd[Op] = O.End[Op] + Shift;
    Recorded.End[Q] = std::max(Recorded.End[Q], O.End[Op]);
    Replayed.End[Q] = std::max(Replayed.End[Q], OpEnd[Op]);
  }
}

/// cudaStreamWaitEvent: which earlier work the event stands for is not
/// recorded.
void Player::orderStreams(uint32_t Call) {
  auto It = OrderedBy.find(Call);
  for (uint32_t Q : All)
    if (It == OrderedBy.end() || It->second == Q) {
      Recorded.Barrier[Q] = std::max(Recorded.Barrier[Q], Recorded.latest(All));
      Replayed.Barrier[Q] = std::max(Replayed.Barrier[Q], Replayed.latest(All));
    }
}

void Player::playCall(uint32_t Call) {
  int64_t Begin = Host + (H.Start[Call] - HostRecorded);
  int64_t Start = H.Start[Call], Return = H.End[Call];
  size_t First = NextOp;
  while (NextOp < T.LaunchOrder.size() &&
         O.Launch[T.LaunchOrder[NextOp]] == Call)
    ++NextOp;

  // What the call returns after: earlier work, its own transfer, a free slot.
  Ready Until;
  int64_t Waited = 0;
  if (const Wait *W = take(R.Waits, NextWait, Call)) {
    Until = waitsFor(*W);
    Waited = W->length();
  } else if (const Wait *L = take(R.Latent, NextLatent, Call)) {
    if (L->Sure || !High)
      Until = waitsFor(*L);
  }
  playOps(Call, Begin, First);
  if (First < NextOp) {
    uint32_t Own = T.LaunchOrder[NextOp - 1];
    if (T.Stages[O.Stage[Own]].Kind == trace::OpKind::Copy &&
        O.End[Own] <= Return)
      Until = {O.End[Own], OpEnd[Own]};
  }
  bool Removes = Until.Recorded != Never && groupOf(T, R.A, Call) == Removed;
  while (NextFull < R.Full.size() && R.Full[NextFull].Call < Call)
    ++NextFull;
  if (Until.Recorded == Never && NextFull < R.Full.size() &&
      R.Full[NextFull].Call == Call) {
    uint32_t Op = R.Full[NextFull].Op;
    Until = {O.End[Op], OpEnd[Op]};
  }

  if (Removes)
    Host = Begin + (High ? 0 : Return - Start - Waited);
  else if (Until.Recorded == Never)
    Host = Begin + (Return - Start);
  else
    Host = std::max(Begin, std::max(Begin, Until.Replayed) +
                               (Return - std::max(Start, Until.Recorded)));
  HostRecorded = Return;

  StringRef Name = T.Strings[H.Name[Call]];
  if (!High && T.Queues.size() > 1 && Name.contains("StreamWaitEvent"))
    orderStreams(Call);
}

Replay::Played Player::run() {
  for (uint32_t I = 0; I < H.size(); ++I)
    if (H.Thread[I] == R.Thread && R.A.Outer[I] == I)
      playCall(I);
  // After the last call the host goes on as recorded.
  int64_t Last = Host;
  for (uint32_t I = 0; I < H.size(); ++I)
    if (H.Thread[I] == R.Thread)
      Last = std::max(Last, Host + H.End[I] - HostRecorded);
  for (int64_t End : OpEnd)
    Last = std::max(Last, End);
  int64_t Steps = 0;
  if (R.ToOp != None)
    Steps = OpEnd[R.ToOp] - (R.FromOp == None ? T.begin() : OpEnd[R.FromOp]);
  return {Last, Steps};
}

} // namespace autoprof::analysis

Replay::Replay(const Timeline &T, const Attribution &A, const WaitList &List,
               const Steps &S)
    : T(T), A(A), Waits(List.Waits), Latent(List.Latent), FromOp(S.FromOp),
      ToOp(S.ToOp) {
  findObstacle();
  if (!Obstacle.empty())
    return;
  measureTypical();
  findBlocked();
  All = playBoth(None);
}

void Replay::findObstacle() {
  const trace::HostEvents &H = T.Host;
  auto IsOther = [&](uint32_t Call) {
    if (Thread == None)
      Thread = H.Thread[Call];
    return H.Thread[Call] != Thread;
  };
  if (T.LaunchOrder.empty())
    Obstacle = "no GPU operation has a recorded launch";
  else if (T.LaunchOrder.size() != T.Ops.size())
    Obstacle = "some GPU operations have no recorded launch";
  else if (T.Recorded.List.size() > 1)
    Obstacle = "the run was recorded in several parts";
  else if (llvm::any_of(T.LaunchOrder,
                        [&](uint32_t O) { return IsOther(T.Ops.Launch[O]); }))
    Obstacle = "several host threads launch work";
  else if (llvm::any_of(Waits, [&](const Wait &W) { return IsOther(W.Call); }))
    Obstacle = "several host threads wait";
  else if (llvm::any_of(T.Queues, [&](const trace::Queue &Q) {
             return Q.Device != T.Queues.front().Device;
           }))
    Obstacle = "several devices are in use";
}

/// Medians over at most a million operations.
void Replay::measureTypical() {
  constexpr size_t MaxSamples = 1'000'000;
  std::vector<int64_t> Latencies, Pauses;
  std::vector<int64_t> End(T.Queues.size(), Never);
  for (uint32_t Op : T.LaunchOrder) {
    int64_t &Previous = End[T.Ops.Queue[Op]];
    int64_t Start = T.Ops.Start[Op];
    uint32_t Launch = T.Ops.Launch[Op];
    if (Previous <= T.Host.Start[Launch])
      Latencies.push_back(Start - T.Host.Start[Launch]);
    else if (T.Host.End[Launch] <= Previous)
      Pauses.push_back(std::max<int64_t>(0, Start - Previous));
    Previous = std::max(Previous, T.Ops.End[Op]);
    if (Latencies.size() + Pauses.size() >= MaxSamples)
      break;
  }
  LaunchLatency = median(std::move(Latencies));
  // Without a sample: what queued kernels of one stream take on the H200.
  Pause = Pauses.empty() ? 1'000 : median(std::move(Pauses));
}

void Replay::findBlocked() {
  const trace::HostEvents &H = T.Host;
  size_t Next = 0, Queued = 0; // Queued: operations launched before the call.
  for (uint32_t I = 0; I < H.size() && Next < T.Overheads.size(); ++I) {
    if (H.Thread[I] != Thread || A.Outer[I] != I)
      continue;
    while (Queued < T.LaunchOrder.size() &&
           T.Ops.Launch[T.LaunchOrder[Queued]] < I)
      ++Queued;
    for (; Next < T.Overheads.size() && T.Overheads[Next].Start < H.End[I];
         ++Next) {
      const trace::Overhead &Record = T.Overheads[Next];
      if (Record.Kind != trace::OverheadKind::QueueFull ||
          Record.Start < H.Start[I])
        continue;
      // A slot became free when some queued operation finished: the last one
      // that had when the launch went on.
      size_t Found = Queued;
      while (Found > 0 && T.Ops.End[T.LaunchOrder[Found - 1]] > Record.End)
        --Found;
      if (Found > 0 && T.Ops.End[T.LaunchOrder[Found - 1]] > Record.Start &&
          (Full.empty() || Full.back().Call != I))
        Full.push_back({I, T.LaunchOrder[Found - 1]});
    }
  }
}

Replay::Played Replay::play(uint32_t Removed, bool High) const {
  return Player(*this, Removed, High).run();
}

int64_t Replay::end(uint32_t Removed, bool High) const {
  return play(Removed, High).End;
}

/// On two threads where there are two.
Replay::Both Replay::playBoth(uint32_t Removed) const {
  auto High = std::async([=] { return play(Removed, true); });
  Played Low = play(Removed, false);
  return {Low, High.get()};
}

Gains Replay::gain(uint32_t Group) const {
  auto [Low, High] = playBoth(Group);
  auto Saved = [](int64_t A, int64_t B) {
    return Gain{std::max<int64_t>(0, std::min(A, B)),
                std::max<int64_t>(0, std::max(A, B))};
  };
  return {Saved(All.Low.End - Low.End, All.High.End - High.End),
          Saved(All.Low.Steps - Low.Steps, All.High.Steps - High.Steps)};
}
