// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/stalls/BusyHost.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostKind;
using trace::None;
using trace::Timeline;

namespace {

int64_t overlap(int64_t A0, int64_t A1, int64_t B0, int64_t B1) {
  return std::max<int64_t>(0, std::min(A1, B1) - std::max(A0, B0));
}

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
  /// Slices that began after it, innermost last, and the longest of those that
  /// are over.
  llvm::SmallVector<uint32_t, 4> Begun;
  uint32_t Longest = None;
  std::vector<Caused> Of; ///< By device; empty: it caused no gaps.
};

/// A period of a thread: between two calls, or in one.
struct Period {
  uint32_t Thread;
  int64_t From, To;
  CallPlace Before, After;
  uint32_t Call = None;   ///< Into Timeline::Strings.
  uint32_t Inside = None; ///< Into HostEvents.
};

/// Numbers rows.
class RowTable {
  using PlaceKey = std::pair<uint32_t, uint32_t>;
  llvm::DenseMap<PlaceKey, uint32_t> Places;
  llvm::DenseMap<std::pair<uint64_t, uint32_t>, uint32_t> Index;
  std::vector<BusyRow> &Rows;

  uint32_t intern(const CallPlace &P) {
    // None becomes 0: llvm::DenseMap reserves the largest numbers.
    return Places.try_emplace({P.Site + 1, P.Name + 1}, Places.size())
        .first->second;
  }

public:
  explicit RowTable(std::vector<BusyRow> &Rows) : Rows(Rows) {}
  uint32_t intern(const Period &P) {
    const uint64_t Ends = uint64_t(intern(P.Before)) << 32 | intern(P.After);
    auto [It, New] = Index.try_emplace({Ends, P.Call}, Rows.size());
    if (New)
      Rows.push_back({P.Before, P.After, P.Call, None, {}, {}});
    return It->second;
  }
};

class Finder {
  const Timeline &T;
  const trace::HostEvents &H;
  const Attribution &A;
  const std::vector<DeviceActivity> &Activity;
  const Exposure &E;
  const GapCauses &Causes;
  const trace::Window Steps;
  llvm::function_ref<void(const BusyPart &)> Use;
  std::vector<Thread> Threads;
  std::vector<Launches> LaunchesOf; ///< By device.
  std::vector<uint32_t> RowOfQueue; ///< Of Activity.
  size_t NextLaunch = 0;            ///< Into Timeline::LaunchOrder.
  BusyHost Result;
  RowTable Table{Result.Rows};

  /// What else is known of a row.
  struct More {
    struct ReasonSums {
      uint32_t Reason;
      int64_t Run, Steps;
    };
    llvm::SmallVector<ReasonSums, 1> Reasons;
    llvm::SmallVector<std::pair<uint32_t, int64_t>, 1> Inside; ///< Site, ns.
  };
  std::vector<More> MoreOf; ///< By row.

  void collectGaps();
  void take(Caused &C, size_t D) const;
  CallPlace placeOf(uint32_t Call, const Thread &Th, uint32_t Op) const;
  void open(uint32_t I);
  void closeUpTo(Thread &Th, int64_t Time) const;
  void call(uint32_t I);
  void useCall(uint32_t I, Thread &Th, const CallPlace &Place);
  void use(const Period &P, size_t D, uint32_t &Counted);
  void addIdle(const Period &P, size_t D, uint32_t Gap, int64_t From,
               int64_t To, uint32_t &Counted);
  void count(const Period &P, uint32_t Row);
  void choose();

public:
  Finder(const Timeline &T, const Attribution &A,
         const std::vector<DeviceActivity> &Activity, const Exposure &E,
         const GapCauses &Causes, trace::Window Steps,
         llvm::function_ref<void(const BusyPart &)> Use)
      : T(T), H(T.Host), A(A), Activity(Activity), E(E), Causes(Causes),
        Steps(Steps), Use(Use), Threads(T.Threads.size()),
        LaunchesOf(Activity.size()) {}
  BusyHost run();
};

