// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/Flow.h"

#include "catalogue/LibraryTraits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::Waits;
using catalogue::WaitsFor;
using llvm::StringRef;

bool covers(const StreamId &Done, const StreamId &Wanted) {
  if (Done.Kind == Legacy)
    return Wanted.Kind != ~0u && !(Wanted.Kind & NonBlocking);
  return !Done.Name.empty() && Done.Name == Wanted.Name;
}

bool isWholeDevice(const Trace &T, const StreamId &Stream) {
  return Stream.Kind == Legacy && !T.project().makesNonBlocking();
}

/// Whether an object's name may mean several, see StreamId.
static bool isUnknown(StringRef Object) {
  return Object.empty() || Object.find_first_of("?~") != StringRef::npos;
}

bool mayBeSame(const StreamId &A, const StreamId &B) {
  const auto [OfA, ObjectA] = StringRef(A.Name).split('|');
  const auto [OfB, ObjectB] = StringRef(B.Name).split('|');
  return A.Name.empty() || B.Name.empty() || A.Name == B.Name ||
         (OfA == OfB && (isUnknown(ObjectA) || isUnknown(ObjectB)));
}

/// Whether a wait for one stream may be for work on the other.
static bool mayCover(const StreamId &Done, const StreamId &Work) {
  if (mayBeSame(Done, Work))
    return true;
  if (Done.Kind == Legacy)
    return Work.Kind != NonBlocking;
  // One that is given may be any.
  if (Done.Kind == ~0u || Work.Kind == ~0u)
    return true;
  return false;
}

namespace {

/// Whether it only asks if an object holds something, or owns it.
bool asksForContent(const Term &T) {
  if (T.Class == Term::Equal)
    return T.Parts[0].Class == Term::Slot && T.Parts[1] == Term::constant(1);
  if (T.Class == Term::Not)
    return T.Parts[0].Class == Term::Equal &&
           T.Parts[0].Parts[0].Class == Term::Slot;
  return T.Class == Term::Slot || T.Class == Term::Constant ||
         (T.Class > Term::Not && llvm::all_of(T.Parts, asksForContent));
}

/// What a call waits for.
struct Wanted {
  bool Device = false;
  StreamId Stream;
  size_t Before; ///< Work before this step: of an event, where it is recorded.
  /// Work before this step of the last iteration; 0: of this one, too.
  size_t BeforeInLast = 0;
};

/// Names the event that a call records or waits for.
std::string eventOf(const Trace &T, const Step &S) {
  const std::vector<Arg> &Args = S.Call->Linked->Model->Args;
  if (Args.empty())
    return "";
  const std::string Name = T.eventNamed(S.Frame, Args[0]);
  return Name.empty() ? Args[0].Text : Name;
}

Wanted wantedBy(const Trace &T, size_t Wait) {
  const Step &S = T.Steps[Wait];
  Wanted Result{S.Call->Effects.Target == WaitsFor::Device, S.Call->Stream,
                Wait};
  if (S.Call->Effects.Target != WaitsFor::Event)
    return Result;
  Result.Stream = {};
  const std::string Own = eventOf(T, S);
  const auto Records = [&](size_t I) {
    const PathSite *Call = T.Steps[I].Call;
    if (!Call || !Call->Linked->cudaRow().contains("EventRecord") ||
        eventOf(T, T.Steps[I]) != Own)
      return false;
    Result.Stream = Call->Stream;
    return true;
  };
  const auto Here = llvm::lower_bound(T.Calls, Wait);
  for (auto It = Here; It != T.Calls.begin();)
    if (Records(*--It)) {
      Result.Before = *It;
      return Result;
    }
  const auto Last = std::find_if(
      Here, llvm::lower_bound(T.Calls, T.Loops[S.Loop].End), Records);
  if (Last != T.Calls.end() && *Last < T.Loops[S.Loop].End)
    Result.BeforeInLast = *Last;
  return Result;
}

class BackwardScan {
  const Trace &T;
  const size_t Wait;
  const Wanted What;
  const bool MayBeRedundant; ///< The waits before it.
  /// Gets all work that may be pending, as far as the iterations of the
  /// innermost loop show, until it returns true; null: it is enough to know
  /// whether there is some.
  const llvm::function_ref<bool(const Step &)> All;
  Search Steps;
  std::map<std::string, bool> CoversAll; ///< By name of the stream.
  bool IsDone = true;                    ///< On all paths so far.
  bool IsInLast = false; ///< The scan is in an iteration before.
  /// Each path has passed a call that most often waits: cudaFree, or that of a
  /// function that was not read.
  bool PassedLikely = false;
  /// Of work that may have ended. Beyond so much, no other is looked for.
  static constexpr unsigned MostDoubtful = 32;
  unsigned Passed = 0;
  /// Work for which calls have waited: on streams that one covers, under a
  /// guard and before a step, by guard; -1: under any.
  struct Completion {
    StreamId On;
    bool All = false; ///< On any stream that the scan asks about.
    llvm::DenseMap<int, size_t> Before;
    const Step *By =
        nullptr; ///< The call that waits on each path, if one does.

