// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay/WhatIf.h"

#include "analysis/common/Statistics.h"
#include "analysis/replay/Order.h"
#include "analysis/replay/Player.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;
using trace::Timeline;

Plan::Plan(Edit Kind, llvm::ArrayRef<uint32_t> Groups) {
  for (uint32_t Group : Groups)
    Changes.push_back({Group, Kind});
}

Plan Plan::withoutWaits() {
  Plan P;
  P.OfOthers = Edit::Remove;
  return P;
}

Replay::Replay(const Timeline &T, const Attribution &A, const WaitList &List,
               const Steps &S, const catalogue::Semantics *Calibration,
               const StepSample *Sample)
    : T(T), A(A), Waits(List.Waits), Latent(List.Latent),
      Calibration(Calibration) {
  findObstacle();
  findPart(S, Sample);
  if (!Obstacle.empty())
    return;
  findThreads();
  ReadBacks = findReadBacks(T, A);
  findCollectives();
  measureTypical();
  findEvents();
}

/// Which calls and steps are replayed.
void Replay::findPart(const Steps &S, const StepSample *Sample) {
  FromOp = S.fromOp();
  LastCall = T.Host.size();
  if (!S.LastOps.empty())
    StepEnds.assign(S.LastOps.begin() + ptrdiff_t(S.WarmUp), S.LastOps.end());
  // For each stream, so many of the last operations before a sample are known.
  size_t Kept = T.Ops.size();
  if (Sample) {
    const auto Ends = S.LastOps.begin() + ptrdiff_t(Sample->First);
    FromOp = Sample->First ? *(Ends - 1) : None;
    StepEnds.assign(Ends, Ends + ptrdiff_t(Sample->Steps));
    Scale = double(S.measured()) / double(Sample->Steps);
    auto CallAt = [this](int64_t Time) {
      return uint32_t(llvm::lower_bound(T.Host.Start, Time) -
                      T.Host.Start.begin());
    };
    FirstCall = CallAt(S.List[Sample->First].Start);
    LastCall = CallAt(S.List[Sample->First + Sample->Steps - 1].End);
    Kept = Pauses::DeepQueue;
  }
  std::vector<size_t> Left(T.Queues.size(), Kept);
  for (uint32_t Op = T.Ops.size(); Op-- > 0;) {
    const uint32_t Launch = T.Ops.Launch[Op];
    if ((Launch == None || Launch < FirstCall) && Left[T.Ops.Queue[Op]]) {
      --Left[T.Ops.Queue[Op]];
      EarlyOps.push_back(Op);
    }
  }
  std::reverse(EarlyOps.begin(), EarlyOps.end());
}

enum : unsigned { Fast = 1, Short = 2, Least = 4, Hands = 8, Apart = 16 };

unsigned Replay::doubts() const {
  return (mayHandOver() ? Hands : 0U) | (MayOverlap ? Apart : 0U);
}

/// The two extremes for recorded runs. For others, half of all combinations: of
/// the last assumption, the level follows from those of the others.
std::vector<unsigned> Replay::levels(bool IsRecorded, unsigned Doubts) {
  std::vector<unsigned> Result;
  if (IsRecorded) {
    for (unsigned Handed : {0U, unsigned(Hands)})
      if (!Handed || (Doubts & Hands))
        Result.insert(Result.end(),
                      {Handed | (Doubts & Apart), Handed | Fast | Short});
    return Result;
  }
  const unsigned Open = Fast | Short | Least | Doubts,
                 Last = llvm::bit_floor(Open);
  for (unsigned Level = 0; Level < Last; ++Level)
    if (!(Level & ~Open))
      Result.push_back(Level | (llvm::popcount(Level) % 2 ? Last : 0U));
  return Result;
}

Assumptions Replay::assume(unsigned Levels, bool IsRecorded) const {
  Assumptions Result{(Levels & Fast) != 0,
                     (Levels & Short) != 0,
                     InTurns || (Levels & Hands) != 0,
                     (Levels & Apart) != 0,
                     {}};
  const RecorderCostRange Cost = recorderCost(T);
  if (!IsRecorded)
    Result.Added = Levels & Least ? Cost.Least : Cost.Most;
  return Result;
}

void Replay::findObstacle() {
  if (T.LaunchOrder.empty()) {
    Obstacle = "no GPU operation has a recorded launch";
    return;
  }
  // Those launched before the recording are harmless: they stay where they are.
  std::vector<bool> HasBegun(T.Queues.size());
  for (uint32_t Op = 0; Op < T.Ops.size(); ++Op)
    if (T.Ops.Launch[Op] != None)
      HasBegun[T.Ops.Queue[Op]] = true;
    else if (HasBegun[T.Ops.Queue[Op]])
      Obstacle = "some GPU operations have no recorded launch";
  // Their orders among each other are kept pair by pair.
  constexpr size_t MaxQueues = 1'000;
  if (T.Queues.size() > MaxQueues)
    Obstacle = "there are more than 1,000 streams";
  if (T.Recorded.List.size() > 1)
    Obstacle = "the run was recorded in several parts";
}