void Finder::collectGaps() {
  for (const trace::Queue &Q : T.Queues) {
    size_t Row = 0;
    while (Row < Activity.size() && Activity[Row].Device != Q.Device)
      ++Row;
    RowOfQueue.push_back(uint32_t(Row));
  }
  for (size_t D = 0; D < Activity.size(); ++D)
    for (uint32_t G = 0; G < Activity[D].Gaps.size(); ++G) {
      const Cause Kind = Causes.Reasons[Causes.OfRest[D][G]].Kind;
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
  C.From = G.Start + E.exposedIn(D, C.Gaps[C.Next]);
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
  auto Length = [this](uint32_t I) {
    return I == None ? -1 : H.End[I] - H.Start[I];
  };
  for (; !Th.Begun.empty() && H.End[Th.Begun.back()] <= Time;
       Th.Begun.pop_back())
    if (Length(Th.Begun.back()) >= Length(Th.Longest))
      Th.Longest = Th.Begun.back();
}

/// A range, a probe or an operator.
void Finder::open(uint32_t I) {
  Thread &Th = Threads[H.Thread[I]];
  closeUpTo(Th, H.Start[I]);
  if (H.Kind[I] == HostKind::Range)
    Th.Ranges.push_back(I);
  if (!Th.Of.empty() && Th.Last.Call != None && H.Start[I] >= Th.Last.End)
    Th.Begun.push_back(I);
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
  Th.Begun.clear();
  Th.Longest = None;
}

/// The time before a call, and in it.
void Finder::useCall(uint32_t I, Thread &Th, const CallPlace &Place) {
  uint32_t Before = None, During = None; // Rows that have been counted.
  for (size_t D = 0; D < Activity.size(); ++D) {
    if (Th.Of[D].Next == Th.Of[D].Gaps.size())
      continue;
    Period Pause{H.Thread[I], Th.Last.End, H.Start[I], Th.Last.Place,
                 Place,       None,        Th.Longest};
    const Made &Other = LaunchesOf[D].notBy(H.Thread[I]);
    if (Other.Call != None &&
        (Th.Last.Call == None || Other.End > Th.Last.End)) {
      Pause.From = Other.End;
      Pause.Before = Other.Place;
    } else if (Th.Last.Call == None) {
      Pause.From = Th.Of[D].From; // Unknown since when.
    }
    use(Pause, D, Before);
    use({H.Thread[I], H.Start[I], H.End[I], Place, Place, H.Name[I], None}, D,
        During);
  }
}

void Finder::use(const Period &P, size_t D, uint32_t &Counted) {
  Caused &C = Threads[P.Thread].Of[D];
  while (C.Next < C.Gaps.size() && C.From < P.To) {
    addIdle(P, D, C.Gaps[C.Next], std::max(C.From, P.From),
            std::min(C.To, P.To), Counted);
    if (C.To > P.To)
      return;
    ++C.Next;
    take(C, D);
  }
}

void Finder::addIdle(const Period &P, size_t D, uint32_t Gap, int64_t From,
                     int64_t To, uint32_t &Counted) {
  if (From >= To)
    return;
  const uint32_t Row = Table.intern(P);
  if (Row == MoreOf.size())
    MoreOf.emplace_back();
  BusyRow &R = Result.Rows[Row];
  const int64_t Idle = To - From,
                InSteps = overlap(From, To, Steps.Start, Steps.End);
  if (Row != Counted) {
    Counted = Row;
    count(P, Row);
    R.Steps.Count += InSteps > 0;
  }
  R.Run.Idle += Idle;
  R.Steps.Idle += InSteps;
  const uint32_t Reason = Causes.OfRest[D][Gap];
  auto &Reasons = MoreOf[Row].Reasons;
  auto It =
      llvm::find_if(Reasons, [&](const auto &S) { return S.Reason == Reason; });
  if (It == Reasons.end())
    It = Reasons.insert(It, {Reason, 0, 0});
  It->Run += Idle;
  It->Steps += InSteps;
  Use({P.Thread, P.From, P.To, D, Idle, Row});
}

/// Adds the period itself once, however many GPUs it left idle.
void Finder::count(const Period &P, uint32_t Row) {
  BusyRow &R = Result.Rows[Row];
  ++R.Run.Count;
  if (P.Call == None) {
    R.Run.Cpu += P.To - P.From;
    R.Steps.Cpu += overlap(P.From, P.To, Steps.Start, Steps.End);
  }
  if (P.Inside == None || H.Site[P.Inside] == None ||
      H.Start[P.Inside] < P.From)
    return;
  auto &Inside = MoreOf[Row].Inside;
  auto It = llvm::find_if(
      Inside, [&](const auto &S) { return S.first == H.Site[P.Inside]; });
  if (It == Inside.end())
    It = Inside.insert(It, {H.Site[P.Inside], 0});
  It->second += H.End[P.Inside] - H.Start[P.Inside];
}

/// Of all rows and reasons: the largest.
void Finder::choose() {
  std::vector<int64_t> MostInRun(Causes.Reasons.size()),
      MostInSteps(Causes.Reasons.size());
  Result.MainInRun.assign(Causes.Reasons.size(), None);
  Result.MainInSteps.assign(Causes.Reasons.size(), None);
  auto Keep = [](int64_t Idle, uint32_t Row, int64_t &Most, uint32_t &Main) {
    if (Idle > Most) {
      Most = Idle;
      Main = Row;
    }
  };
  for (uint32_t I = 0; I < Result.Rows.size(); ++I) {
    BusyRow &Row = Result.Rows[I];
    for (const auto &S : MoreOf[I].Reasons) {
      Keep(S.Run, I, MostInRun[S.Reason], Result.MainInRun[S.Reason]);
      Keep(S.Steps, I, MostInSteps[S.Reason], Result.MainInSteps[S.Reason]);
    }
    for (auto [Site, Time] : MoreOf[I].Inside)
      if (2 * Time >= Row.Run.Cpu)
        Row.Inside = Site;
    if (Row.Call != None) {
      Row.Run.Cpu = Row.Run.Idle;
      Row.Steps.Cpu = Row.Steps.Idle;
    }
  }
}

BusyHost Finder::run() {
  collectGaps();
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (T.Threads[H.Thread[I]].IsLane)
      continue;
    if (!H.isCall(I))
      open(I);
    else if (A.Outer[I] == I)
      call(I);
  }
  choose();
  return std::move(Result);
}

} // namespace

BusyHost autoprof::analysis::findBusyHost(
    const Timeline &T, const Attribution &A,
    const std::vector<DeviceActivity> &Activity, const Exposure &E,
    const GapCauses &Causes, trace::Window Steps,
    llvm::function_ref<void(const BusyPart &)> Use) {
  return Finder(T, A, Activity, E, Causes, Steps, Use).run();
}
