// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/waits/RunAhead.h"

#include "analysis/common/Unlaunched.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace autoprof::analysis;
using autoprof::trace::GpuOps;
using autoprof::trace::Timeline;

namespace {

/// What changes at one instant.
struct Change {
  int64_t Time;
  uint32_t Queue;
  int32_t Depth, Running;
  int64_t Lead;
};

/// The sums over some operations at the latest instant.
struct State {
  int64_t Time = 0, Lead = 0;
  int32_t Depth = 0, Running = 0;

  void advance(int64_t To) {
    if (Running > 0)
      Lead = std::max<int64_t>(0, Lead - (To - Time));
    Time = To;
  }
  void apply(const Change &C) {
    advance(C.Time);
    Depth += C.Depth;
    Running += C.Running;
    Lead += C.Lead;
  }
  RunAheadPoint point() const {
    return {Time, uint32_t(Depth), Lead, Running > 0 && Lead > 0};
  }
};

class Sweep {
  const Timeline &T;
  const int64_t From, To;
  std::vector<Change> Changes;
  std::vector<State> OfQueue;

  void addOps(uint32_t Queue, int64_t Queued, int64_t Start, int64_t End,
              int64_t Busy);
  void collect();
  RunAheadPoint ofDevice(uint32_t Device) const;

public:
  Sweep(const Timeline &T, int64_t From, int64_t To)
      : T(T), From(From), To(To) {}
  std::vector<RunAheadCurve> run();
};

/// What one launch put on one stream: `Busy` ns of work between Start and End.
void Sweep::addOps(uint32_t Queue, int64_t Queued, int64_t Start, int64_t End,
                   int64_t Busy) {
  if (End <= From || Queued >= To)
    return;
  int64_t Done = std::min(End, Start + Busy);
  int64_t Left = Busy - std::clamp<int64_t>(From - Start, 0, Busy);
  Changes.push_back({std::max(Queued, From), Queue, 1, 0, Left});
  if (Start < To && Done > From) {
    Changes.push_back({std::max(Start, From), Queue, 0, 1, 0});
    if (Done <= To)
      Changes.push_back({Done, Queue, 0, -1, 0});
  }
  if (End <= To)
    Changes.push_back({End, Queue, -1, 0, 0});
}

void Sweep::collect() {
  const GpuOps &O = T.Ops;
  for (size_t I = 0, Next = 0; I < T.LaunchOrder.size(); I = Next) {
    // A launch may put several operations (a graph's nodes) on several streams.
    uint32_t First = T.LaunchOrder[I], Launch = O.Launch[First],
             Queue = O.Queue[First];
    int64_t Start = O.Start[First], End = O.End[First], Busy = 0;
    for (Next = I; Next < T.LaunchOrder.size(); ++Next) {
      uint32_t Op = T.LaunchOrder[Next];
      if (O.Launch[Op] != Launch || O.Queue[Op] != Queue)
        break;
      Start = std::min(Start, O.Start[Op]);
      End = std::max(End, O.End[Op]);
      Busy += O.End[Op] - O.Start[Op];
    }
    addOps(Queue, std::min(T.Host.End[Launch], Start), Start, End, Busy);
  }
  for (uint32_t Op : findUnlaunched(T).Before)
    addOps(O.Queue[Op], From, O.Start[Op], O.End[Op], O.End[Op] - O.Start[Op]);
  llvm::stable_sort(Changes, [](const Change &A, const Change &B) {
    return A.Time < B.Time;
  });
}

/// The streams of a device work at the same time: the longest lead counts.
RunAheadPoint Sweep::ofDevice(uint32_t Device) const {
  RunAheadPoint Sum{0, 0, 0, false};
  for (uint32_t Q = 0; Q < OfQueue.size(); ++Q) {
    if (T.Queues[Q].Device != Device)
      continue;
    RunAheadPoint One = OfQueue[Q].point();
    Sum.Depth += One.Depth;
    if (One.Lead > Sum.Lead) {
      Sum.Lead = One.Lead;
      Sum.Falling = One.Falling;
    }
  }
  return Sum;
}

std::vector<RunAheadCurve> Sweep::run() {
  collect();
  OfQueue.resize(T.Queues.size());
  std::map<uint32_t, RunAheadCurve> ByDevice;
  for (const Change &C : Changes) {
    const uint32_t Device = T.Queues[C.Queue].Device;
    OfQueue[C.Queue].apply(C);
    for (uint32_t Q = 0; Q < OfQueue.size(); ++Q)
      if (T.Queues[Q].Device == Device)
        OfQueue[Q].advance(C.Time);
    RunAheadPoint Now = ofDevice(Device);
    Now.Time = C.Time;
    // Of several changes at one instant the last is the point.
    std::vector<RunAheadPoint> &Points = ByDevice[Device].Points;
    if (!Points.empty() && Points.back().Time == Now.Time)
      Points.back() = Now;
    else
      Points.push_back(Now);
  }
  std::vector<RunAheadCurve> Result;
  for (auto &[Device, Whole] : ByDevice)
    Result.push_back({Device, std::move(Whole.Points)});
  return Result;
}

} // namespace

std::vector<RunAheadCurve>
autoprof::analysis::findRunAheadCurves(const Timeline &T, int64_t From,
                                       int64_t To) {
  return Sweep(T, From, To).run();
}
