// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/stalls/Gaps.h"

#include "analysis/common/Windows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace autoprof;
using namespace autoprof::analysis;
using autoprof::trace::HostEvents;
using autoprof::trace::None;
using autoprof::trace::Overhead;
using autoprof::trace::OverheadKind;
using autoprof::trace::Timeline;

namespace {

/// What each host thread was doing at each moment: the innermost range it was
/// in (for a helper: the range of its owner), and the outermost API call. Time
/// is cut into segments in which these stay the same. Every moment of a thread
/// from its first slice to its last belongs to one segment.
struct HostSegment {
  uint32_t Thread;
  int64_t From, To; ///< ns; not empty.
  /// Into HostEvents: the innermost range around it, or None.
  uint32_t Range;
  /// Into HostEvents: the outermost call, or None: outside of calls.
  uint32_t Call;
};

/// One thread while the sweep goes on.
struct Thread {
  llvm::SmallVector<uint32_t, 4> Ranges; ///< Open ones, innermost last.
  uint32_t Call = None;                  ///< The open one.
  bool Begun = false;
  int64_t Done = 0; ///< Once begun: segments have been given up to here.
};

class Sweep {
  const HostEvents &H;
  llvm::function_ref<void(const HostSegment &)> Use;
  std::vector<Thread> Threads;

public:
  Sweep(const Timeline &T, llvm::function_ref<void(const HostSegment &)> Use)
      : H(T.Host), Use(Use), Threads(T.Threads.size()) {}

  /// Gives what the thread did up to `Time`, and closes what ended by then.
  void advance(uint32_t Index, int64_t Time) {
    Thread &Th = Threads[Index];
    auto Give = [&](int64_t End) {
      uint32_t Range = Th.Ranges.empty() ? None : Th.Ranges.back();
      if (End > Th.Done)
        Use({Index, Th.Done, End, Range, Th.Call});
      Th.Done = std::max(Th.Done, End);
    };
    if (Th.Call != None && H.End[Th.Call] <= Time) {
      Give(H.End[Th.Call]);
      Th.Call = None;
    }
    while (!Th.Ranges.empty() && H.End[Th.Ranges.back()] <= Time) {
      Give(H.End[Th.Ranges.back()]);
      Th.Ranges.pop_back();
    }
    // Before its first slice nothing is known of a thread.
    if (Th.Begun)
      Give(Time);
    Th.Begun = true;
    Th.Done = Time;
  }

  void open(uint32_t I, bool IsCall) {
    advance(H.Thread[I], H.Start[I]);
    Thread &Th = Threads[H.Thread[I]];
    if (IsCall)
      Th.Call = I;
    else
      Th.Ranges.push_back(I);
  }

  void finish() {
    for (uint32_t I = 0; I < Threads.size(); ++I) {
      const Thread &Th = Threads[I];
      int64_t Last = Th.Call == None ? Th.Done : H.End[Th.Call];
      if (!Th.Ranges.empty())
        Last = std::max(Last, H.End[Th.Ranges.front()]);
      advance(I, Last);
    }
  }
};

/// Calls `Use` for each segment; those of one thread come in order. Lanes of
/// user's ranges (Thread::IsLane) are not threads and have none.
void forEachHostSegment(const Timeline &T, const Attribution &A,
                        const WorkOwners &Owners,
                        llvm::function_ref<void(const HostSegment &)> Use) {
  const HostEvents &H = T.Host;
  auto UseInRange = [&](const HostSegment &S) {
    if (S.Range != None)
      return Use(S);
    Owners.forEachRange(S.Thread, S.From, S.To,
                        [&](int64_t From, int64_t To, uint32_t Range) {
                          Use({S.Thread, From, To, Range, S.Call});
                        });
  };
  Sweep S(T, UseInRange);
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (T.Threads[H.Thread[I]].IsLane)
      continue;
    if (H.Kind[I] == trace::HostKind::Range)
      S.open(I, /*IsCall=*/false);
    else if (A.Outer[I] == I)
      S.open(I, /*IsCall=*/true);
  }
  S.finish();
}