/// Whether several streams of a device run kernels, but hardly ever at the same
/// time.
static bool runsApart(const Timeline &T) {
  struct Latest {
    int64_t End = 0, OtherEnd = 0; ///< ns, OtherEnd of the other streams.
    uint32_t Queue = None;
  };
  std::map<uint32_t, Latest> Devices;
  int64_t Sum = 0, Together = 0;
  bool Several = false;
  for (uint32_t Op = 0; Op < T.Ops.size(); ++Op) {
    if (T.Stages[T.Ops.Stage[Op]].Kind != trace::OpKind::Kernel)
      continue;
    const uint32_t Queue = T.Ops.Queue[Op];
    const int64_t Start = T.Ops.Start[Op], End = T.Ops.End[Op];
    Latest &L = Devices[T.Queues[Queue].Device];
    if (L.Queue != Queue) {
      Several |= L.Queue != None;
      L.OtherEnd = std::max(L.OtherEnd, L.End);
      L.Queue = Queue;
    }
    Sum += End - Start;
    Together += std::max<int64_t>(0, std::min(End, L.OtherEnd) - Start);
    L.End = std::max(L.End, End);
  }
  return Several && 100 * Together < Sum;
}

void Replay::findThreads() {
  InPlay.resize(T.Threads.size());
  for (uint32_t Op : T.LaunchOrder)
    InPlay[T.Host.Thread[T.Ops.Launch[Op]]] = true;
  for (const Wait &W : Waits)
    InPlay[T.Host.Thread[W.Call]] = true;
  Threads = llvm::count(InPlay, true);
  InTurns = hasSeveralThreads() && takeTurns(T, A, InPlay);
  MayOverlap = T.Queues.size() > 1 && runsApart(T);
  OrdersStreams.resize(T.Strings.size());
  for (uint32_t I = 0; T.Queues.size() > 1 && I < T.Strings.size(); ++I)
    OrdersStreams[I] = T.Strings[I].contains("StreamWaitEvent");
}

bool autoprof::analysis::isCollective(const Timeline &T,
                                      const trace::Stage &S) {
  const llvm::StringRef Name = T.Strings[S.Name];
  return S.Kind == trace::OpKind::Kernel &&
         (Name.contains("ncclDevKernel") || Name.contains("ncclKernel"));
}

bool autoprof::analysis::runsCollectives(const Timeline &T) {
  return llvm::any_of(T.Ops.Stage, [&T](uint32_t Stage) {
    return isCollective(T, T.Stages[Stage]);
  });
}

/// In a run of several ranks or of an unknown number.
void Replay::findCollectives() {
  IsCollective.resize(T.Stages.size());
  if (T.Info.Ranks.value_or(2) < 2)
    return;
  for (size_t I = 0; I < T.Stages.size(); ++I)
    IsCollective[I] = isCollective(T, T.Stages[I]);
  for (uint32_t Stage : T.Ops.Stage)
    Collectives += IsCollective[Stage];
}

/// Medians over at most a million launches.
void Replay::measureTypical() {
  constexpr size_t MaxSamples = 1'000'000;
  std::vector<int64_t> Latencies, Times;
  std::vector<int64_t> End(T.Queues.size(),
                           std::numeric_limits<int64_t>::min());
  for (uint32_t Op : T.LaunchOrder) {
    int64_t &Previous = End[T.Ops.Queue[Op]];
    int64_t Start = T.Ops.Start[Op];
    uint32_t Launch = T.Ops.Launch[Op];
    const trace::Stage &S = T.Stages[T.Ops.Stage[Op]];
    // The driver copies pageable memory before.
    const bool IsStaged =
        isTransfer(S) && hostMemory(S) == trace::MemoryKind::Pageable;
    if (Previous <= T.Host.Start[Launch] && !IsStaged)
      Latencies.push_back(Start - T.Host.Start[Launch]);
    if (S.Kind == trace::OpKind::Kernel)
      Times.push_back(T.Host.End[Launch] - T.Host.Start[Launch]);
    Previous = std::max(Previous, T.Ops.End[Op]);
    if (Times.size() >= MaxSamples)
      break;
  }
  LaunchLatency =
      Latencies.empty() ? UsualLaunchLatency : median(std::move(Latencies));
  LaunchTime = Times.empty() ? 2'500 : median(std::move(Times));
  TypicalPauses.emplace(T, Calibration);
  Pinned.emplace(T, Calibration);
}

void Replay::findEvents() {
  auto Collect = [this](const std::vector<Wait> &From, std::vector<Event> &To) {
    for (uint32_t I = 0; I < From.size(); ++I)
      if (InPlay[T.Host.Thread[From[I].Call]])
        To.push_back({A.Outer[From[I].Call], I});
    auto Before = [](const Event &A, const Event &B) {
      return std::pair(A.Call, A.Index) < std::pair(B.Call, B.Index);
    };
    if (!llvm::is_sorted(To, Before))
      llvm::sort(To, Before);
  };
  Collect(Waits, WaitIn);
  Collect(Latent, LatentIn);
}

int64_t Replay::timeOf(const Played &P) const {
  return StepEnds.empty() ? P.End - T.begin()
                          : int64_t(Scale * double(P.Steps));
}

int64_t Replay::end(const Plan &P, Assumptions Assumed) const {
  return Player(*this, P, Assumed).run().End;
}
