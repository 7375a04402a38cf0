// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/Flow.h"

#include "catalogue/LibraryTraits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::Fact;
using catalogue::WaitsFor;
using llvm::StringRef;

bool covers(const StreamId &Done, const StreamId &Wanted) {
  if (Done.Kind == Legacy)
    return Wanted.Kind != ~0u && !(Wanted.Kind & NonBlocking);
  return !Done.Name.empty() && Done.Name == Wanted.Name;
}

/// Whether a call on this stream waits for all others: nothing makes one that
/// the legacy default stream does not wait for.
static bool isWholeDevice(const Trace &T, const StreamId &Stream) {
  return Stream.Kind == Legacy && !T.project().makesNonBlocking();
}

/// Whether a wait for one stream may be for work on the other.
static bool mayCover(const StreamId &Done, const StreamId &Work) {
  if (Done.Name.empty() || Work.Name.empty() || Done.Name == Work.Name)
    return true;
  if (Done.Kind == Legacy)
    return Work.Kind != NonBlocking;
  // One that is given may be any.
  if (Done.Kind == ~0u || Work.Kind == ~0u)
    return true;
  return false;
}

static bool isEventOf(const PathSite &S, StringRef Suffix) {
  return S.Linked->cudaRow().contains(Suffix);
}

bool leavesWork(const Step &S) {
  return S.Class == Step::Queues || (S.Call && S.Call->LeavesWork);
}

namespace {

/// What a call waits for.
struct Wanted {
  bool Device = false;
  StreamId Stream;
  size_t Before; ///< Work before this step: of an event, where it is recorded.
};

Wanted wantedBy(const Trace &T, size_t Wait) {
  const Step &S = T.Steps[Wait];
  Wanted Result{S.Call->Effects.Target == WaitsFor::Device, S.Call->Stream,
                Wait};
  if (S.Call->Effects.Target != WaitsFor::Event)
    return Result;
  auto EventOf = [&](const Step &At) {
    const std::vector<Arg> &Args = At.Call->Linked->Model->Args;
    if (Args.empty())
      return std::string();
    return Args[0].Cell >= 0 ? T.memoryOf(At.Frame, Args[0].Cell)
                             : Args[0].Text;
  };
  Result.Stream = {};
  const std::string Own = EventOf(S);
  for (auto It = llvm::lower_bound(T.Calls, Wait); It != T.Calls.begin();) {
    const size_t I = *--It;
    if (const Step &At = T.Steps[I];
        At.Call && isEventOf(*At.Call, "EventRecord") && EventOf(At) == Own) {
      Result.Stream = At.Call->Stream;
      Result.Before = I;
      break;
    }
  }
  return Result;
}

class BackwardScan {
  const Trace &T;
  const size_t Wait;
  const Wanted What;
  Exclusions Excluded;
  std::map<std::string, bool> CoversAll; ///< By name of the stream.
  bool IsDone = true;                    ///< On all paths so far.
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

  BackwardScan(const Trace &T, size_t Wait)
      : T(T), Wait(Wait), What(wantedBy(T, Wait)),
        Excluded(T, T.Steps[Wait].Guard) {}