/// Numbers reasons.
class ReasonTable {
  std::vector<Reason> &Reasons;
  std::map<std::tuple<uint32_t, uint32_t, Cause>, uint32_t> Index;

public:
  explicit ReasonTable(std::vector<Reason> &Reasons) : Reasons(Reasons) {}
  uint32_t intern(const Reason &R) {
    auto [It, New] =
        Index.try_emplace({R.Site, R.Call, R.Kind}, Reasons.size());
    if (New)
      Reasons.push_back(R);
    return It->second;
  }
};

/// What a thread did from a gap's start (or where its exposed stall ends) until
/// it had launched what ended the gap.
struct Activities {
  struct Single {
    uint32_t Range, Call; ///< Into Timeline::Sites and Timeline::Strings.
    bool Queues;          ///< A call that queued work.
    int64_t Time;         ///< ns
  };
  llvm::SmallVector<Single, 8> List;

  void add(uint32_t Range, uint32_t Call, bool Queues, int64_t Time) {
    for (Single &O : List)
      if (O.Range == Range && O.Call == Call && O.Queues == Queues) {
        O.Time += Time;
        return;
      }
    List.push_back({Range, Call, Queues, Time});
  }
  int64_t sum() const {
    int64_t Sum = 0;
    for (const Single &O : List)
      Sum += O.Time;
    return Sum;
  }
  int64_t busy() const {
    int64_t Sum = 0;
    for (const Single &O : List)
      Sum += O.Queues ? 0 : O.Time;
    return Sum;
  }
  /// The longest of those that queue work, or do not; null: none.
  const Single *longest(bool Queues) const {
    const Single *Result = nullptr;
    for (const Single &O : List)
      if (O.Queues == Queues && (!Result || O.Time > Result->Time))
        Result = &O;
    return Result;
  }
};

class Explainer {
  const Timeline &T;
  const Attribution &A;
  const WorkOwners &Owners;
  const HostEvents &H;
  const std::vector<DeviceActivity> &Activity;
  const Exposure &E;
  GapCauses &Result;
  ReasonTable Table;
  int64_t LongestOverhead = 0;
  std::vector<bool> QueuesWork; ///< Of HostEvents.

  /// The gaps of one device that one thread ended by a launch that came late.
  struct Late {
    std::vector<uint32_t> Gaps;
    size_t Next = 0;
    Activities Did; ///< So far, up to the launch that ended Gaps[Next].
  };
  std::vector<std::vector<Late>> LateOf; ///< By thread, then device.

  int64_t restOf(size_t D, uint32_t G) const {
    return Activity[D].Gaps[G].Start + E.exposedIn(D, G);
  }
  int64_t overheadIn(int64_t From, int64_t To, OverheadKind Kind) const;
  Reason explainAtOnce(const Gap &G, int64_t From, bool &NeedsHost) const;
  void finish(size_t D, Late &L);
  void follow(const HostSegment &S);

public:
  Explainer(const Timeline &T, const Attribution &A, const WorkOwners &Owners,
            const std::vector<DeviceActivity> &Activity, const Exposure &E,
            GapCauses &Result);
  void run(const std::vector<Wait> &Waits);
};

Explainer::Explainer(const Timeline &T, const Attribution &A,
                     const WorkOwners &Owners,
                     const std::vector<DeviceActivity> &Activity,
                     const Exposure &E, GapCauses &Result)
    : T(T), A(A), Owners(Owners), H(T.Host), Activity(Activity), E(E),
      Result(Result), Table(Result.Reasons), QueuesWork(H.size()),
      LateOf(T.Threads.size(), std::vector<Late>(Activity.size())) {
  for (const Overhead &O : T.Overheads)
    LongestOverhead = std::max(LongestOverhead, O.End - O.Start);
  for (uint32_t Op : T.LaunchOrder)
    QueuesWork[T.Ops.Launch[Op]] = true;
}

