// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/waits/RunAhead.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::GpuOps;
using trace::None;
using trace::Timeline;

Unlaunched autoprof::analysis::findUnlaunched(const Timeline &T) {
  const GpuOps &O = T.Ops;
  Unlaunched Result;
  std::vector<uint32_t> FirstLaunched(T.Queues.size(), None);
  for (uint32_t Op = 0; Op < O.size(); ++Op) {
    uint32_t &First = FirstLaunched[O.Queue[Op]];
    if (O.Launch[Op] == None) {
      ++Result.Count;
      if (First == None)
        Result.Before.push_back(Op);
    } else if (First == None) {
      First = Op;
    }
  }
  // Of a stream without launches nothing is known.
  llvm::erase_if(Result.Before, [&](uint32_t Op) {
    return FirstLaunched[O.Queue[Op]] == None;
  });
  return Result;
}

namespace {

/// The operations of one launch that went to one stream, or one that was queued
/// before the recording began.
struct Batch {
  uint32_t Queue;
  int64_t Called; ///< ns, when its launching call begins.
  int64_t Queued; ///< ns, from when on it counts.
  int64_t Start, End, Busy;
};

/// In the order of their launches.
void forEachBatch(const Timeline &T,
                  llvm::function_ref<void(const Batch &)> Use) {
  const GpuOps &O = T.Ops;
  constexpr int64_t Earlier = std::numeric_limits<int64_t>::min();
  for (uint32_t Op : findUnlaunched(T).Before)
    Use({O.Queue[Op], Earlier, Earlier, O.Start[Op], O.End[Op],
         O.End[Op] - O.Start[Op]});
  for (size_t I = 0; I < T.LaunchOrder.size();) {
    const uint32_t Launch = O.Launch[T.LaunchOrder[I]];
    llvm::SmallVector<Batch, 2> OfLaunch;
    for (; I < T.LaunchOrder.size() && O.Launch[T.LaunchOrder[I]] == Launch;
         ++I) {
      const uint32_t Op = T.LaunchOrder[I], Queue = O.Queue[Op];
      auto It = llvm::find_if(
          OfLaunch, [Queue](const Batch &B) { return B.Queue == Queue; });
      if (It == OfLaunch.end())
        It = OfLaunch.insert(It,
                             {Queue, T.Host.Start[Launch], T.Host.End[Launch],
                              O.Start[Op], O.End[Op], 0});
      It->Start = std::min(It->Start, O.Start[Op]);
      It->End = std::max(It->End, O.End[Op]);
      It->Queued = std::min(It->Queued, It->Start);
      It->Busy += O.End[Op] - O.Start[Op];
    }
    for (const Batch &B : OfLaunch)
      Use(B);
  }
}

/// One stream's queue, first in, first out.
struct Pending {
  std::deque<Batch> Batches;
  int64_t Busy = 0; ///< Sum over Batches.

  void push(const Batch &B) {
    Busy += B.Busy;
    Batches.push_back(B);
  }

  RunAhead at(int64_t Time) {
    while (!Batches.empty() && Batches.front().End <= Time) {
      Busy -= Batches.front().Busy;
      Batches.pop_front();
    }
    RunAhead R{uint32_t(Batches.size()), Busy};
    // Calls of other threads may still be in flight.
    for (auto It = Batches.rbegin(); It != Batches.rend() && It->Queued > Time;
         ++It) {
      --R.Depth;
      R.Lead -= It->Busy;
    }
    if (R.Depth) {
      const Batch &Front = Batches.front();
      R.Lead -= std::clamp<int64_t>(Time - Front.Start, 0, Front.Busy);
      R.Falling = Front.Start <= Time && Time < Front.Start + Front.Busy;
    }
    return R;
  }
};

} // namespace

std::vector<RunAhead>
autoprof::analysis::sampleRunAhead(const Timeline &T,
                                   const std::vector<RunAheadQuery> &Queries) {
  std::map<uint32_t, Pending> Streams; // With something queued.
  std::vector<RunAhead> Result;
  Result.reserve(Queries.size());
  auto AnswerUntil = [&](int64_t Time) {
    while (Result.size() < Queries.size() &&
           Queries[Result.size()].Time <= Time) {
      const RunAheadQuery &Q = Queries[Result.size()];
      RunAhead Sum;
      for (auto S = Streams.begin(); S != Streams.end();) {
        if (T.Queues[S->first].Device != Q.Device) {
          ++S;
          continue;
        }
        const RunAhead One = S->second.at(Q.Time);
        S = S->second.Batches.empty() ? Streams.erase(S) : std::next(S);
        Sum.Depth += One.Depth;
        if (One.Lead > Sum.Lead) {
          Sum.Lead = One.Lead;
          Sum.Falling = One.Falling;
        }
      }
      Result.push_back(Sum);
    }
  };
  forEachBatch(T, [&](const Batch &B) {
    AnswerUntil(B.Called);
    Streams[B.Queue].push(B);
  });
  AnswerUntil(std::numeric_limits<int64_t>::max());
  return Result;
}

std::vector<RunAheadCurve>
autoprof::analysis::findRunAheadCurves(const Timeline &T, int64_t From,
                                       int64_t To) {
  std::map<uint32_t, std::vector<int64_t>> Changes; // By device.
  forEachBatch(T, [&](const Batch &B) {
    if (B.End <= From || B.Queued >= To)
      return;
    const int64_t Done = std::min(B.End, B.Start + B.Busy);
    for (int64_t Time : {std::max(B.Queued, From), B.Start, Done, B.End})
      if (From <= Time && Time <= To)
        Changes[T.Queues[B.Queue].Device].push_back(Time);
  });
  std::vector<RunAheadCurve> Result;
  for (auto &[Device, Times] : Changes) {
    llvm::sort(Times);
    Times.erase(llvm::unique(Times), Times.end());
    std::vector<RunAheadQuery> Queries;
    for (int64_t Time : Times)
      Queries.push_back({Time, Device});
    const std::vector<RunAhead> Samples = sampleRunAhead(T, Queries);
    RunAheadCurve &Curve = Result.emplace_back();
    Curve.Device = Device;
    for (size_t I = 0; I < Times.size(); ++I)
      Curve.Points.push_back({Samples[I], Times[I]});
  }
  return Result;
}
