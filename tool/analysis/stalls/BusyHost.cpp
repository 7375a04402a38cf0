// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/stalls/BusyHost.h"

#include "analysis/common/Windows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <array>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostKind;
using trace::None;
using trace::Timeline;

namespace {

/// A call that is over, or None.
struct Made {
  uint32_t Call = None, Thread = None; ///< Call: into HostEvents.
  int64_t End = 0;
  CallPlace Place;
};

/// The latest calls that queued work for one device.
struct Launches {
  Made Last, ByAnother; ///< ByAnother: than Last's thread.

  void add(const Made &M) {
    if (M.Thread != Last.Thread)
      ByAnother = Last;
    Last = M;
  }
  const Made &notBy(uint32_t Thread) const {
    return Last.Thread == Thread ? ByAnother : Last;
  }
};

/// The gaps of one device that one thread caused, in order.
struct Caused {
  std::vector<uint32_t> Gaps;
  size_t Next = 0;
  int64_t From = 0, To = 0; ///< The part of Gaps[Next] that counts.
};

struct Thread {
  llvm::SmallVector<uint32_t, 4> Ranges; ///< Open ones, innermost last.
  Made Last;                             ///< Outermost call.
  std::vector<Caused> Of; ///< By device; empty: it caused no gaps.
};

/// A period of a thread: between two calls, or in one.
struct Period {
  uint32_t Thread;
  int64_t From, To;
  CallPlace Before, After;
  uint32_t Call; ///< Into Timeline::Strings, or None.
};

class Finder {
  const Timeline &T;
  const trace::HostEvents &H;
  const Attribution &A;
  const std::vector<DeviceActivity> &Activity;
  const Idling &Stalled;
  const trace::Window Part;
  std::vector<Thread> Threads;
  std::vector<Launches> LaunchesOf;       ///< By device.
  const std::vector<uint32_t> RowOfQueue; ///< Of Activity.
  size_t NextLaunch = 0;                  ///< Into Timeline::LaunchOrder.
  std::vector<BusyRow> Rows;
  std::map<std::array<uint32_t, 5>, uint32_t> RowOf;