int64_t Explainer::overheadIn(int64_t From, int64_t To,
                              OverheadKind Kind) const {
  int64_t Sum = 0;
  auto It = std::lower_bound(
      T.Overheads.begin(), T.Overheads.end(), From - LongestOverhead,
      [](const Overhead &O, int64_t At) { return O.Start < At; });
  for (; It != T.Overheads.end() && It->Start < To; ++It)
    if (It->Kind == Kind)
      Sum += overlap({From, To}, It->Start, It->End);
  return Sum;
}

/// The reason of a gap from `From` on, without the host thread's activity
/// before the launch: that is LaunchBound for now.
Reason Explainer::explainAtOnce(const Gap &G, int64_t From,
                                bool &NeedsHost) const {
  NeedsHost = false;
  uint32_t Launch = T.Ops.Launch[G.Next];
  if (Launch == None)
    return {Cause::Unknown};
  if (wasQueued(T, G)) {
    if (G.End - G.Start > LongestPause)
      return {Cause::QueuedLate};
    bool OtherStream = T.Ops.Queue[G.Previous] != T.Ops.Queue[G.Next];
    return {OtherStream ? Cause::InterStream : Cause::BackToBack};
  }
  const std::pair<OverheadKind, Cause> Recorded[] = {
      {OverheadKind::QueueFull, Cause::QueueFull},
      {OverheadKind::ModuleLoad, Cause::ModuleLoad},
      {OverheadKind::Profiler, Cause::Profiler}};
  for (auto [Kind, Found] : Recorded)
    if (2 * overheadIn(From, G.End, Kind) >= G.End - From)
      return {Found, None, H.Name[Launch]};
  NeedsHost = true;
  return {Cause::LaunchBound};
}

/// The host's activity up to the launch is known: decides the reason.
void Explainer::finish(size_t D, Late &L) {
  uint32_t G = L.Gaps[L.Next++];
  const Gap &CurrentGap = Activity[D].Gaps[G];
  int64_t From = restOf(D, G), Rest = CurrentGap.End - From;
  // Before its first slice, a thread was in no known call, and in no range
  // except that of the thread for which it works.
  int64_t Unseen = launchedBy(T, CurrentGap) - From - L.Did.sum();
  if (Unseen > 0)
    Owners.forEachRange(H.Thread[T.Ops.Launch[CurrentGap.Next]], From,
                        From + Unseen,
                        [&](int64_t First, int64_t Last, uint32_t Range) {
                          L.Did.add(Range == None ? None : H.Site[Range], None,
                                    /*Queues=*/false, Last - First);
                        });
  bool Busy = 2 * L.Did.busy() >= Rest;
  if (const Activities::Single *Longest = L.Did.longest(!Busy))
    Result.OfRest[D][G] = Table.intern(
        Busy ? Reason{Cause::HostBusy, Longest->Range, Longest->Call}
             : Reason{Cause::LaunchBound, Longest->Range});
  L.Did.List.clear();
}

void Explainer::follow(const HostSegment &S) {
  uint32_t Range = S.Range == None ? None : H.Site[S.Range];
  uint32_t Call = S.Call == None ? None : H.Name[S.Call];
  bool Queues = S.Call != None && QueuesWork[S.Call];
  for (size_t D = 0; D < Activity.size(); ++D) {
    Late &L = LateOf[S.Thread][D];
    while (L.Next < L.Gaps.size()) {
      uint32_t G = L.Gaps[L.Next];
      int64_t From = restOf(D, G), To = launchedBy(T, Activity[D].Gaps[G]);
      if (S.To <= From)
        break;
      if (int64_t Time = overlap({From, To}, S.From, S.To))
        L.Did.add(Range, Call, Queues, Time);
      if (S.To < To)
        break;
      finish(D, L);
    }
  }
}