    /// Whether each path has waited for what precedes a step.
    bool covers(size_t Begin) const { return By && Before.lookup(-1) >= Begin; }
  };
  std::vector<Completion> Completed;

public:
  Pending Found;

  BackwardScan(const Trace &T, size_t Wait,
               llvm::function_ref<bool(const Step &)> All = nullptr)
      : T(T), Wait(Wait), What(wantedBy(T, Wait)),
        MayBeRedundant(isNeededItself(*T.Steps[Wait].Call)), All(All),
        Steps(T, Wait,
              Search::Calls | Search::Unknown |
                  (MayBeRedundant ? Search::Quiet : 0)) {}

  void run() {
    size_t From = What.Before;
    for (int L = T.Steps[From].Loop; L >= 0; L = T.Loops[L].Parent) {
      if (range(From, T.Loops[L].Begin))
        break;
      // The beginning of an iteration follows the end of the last one, or what
      // is before the loop, where that end has not run.
      const std::vector<Completion> Before = Completed;
      const bool LikelyBefore = PassedLikely;
      IsInLast = true;
      if (!range(T.Loops[L].End, Wait + 1))
        IsDone = false;
      Completed = Before;
      PassedLikely = LikelyBefore;
      From = T.Loops[L].Begin;
      if (T.Loops[L].Parent < 0 || All)
        break;
    }
    Found.Waited = IsDone && Found.Done;
    if (!IsDone || !Found.isNothing())
      Found.Done = nullptr;
  }

  /// The same for one iteration; returns whether waits in it complete the rest.
  bool runWithin() {
    const bool IsDone =
        range(What.Before, T.Loops[T.Steps[What.Before].Loop].Begin);
    return IsDone && !Found.Unseen;
  }

private:
  /// Returns whether all that may run is known there.
  bool range(size_t From, size_t Begin) {
    for (size_t I = From; Steps.last(Begin, I, I);) {
      const Step &S = T.Steps[I];
      if (isCompleted(I))
        continue;
      if (isWork(S) &&
          (!What.BeforeInLast || (IsInLast && I < What.BeforeInLast))) {
        const bool IsDoubtful =
            PassedLikely || mayBeComplete(S) || isDoubtfulUnder(S);
        (IsDoubtful ? Found.Doubtful : Found.Work) = true;
        Found.Last = Found.Last && (IsDoubtful || All) ? Found.Last : &S;
        if (IsDoubtful && !All && !PassedLikely && ++Passed < MostDoubtful)
          continue;
        if (!All || (S.Call && All(S)))
          return true;
        Found.Unseen |= !S.Call;
      }
      const bool IsUnread =
          S.Class == Step::Unknown && T.functionOf(S.Frame).Unread;
      if (S.Class == Step::Unknown) {
        (IsUnread || PassedLikely ? Found.Doubtful : Found.Unseen) = true;
        if (!T.HasUnread)
          Steps.ignore(Search::Unknown);
      }
      PassedLikely |=
          isLikelyWait(S) || ((IsUnread || isOfSameField(S)) &&
                              T.isGuardIn(T.Steps[Wait].Guard, S.Guard));
      if (!S.Call || !S.Call->waits())
        continue;
      if (MayBeRedundant && supersededBy(T, I) == &T.Steps[Wait])
        Found.Redundant = &S;
      else if (complete(I))
        return done(S);
    }
    for (const Completion &C : Completed)
      if (C.All && C.covers(Begin))
        return done(*C.By);
    passOn(Begin);
    return false;
  }

  /// All of an earlier iteration, or from before a loop, precedes what each
  /// path has passed.
  void passOn(size_t Begin) {
    llvm::erase_if(Completed,
                   [=](const Completion &C) { return !C.covers(Begin); });
    for (Completion &C : Completed) {
      C.Before.clear();
      C.Before[-1] = ~size_t(0);
    }
  }