  void run() {
    size_t From = What.Before;
    for (int L = T.Steps[From].Loop; L >= 0; L = T.Loops[L].Parent) {
      if (range(From, T.Loops[L].Begin))
        break;
      // The beginning of an iteration follows the end of the last one, or what
      // is before the loop, where that end has not run.
      const std::vector<Completion> Before = Completed;
      if (!range(T.Loops[L].End, Wait + 1))
        IsDone = false;
      Completed = Before;
      From = T.Loops[L].Begin;
      if (T.Loops[L].Parent < 0)
        break;
    }
    Found.Waited = IsDone && Found.Done;
    if (!IsDone || !Found.isNothing())
      Found.Done = nullptr;
  }

private:
  /// Returns whether all that may run is known there.
  bool range(size_t From, size_t Begin) {
    for (auto It = llvm::lower_bound(T.Calls, From);
         It != T.Calls.begin() && *std::prev(It) >= Begin;) {
      const size_t I = *--It;
      const Step &S = T.Steps[I];
      if (const Guard *Other = Excluded.of(S.Guard)) {
        if (Other->Begin < Other->End)
          It = llvm::lower_bound(T.Calls, Other->Begin);
        continue;
      }
      if (isCompleted(I))
        continue;
      if (isWork(S)) {
        Found.Work = true;
        Found.Last = Found.Last ? Found.Last : &S;
        return true;
      }
      if (S.Class == Step::Unknown)
        Found.Unseen = true;
      if (S.Call && S.Call->waits() && supersededBy(T, I) != &T.Steps[Wait] &&
          complete(I))
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
    if (S.Call->Effects.Target == WaitsFor::Nothing ||
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
    size_t &Before = It->Before[Always ? -1 : S.Guard];
    Before = std::max(Before, Done.Before);
    if (Always)
      It->By = &S;
    return false;
  }

  /// Whether the event that is waited for is surely the one recorded:
  /// `events[i]` may be another one.
  static bool isSameEvent(const Step &Waited, const Step &Recorded) {
    const std::vector<Arg> &One = Waited.Call->Linked->Model->Args,
                           &Other = Recorded.Call->Linked->Model->Args;
    return Waited.Frame == Recorded.Frame && !One.empty() && !Other.empty() &&
           One[0].Text == Other[0].Text && isFixedName(One[0].Text);
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

Pending pendingAt(const Trace &T, size_t Wait) {
  const PathSite &S = *T.Steps[Wait].Call;
  if (S.Linked->Launches) // It waits for what it queues itself.
    return {true, false, false, &T.Steps[Wait], nullptr};
  BackwardScan Scan(T, Wait);
  Scan.run();
  return Scan.Found;
}

//===-- Uses --------------------------------------------------------------===//

static bool isToHost(const PathSite &S) {
  return S.Linked->kind() == CallClass::Copy &&
         catalogue::settled(S.Known)[Fact::Direction] == DtoH;
}

static std::string memoryOf(const Trace &T, const Step &S, const Arg &A) {
  return A.Cell >= 0 ? T.memoryOf(S.Frame, A.Cell) : T.memoryOf(S.Frame, A.Val);
}

static void addMemory(const Trace &T, const Step &S, const Arg &A,
                      std::vector<std::string> &Out) {
  std::string Memory = memoryOf(T, S, A);
  if (!Memory.empty() && !llvm::is_contained(Out, Memory))
    Out.push_back(std::move(Memory));
}

/// What the GPU may write through the arguments of a call.
static void addWritten(const Trace &T, const Step &S,
                       std::vector<std::string> &Out) {
  const std::vector<Arg> &Args = S.Call->Linked->Model->Args;
  auto Add = [&](const Arg &A) { addMemory(T, S, A, Out); };
  if (isToHost(*S.Call)) {
    if (const Arg *Host = hostArgument(*S.Call->Linked, true))
      Add(*Host);
    return;
  }
  if (S.Call->Linked->kind() == CallClass::Copy)
    return;
  const uint32_t Shared =
      S.Call->waits() ? Managed | Pinned | Pageable : Managed | Pinned;
  for (const Arg &A : Args) {
    const Resolved Memory = T.resolve(S.Frame, A.Val);
    if (A.MayWrite && Memory.known() && !(Memory.Mask & ~Shared))
      Add(A);
  }
}

/// The memory of the host that work in the GPU's queue reads, or shares with
/// it.
static void addRead(const Trace &T, const Step &S,
                    std::vector<std::string> &Out) {
  const std::vector<Arg> &Args = S.Call->Linked->Model->Args;
  auto Add = [&](const Arg &A) { addMemory(T, S, A, Out); };
  if (S.Call->Linked->kind() == CallClass::Copy) {
    const uint32_t Direction =
        catalogue::settled(S.Call->Known)[Fact::Direction];
    if (const Arg *Host = hostArgument(*S.Call->Linked, Direction == DtoH);
        Host && (Direction == HtoD || Direction == DtoH))
      Add(*Host);
    return;
  }
  for (const Arg &A : Args) {
    const Resolved Memory = T.resolve(S.Frame, A.Val);
    if (Memory.known() && !(Memory.Mask & ~uint32_t(Managed | Pinned)))
      Add(A);
  }
}

/// Calls `Use` for the work that an explicit wait waits for.
static void forAwaited(const Trace &T, size_t Wait,
                       llvm::function_ref<void(const Step &)> Use) {
  const Step &S = T.Steps[Wait];
  Exclusions Excluded(T, S.Guard);
  auto Look = [&](size_t From, size_t Begin) {
    for (size_t I = From; I-- > Begin;) {
      const Step &Before = T.Steps[I];
      if (const Guard *Other = Excluded.of(Before.Guard)) {
        if (Other->Begin < Other->End)
          I = Other->Begin;
        continue;
      }
      if (!Before.Call)
        continue;
      if (Before.Call->Linked->kind() == CallClass::Sync &&
          Before.Call->waits() && T.isGuardIn(S.Guard, Before.Guard))
        return;
      if (leavesWork(Before))
        Use(Before);
    }
  };
  const LoopOnPath &L = T.Loops[S.Loop];
  Look(Wait, L.Begin);
  Look(L.End, Wait + 1);
}

std::vector<std::string> completedBy(const Trace &T, size_t Wait) {
  std::vector<std::string> Result;
  const Step &S = T.Steps[Wait];
  if (S.Call->Linked->kind() != CallClass::Sync)
    addWritten(T, S, Result);
  else
    forAwaited(T, Wait, [&](const Step &Work) { addWritten(T, Work, Result); });
  return Result;
}

std::vector<StreamId> awaitedStreams(const Trace &T, size_t Wait) {
  std::vector<StreamId> Result;
  const Wanted What = wantedBy(T, Wait);
  forAwaited(T, Wait, [&](const Step &Work) {
    const StreamId &On = Work.Call->Stream;
    if (!What.Device && !mayCover(What.Stream, On))
      return;
    if (llvm::none_of(Result, [&](const StreamId &Known) {
          return Known.Kind == On.Kind && Known.Name == On.Name;
        }))
      Result.push_back(On);
  });
  return Result;
}

static bool touches(const Trace &T, const Step &S,
                    llvm::ArrayRef<std::string> Memory) {
  const Value &V = T.functionOf(S.Frame).Touches[S.Happened->Index].Memory;
  return llvm::is_contained(Memory, T.memoryOf(S.Frame, V)) ||
         llvm::is_contained(Memory, T.variableOf(S.Frame, V));
}

/// Whether the host may see, without a copy, what the call leaves behind.
static bool isVisible(const Trace &T, const Step &Work) {
  return isToHost(*Work.Call) ||
         llvm::any_of(Work.Call->Linked->Model->Args, [&](const Arg &A) {
           return A.MayWrite && (T.resolve(Work.Frame, A.Val).Mask &
                                 ~uint32_t(Device | Pool)) != 0;
         });
}

/// Whether it stands in the call that ends with `Last`, as an argument.
static bool isArgument(const Trace &T, const Step &S, const Step &Last) {
  const auto Follows = [&](const Place &Call) {
    return Call.File == S.Location.File && Call.Line <= S.Location.Line;
  };
  if (Last.Frame == S.Frame)
    return Follows(Last.Location);
  for (int F = Last.Frame; F >= 0; F = T.Frames[F].Parent)
    if (const Call *Made = T.Frames[F].Made;
        Made && T.Frames[F].Parent == S.Frame)
      return Follows(Made->Location);
  return false;
}

static const Step *copyInstead(const Trace &T, size_t Wait) {
  const Step &S = T.Steps[Wait];
  std::vector<const Step *> Between;
  const Step *Next = following(T, Wait, S.Loop, [&](const Step &Other, bool) {
    if (Other.Class == Step::Host)
      Between.push_back(&Other);
    return Other.Class != Step::Host &&
           (!Other.Call || Other.Call->waits() || leavesWork(Other) ||
            Other.Call->Linked->kind() == CallClass::Free);
  });
  if (!Next || !Next->Call || !Next->Call->waits() || !isToHost(*Next->Call) ||
      isAsynchronous(*Next->Call->Linked) || Next < &S ||
      !T.isGuardIn(S.Guard, Next->Guard) || !T.isGuardIn(Next->Guard, S.Guard))
    return nullptr;
  for (const StreamId &On : awaitedStreams(T, Wait))
    if (!isWholeDevice(T, Next->Call->Stream) &&
        !covers(Next->Call->Stream, On))
      return nullptr;
  bool Seen = false;
  forAwaited(T, Wait, [&](const Step &Work) {
    Seen |= !Work.Call || isVisible(T, Work);
  });
  const bool Needed = llvm::any_of(Between, [&](const Step *Host) {
    switch (Host->Happened->Class) {
    case Event::Clock:
    case Event::HandsOver:
    case Event::Blocks:
    case Event::Dies:
      return true;
    default:
      return Seen && !isArgument(T, *Host, *Next);
    }
  });
  return Needed ? nullptr : Next;
}

const Step *supersededBy(const Trace &T, size_t Wait) {
  const PathSite &S = *T.Steps[Wait].Call;
  if (S.Linked->kind() != CallClass::Sync ||
      S.Effects.Target == WaitsFor::Event)
    return nullptr;
  auto [It, New] = T.Superseded.try_emplace(Wait);
  if (New)
    It->second = copyInstead(T, Wait);
  return It->second;
}

const Step *nextChange(const Trace &T, size_t Wait, int Loop) {
  std::vector<std::string> Memory;
  forAwaited(T, Wait, [&](const Step &Work) { addRead(T, Work, Memory); });
  if (Memory.empty())
    return nullptr;
  return following(T, Wait, Loop, [&](const Step &S, bool) {
    if (S.Class != Step::Host)
      return false;
    const Event &E = *S.Happened;
    if (E.Class == Event::Touched)
      return touches(T, S, Memory);
    const bool Changes = E.Class == Event::Written || E.Class == Event::Dies ||
                         (E.Class == Event::Passed && !E.ReadOnly);
    return Changes &&
           llvm::is_contained(Memory, T.memoryOf(S.Frame, int(E.Index)));
  });
}

const Step *
following(const Trace &T, size_t From, int Loop,
          llvm::function_ref<bool(const Step &, bool IsNext)> Stop) {
  const LoopOnPath &L = T.Loops[Loop];
  Exclusions Excluded(T, T.Steps[From].Guard);
  auto Look = [&](size_t Begin, size_t End, bool IsNext) -> const Step * {
    for (size_t I = Begin; I < End; ++I)
      if (const Guard *Other = Excluded.of(T.Steps[I].Guard))
        I = std::max(I + 1, Other->End) - 1;
      else if (Stop(T.Steps[I], IsNext))
        return &T.Steps[I];
    return nullptr;
  };
  if (const Step *Found = Look(From + 1, L.End, false))
    return Found;
  return Look(L.Begin, From + 1, true);
}

/// Whether the host uses memory with one of these names there.
static bool uses(const Trace &T, const Step &S,
                 llvm::ArrayRef<std::string> Memory) {
  if (S.Call && S.Call->Linked->kind() == CallClass::Copy &&
      !isToHost(*S.Call)) {
    // Copies from pinned memory are made in the order of their stream.
    if (isAsynchronous(*S.Call->Linked) &&
        catalogue::settled(S.Call->Known)[Fact::Source] == Pinned)
      return false;
    std::vector<std::string> From;
    addRead(T, S, From);
    return llvm::any_of(From, [&](const std::string &M) {
      return llvm::is_contained(Memory, M);
    });
  }
  if (S.Class != Step::Host)
    return false;
  const Event &E = *S.Happened;
  switch (E.Class) {
  case Event::Read:
  case Event::Passed:
    return llvm::is_contained(Memory, T.memoryOf(S.Frame, int(E.Index)));
  case Event::Touched:
    return touches(T, S, Memory);
  default:
    return false;
  }
}

FirstUse firstUse(const Trace &T, size_t Wait, int Loop) {
  const std::vector<std::string> Memory = completedBy(T, Wait);
  FirstUse Result;
  if (Memory.empty())
    return Result;
  bool Queued = false;
  const Step *Found = following(T, Wait, Loop, [&](const Step &S, bool IsNext) {
    if (!uses(T, S, Memory)) {
      Queued |= leavesWork(S);
      return false;
    }
    Result.When = IsNext    ? FirstUse::NextIteration
                  : !Queued ? FirstUse::AtOnce
                            : FirstUse::SameIteration;
    return true;
  });
  if (Found) {
    Result.Location = Found->Location;
    return Result;
  }
  // The enclosing loops: after this one.
  for (int L = T.Loops[Loop].Parent; L >= 0; L = T.Loops[L].Parent)
    for (size_t I = T.Loops[Loop].End; I < T.Loops[L].End; ++I)
      if (uses(T, T.Steps[I], Memory)) {
        Result.When = FirstUse::AfterLoop;
        Result.Location = T.Steps[I].Location;
        return Result;
      }
  return Result;
}

} // namespace autoprof::audit