void Explainer::run(const std::vector<Wait> &Waits) {
  for (const Wait &W : Waits)
    Result.OfWait.push_back(
        Table.intern({Cause::ExposedWait, W.Site, H.Name[W.Call]}));
  for (size_t D = 0; D < Activity.size(); ++D) {
    std::vector<uint32_t> &RestReasons = Result.OfRest.emplace_back();
    RestReasons.reserve(Activity[D].Gaps.size());
    for (uint32_t I = 0; I < Activity[D].Gaps.size(); ++I) {
      const Gap &G = Activity[D].Gaps[I];
      bool NeedsHost;
      RestReasons.push_back(
          Table.intern(explainAtOnce(G, restOf(D, I), NeedsHost)));
      if (NeedsHost)
        LateOf[H.Thread[T.Ops.Launch[G.Next]]][D].Gaps.push_back(I);
    }
  }
  forEachHostSegment(T, A, Owners, [this](const HostSegment &S) { follow(S); });
  // Launches that took no time have no segment.
  for (std::vector<Late> &OfThread : LateOf)
    for (size_t D = 0; D < OfThread.size(); ++D)
      while (OfThread[D].Next < OfThread[D].Gaps.size())
        finish(D, OfThread[D]);
}

} // namespace

int64_t autoprof::analysis::launchedBy(const Timeline &T, const Gap &G) {
  return std::min(G.End, T.Host.End[T.Ops.Launch[G.Next]]);
}

GapCauses autoprof::analysis::explainGaps(
    const Timeline &T, const Attribution &A, const WorkOwners &Owners,
    const std::vector<Wait> &Waits, const std::vector<DeviceActivity> &Activity,
    const Exposure &E) {
  GapCauses Result;
  Explainer(T, A, Owners, Activity, E, Result).run(Waits);
  return Result;
}

void autoprof::analysis::forEachGapPart(
    const std::vector<DeviceActivity> &Activity, const Exposure &E,
    const GapCauses &Causes, int64_t From, int64_t To,
    llvm::function_ref<void(const GapPart &)> Use) {
  for (size_t D = 0; D < Activity.size(); ++D) {
    const std::vector<Gap> &Gaps = Activity[D].Gaps;
    llvm::ArrayRef<ExposedPart> Parts = E.Parts[D];
    for (uint32_t I = 0; I < Gaps.size(); ++I) {
      int64_t At = Gaps[I].Start;
      auto Give = [&](int64_t End, uint32_t Reason, uint32_t Wait) {
        int64_t First = std::max(At, From), Last = std::min(End, To);
        if (First < Last)
          Use({D, I, First, Last, Reason, Wait});
        At = End;
      };
      for (; !Parts.empty() && Parts.front().Gap == I;
           Parts = Parts.drop_front())
        Give(At + Parts.front().Length, Causes.OfWait[Parts.front().Wait],
             Parts.front().Wait);
      Give(Gaps[I].End, Causes.OfRest[D][I], None);
    }
  }
}

std::vector<CauseTotal>
autoprof::analysis::sumReasons(const Idling &I, int64_t From, int64_t To) {
  std::vector<CauseTotal> Totals(I.Causes.Reasons.size());
  forEachGapPart(I.Devices, I.Stalls, I.Causes, From, To,
                 [&](const GapPart &P) {
                   ++Totals[P.Reason].Count;
                   Totals[P.Reason].Total += P.End - P.Start;
                 });
  return Totals;
}

std::vector<CauseTotal>
autoprof::analysis::sumGaps(const GapCauses &Causes,
                            const std::vector<CauseTotal> &ByReason) {
  std::vector<CauseTotal> Totals(NumCauses);
  for (size_t I = 0; I < ByReason.size(); ++I) {
    CauseTotal &Sum = Totals[unsigned(Causes.Reasons[I].Kind)];
    Sum.Count += ByReason[I].Count;
    Sum.Total += ByReason[I].Total;
  }
  return Totals;
}