  bool done(const Step &By) {
    Found.Done = &By;
    return true;
  }

  /// Notes what the call waits for; returns whether that is all there is.
  bool complete(size_t I) {
    const Step &S = T.Steps[I];
    const Wanted Done = wantedBy(T, I);
    if (S.Call->Effects.Target == WaitsFor::Nothing || Done.BeforeInLast ||
        (S.Call->Effects.Target == WaitsFor::Event &&
         !isSameEvent(S, T.Steps[Done.Before])) ||
        !T.isGuardIn(S.Guard, T.Steps[Done.Before].Guard))
      return false;
    const bool All = waitsForAll(Done);
    // What the wait's own path need not pass completes its branch only.
    const bool Always = T.isGuardIn(T.Steps[Wait].Guard, S.Guard);
    if (All && Always && Done.Before == I)
      return true;
    if (!All && !What.Device)
      return false;
    auto It = llvm::find_if(Completed, [&](const Completion &C) {
      return C.All == All && (All || (C.On.Name == Done.Stream.Name &&
                                      C.On.Kind == Done.Stream.Kind));
    });
    if (It == Completed.end())
      It = Completed.insert(It, Completion());
    It->On = Done.Stream;
    It->All = All;
    note(*It, S.Guard, Done.Before, S);
    return All && It->covers(I);
  }

  /// Notes that work before a step is complete under a guard.
  void note(Completion &C, int Guard, size_t Done, const Step &By) {
    const bool Always = T.isGuardIn(T.Steps[Wait].Guard, Guard);
    size_t &Before = C.Before[Always ? -1 : Guard];
    Before = std::max(Before, Done);
    if (Always) {
      C.By = &By;
      return;
    }
    const audit::Guard &Here = T.Guards[Guard];
    // One of two branches runs.
    for (const auto &[Other, Until] : C.Before)
      if (Other >= 0 && T.Guards[Other].Parent == Here.Parent &&
          T.Guards[Other].Says.isOpposite(Here.Says))
        return note(C, Here.Parent, std::min(Before, Until), By);
  }

  /// Whether the event that is waited for, which has the same name, is surely
  /// the one recorded: `events[i]` may be another one.
  bool isSameEvent(const Step &Waited, const Step &Recorded) const {
    const std::string Text = eventOf(T, Waited);
    const StringRef Name = Text;
    const bool IsOne = Name.starts_with("#") || Name.starts_with("G:") ||
                       (Name.contains('|') && !isUnknown(Name));
    const auto IsFixed = [](const Step &S) {
      return isFixedName(S.Call->Linked->Model->Args[0].Text);
    };
    return !Name.empty() && (IsOne || Waited.Frame == Recorded.Frame) &&
           IsFixed(Waited) && IsFixed(Recorded);
  }

  bool waitsForAll(const Wanted &Done) {
    if (Done.Device)
      return true;
    return What.Device ? isWholeDevice(T, Done.Stream) || coversAll(Done.Stream)
                       : covers(Done.Stream, What.Stream);
  }

  bool isCompleted(size_t I) const {
    const Step &S = T.Steps[I];
    return llvm::any_of(Completed, [&](const Completion &C) {
      if (!C.All && !(S.Call && covers(C.On, S.Call->Stream)))
        return false;
      for (int G = S.Guard; G >= 0; G = T.Guards[G].Parent)
        if (I < C.Before.lookup(G))
          return true;
      return I < C.Before.lookup(-1);
    });
  }

  /// Whether it waits for the same field's stream, of perhaps another object:
  /// most often, there is one.
  bool isOfSameField(const Step &S) const {
    return S.Call && S.Call->waits() && !What.Device &&
           S.Call->Effects.Target == WaitsFor::Stream &&
           !What.Stream.Name.empty() && !S.Call->Stream.Name.empty() &&
           mayBeSame(S.Call->Stream, What.Stream);
  }