  void collectGaps();
  void take(Caused &C, size_t D) const;
  CallPlace placeOf(uint32_t Call, const Thread &Th, uint32_t Op) const;
  void closeUpTo(Thread &Th, int64_t Time) const;
  void call(uint32_t I);
  void useCall(uint32_t I, Thread &Th, const CallPlace &Place);
  void use(const Period &P, size_t D, uint32_t &Counted);
  void addIdle(const Period &P, int64_t From, int64_t To, uint32_t &Counted);

public:
  Finder(const Timeline &T, const Attribution &A, const Idling &I,
         trace::Window Part)
      : T(T), H(T.Host), A(A), Activity(I.Devices), Stalled(I), Part(Part),
        Threads(T.Threads.size()), LaunchesOf(Activity.size()),
        RowOfQueue(rowsOfQueues(T)) {}
  std::vector<BusyRow> run();
};

void Finder::collectGaps() {
  for (size_t D = 0; D < Activity.size(); ++D)
    for (uint32_t G = 0; G < Activity[D].Gaps.size(); ++G) {
      const Cause Kind = Stalled.Causes[D][G];
      if (Kind != Cause::HostBusy && Kind != Cause::LaunchBound)
        continue;
      Thread &Th = Threads[H.Thread[T.Ops.Launch[Activity[D].Gaps[G].Next]]];
      if (Th.Of.empty())
        Th.Of.resize(Activity.size());
      Th.Of[D].Gaps.push_back(G);
    }
  for (Thread &Th : Threads)
    for (size_t D = 0; D < Th.Of.size(); ++D)
      take(Th.Of[D], D);
}

void Finder::take(Caused &C, size_t D) const {
  if (C.Next == C.Gaps.size())
    return;
  const Gap &G = Activity[D].Gaps[C.Gaps[C.Next]];
  C.From = G.Start + Stalled.Stalls.exposedIn(D, C.Gaps[C.Next]);
  C.To = launchedBy(T, G);
}

/// `Op`: into GpuOps, the first that the call launched, or None.
CallPlace Finder::placeOf(uint32_t Call, const Thread &Th, uint32_t Op) const {
  if (A.Site[Call] != None)
    return {A.Site[Call], None, false};
  CallPlace Result;
  // A range that ends before the call does is not around it.
  for (uint32_t Range : llvm::reverse(Th.Ranges))
    if (H.End[Range] >= H.End[Call]) {
      Result.Site = H.Site[Range];
      break;
    }
  const trace::Stage *S = Op == None ? nullptr : &T.Stages[T.Ops.Stage[Op]];
  Result.IsKernel = S && S->Kind == trace::OpKind::Kernel;
  Result.Name = Result.IsKernel ? S->Name : H.Name[Call];
  return Result;
}

/// What ended by `Time` is no longer open.
void Finder::closeUpTo(Thread &Th, int64_t Time) const {
  while (!Th.Ranges.empty() && H.End[Th.Ranges.back()] <= Time)
    Th.Ranges.pop_back();
}

void Finder::call(uint32_t I) {
  Thread &Th = Threads[H.Thread[I]];
  closeUpTo(Th, H.Start[I]);
  while (NextLaunch < T.LaunchOrder.size() &&
         T.Ops.Launch[T.LaunchOrder[NextLaunch]] < I)
    ++NextLaunch;
  uint32_t Op = None;
  if (NextLaunch < T.LaunchOrder.size() &&
      T.Ops.Launch[T.LaunchOrder[NextLaunch]] == I)
    Op = T.LaunchOrder[NextLaunch];
  const Made Now{I, H.Thread[I], H.End[I], placeOf(I, Th, Op)};
  if (!Th.Of.empty())
    useCall(I, Th, Now.Place);
  if (Op != None)
    LaunchesOf[RowOfQueue[T.Ops.Queue[Op]]].add(Now);
  Th.Last = Now;
}

/// The time before a call, and in it.
void Finder::useCall(uint32_t I, Thread &Th, const CallPlace &Place) {
  uint32_t Before = None, During = None; // Rows that have been counted.
  for (size_t D = 0; D < Activity.size(); ++D) {
    if (Th.Of[D].Next == Th.Of[D].Gaps.size())
      continue;
    Period Pause{H.Thread[I],   Th.Last.End, H.Start[I],
                 Th.Last.Place, Place,       None};
    const Made &Other = LaunchesOf[D].notBy(H.Thread[I]);
    if (Other.Call != None &&
        (Th.Last.Call == None || Other.End > Th.Last.End)) {
      Pause.From = Other.End;
      Pause.Before = Other.Place;
    } else if (Th.Last.Call == None) {
      Pause.From = Th.Of[D].From; // Unknown since when.
    }
    use(Pause, D, Before);
    use({H.Thread[I], H.Start[I], H.End[I], Place, Place, H.Name[I]}, D,
        During);
  }
}

void Finder::use(const Period &P, size_t D, uint32_t &Counted) {
  Caused &C = Threads[P.Thread].Of[D];
  while (C.Next < C.Gaps.size() && C.From < P.To) {
    addIdle(P, std::max(C.From, P.From), std::min(C.To, P.To), Counted);
    if (C.To > P.To)
      return;
    ++C.Next;
    take(C, D);
  }
}

void Finder::addIdle(const Period &P, int64_t From, int64_t To,
                     uint32_t &Counted) {
  const int64_t Idle = overlap(Part, From, To);
  if (!Idle)
    return;
  auto [It, IsFirst] = RowOf.try_emplace(
      {P.Before.Site, P.Before.Name, P.After.Site, P.After.Name, P.Call},
      Rows.size());
  if (IsFirst)
    Rows.push_back({P.Before, P.After, P.Call});
  const uint32_t Row = It->second;
  BusyRow &R = Rows[Row];
  const bool IsNew = Row != Counted;
  R.Count += IsNew;
  R.Idle += Idle;
  if (P.Call != None)
    R.Cpu = R.Idle;
  else if (IsNew) // Once, however many GPUs it left idle.
    R.Cpu += overlap(Part, P.From, P.To);
  Counted = Row;
}

std::vector<BusyRow> Finder::run() {
  collectGaps();
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (T.Threads[H.Thread[I]].IsLane)
      continue;
    if (H.Kind[I] == HostKind::Range) {
      closeUpTo(Threads[H.Thread[I]], H.Start[I]);
      Threads[H.Thread[I]].Ranges.push_back(I);
    } else if (A.Outer[I] == I) {
      call(I);
    }
  }
  return std::move(Rows);
}

} // namespace

std::vector<BusyRow> autoprof::analysis::findBusyHost(const Timeline &T,
                                                      const Attribution &A,
                                                      const Idling &I,
                                                      trace::Window Part) {
  return Finder(T, A, I, Part).run();
}