  /// Whether each path passes it: memory is seldom null or from a pool when it
  /// is freed, and objects are seldom empty when they end.
  bool isLikelyWait(const Step &S) const {
    if (!S.Call || S.Call->Linked->kind() != CallClass::Free ||
        S.Call->Effects.Wait == Waits::No ||
        S.Call->Effects.Target != WaitsFor::Device)
      return false;
    for (int G = S.Guard; !T.isGuardIn(T.Steps[Wait].Guard, G);
         G = T.Guards[G].Parent) {
      const Guard &Around = T.Guards[G];
      const bool IsLikely =
          Around.Branch && asksForContent(Around.Branch->When);
      int F = IsLikely ? Around.Frame : -1;
      while (F >= 0 && !(T.Frames[F].Made && T.Frames[F].Made->EndsObject))
        F = T.Frames[F].Parent;
      if (F < 0)
        return false;
    }
    return true;
  }

  /// Whether it is a copy that is complete unless it is on the device.
  static bool mayBeComplete(const Step &S) {
    return S.Call && S.Call->Effects.Wait == Waits::Maybe &&
           S.Call->Linked->kind() == CallClass::Copy &&
           !isAsynchronous(*S.Call->Linked);
  }

  /// Whether it runs under a condition that the wait is not under, and that its
  /// branch may change: once for each object, most often. Or in a helper that
  /// waits otherwise.
  bool isDoubtfulUnder(const Step &S) const {
    for (int G = S.Guard; !T.isGuardIn(T.Steps[Wait].Guard, G);
         G = T.Guards[G].Parent)
      if (T.Guards[G].IsLatch ||
          (T.Guards[G].WaitsOtherwise &&
           !T.isFrameIn(T.Steps[Wait].Frame, T.Guards[G].Frame)))
        return true;
    return false;
  }

  bool isWork(const Step &S) const {
    return leavesWork(S) && (What.Device || S.Class == Step::Queues ||
                             mayCover(What.Stream, S.Call->Stream));
  }

  /// Whether all work of the trace is on streams that a wait for this one
  /// covers.
  bool coversAll(const StreamId &Done) {
    auto [It, New] = CoversAll.try_emplace(Done.Name, !Done.Name.empty());
    if (New && It->second)
      It->second = llvm::all_of(T.Steps, [&](const Step &S) {
        return !leavesWork(S) || (S.Call && covers(Done, S.Call->Stream));
      });
    return It->second;
  }
};

} // namespace

bool waitsForAll(const Trace &T, size_t Wait, size_t Before,
                 const StreamId &On) {
  const Wanted What = wantedBy(T, Wait);
  return What.Before > Before && !What.BeforeInLast &&
         (What.Device || isWholeDevice(T, What.Stream) ||
          covers(What.Stream, On));
}

Pending pendingAt(const Trace &T, size_t Wait) {
  const PathSite &S = *T.Steps[Wait].Call;
  if (S.Linked->Launches) { // It waits for what it queues itself.
    Pending Own;
    Own.Work = true;
    Own.Last = &T.Steps[Wait];
    return Own;
  }
  BackwardScan Scan(T, Wait);
  Scan.run();
  return Scan.Found;
}

std::vector<const Step *> pendingWork(const Trace &T, size_t Wait) {
  std::vector<const Step *> Result;
  BackwardScan(T, Wait, [&Result](const Step &S) {
    Result.push_back(&S);
    return false;
  }).run();
  return Result;
}

int guardOfPending(const Trace &T, size_t Wait, const Pending &Before) {
  const Step &S = T.Steps[Wait];
  int Common = Before.Last ? Before.Last->Guard : -1;
  if (T.isGuardIn(S.Guard, Common) || !T.Guards[Common].Branch)
    return -1;
  // A condition in a function that the path to the wait is in.
  if (!T.isFrameIn(S.Frame, T.Guards[Common].Frame))
    return -1;
  const auto IsAlways = [&](const Step &Work) {
    while (Common >= 0 && !T.isGuardIn(Work.Guard, Common))
      Common = T.Guards[Common].Parent;
    return T.isGuardIn(S.Guard, Common);
  };
  return BackwardScan(T, Wait, IsAlways).runWithin() &&
                 !T.isGuardIn(S.Guard, Common)
             ? Common
             : -1;
}

std::vector<StreamId> awaitedStreams(const Trace &T, size_t Wait) {
  std::vector<StreamId> Result;
  for (const Step *Work : pendingWork(T, Wait)) {
    const StreamId &On = Work->Call->Stream;
    if (llvm::none_of(Result, [&](const StreamId &Known) {
          return Known.Kind == On.Kind && Known.Name == On.Name;
        }))
      Result.push_back(On);
  }
  return Result;
}

} // namespace autoprof::audit
