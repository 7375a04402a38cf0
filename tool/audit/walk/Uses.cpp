// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host does with what a call has waited for.
#include "audit/walk/Flow.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::Fact;
using catalogue::WaitsFor;
using llvm::StringRef;

static bool isToHost(const PathSite &S) {
  return S.Linked->kind() == CallClass::Copy &&
         catalogue::settled(S.Known)[Fact::Direction] == DtoH;
}

namespace {

/// Memory as Trace::memoryOf() names it.
struct Memory {
  std::string Name;
  int Of = 0; ///< The frame whose code has this name for it; -1: any.
};

} // namespace

/// Whether the frame's function is a method of the class whose field it is:
/// then the field is most often that of its own object.
static bool isOwnField(const Trace &T, const Memory &M) {
  const StringRef Usr = T.functionOf(M.Of).Usr;
  const auto [Class, Field] = StringRef(M.Name).drop_front(2).split("@FI@");
  return Field.empty() || !Usr.starts_with("c:") ||
         Usr.starts_with((Class + "@").str());
}

/// Fields of objects that are given are those of one object only where one
/// function calls the other.
static bool isSame(const Trace &T, const Memory &A, const Memory &B) {
  return A.Name == B.Name && !A.Name.empty() &&
         (A.Of < 0 || !StringRef(A.Name).starts_with("F:") ||
          T.isFrameIn(A.Of, B.Of) || T.isFrameIn(B.Of, A.Of) ||
          isOwnField(T, A) || isOwnField(T, B));
}

static bool holds(const Trace &T, llvm::ArrayRef<Memory> All, const Memory &M) {
  return llvm::any_of(All,
                      [&](const Memory &Known) { return isSame(T, Known, M); });
}

static bool holds(const Trace &T, llvm::ArrayRef<Memory> All, const Step &S,
                  int Cell) {
  Memory M;
  M.Name = T.memoryOf(S.Frame, Cell, &M.Of);
  return holds(T, All, M);
}

static void addMemory(const Trace &T, const Step &S, const Arg &A,
                      std::vector<Memory> &Out) {
  Memory M;
  M.Name = A.Cell >= 0 ? T.memoryOf(S.Frame, A.Cell, &M.Of)
                       : T.memoryOf(S.Frame, A.Val, &M.Of);
  if (!M.Name.empty() && !holds(T, Out, M))
    Out.push_back(std::move(M));
}

/// What the GPU may write through the arguments of a call.
static void addWritten(const Trace &T, const Step &S,
                       std::vector<Memory> &Out) {
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
static void addRead(const Trace &T, const Step &S, std::vector<Memory> &Out) {
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

/// The host memory that is complete when the call has returned: of a copy or a
/// result its destination; of an explicit wait those of the copies before it,
/// and memory that the GPU shares with the host and that kernels before it may
/// write.
static std::vector<Memory> completedBy(const Trace &T, size_t Wait) {
  std::vector<Memory> Result;
  const Step &S = T.Steps[Wait];
  if (S.Call->Linked->kind() != CallClass::Sync)
    addWritten(T, S, Result);
  else
    for (const Step *Work : pendingWork(T, Wait))
      addWritten(T, *Work, Result);
  return Result;
}

static bool touches(const Trace &T, const Step &S, llvm::ArrayRef<Memory> All) {
  const Value &V = T.functionOf(S.Frame).Touches[S.Happened->Index].Memory;
  Memory Pointee, Variable;
  Pointee.Name = T.memoryOf(S.Frame, V, &Pointee.Of);
  Variable.Name = T.variableOf(S.Frame, V, &Variable.Of);
  return holds(T, All, Pointee) || holds(T, All, Variable);
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

bool isNeededItself(const PathSite &S) {
  return S.waits() && (S.Effects.Target == WaitsFor::Event ||
                       (isToHost(S) && !isAsynchronous(*S.Linked)));
}

static const Step *laterWait(const Trace &T, size_t Wait) {
  const Step &S = T.Steps[Wait];
  std::vector<const Step *> Between;
  const Step *Next =
      following(Search(T, Wait), S.Loop, [&](const Step &Other, bool) {
        if (Other.Class == Step::Host)
          Between.push_back(&Other);
        return Other.Class != Step::Host &&
               (!Other.Call || Other.Call->waits() || leavesWork(Other) ||
                Other.Call->Linked->kind() == CallClass::Free);
      });
  if (!Next || Next < &S || !Next->Call || !isNeededItself(*Next->Call) ||
      !T.isGuardIn(S.Guard, Next->Guard))
    return nullptr;
  for (const StreamId &On : awaitedStreams(T, Wait))
    if (!waitsForAll(T, Next - T.Steps.data(), Wait, On))
      return nullptr;
  bool Seen = false;
  for (const Step *Work : pendingWork(T, Wait))
    Seen |= isVisible(T, *Work);
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
    It->second = laterWait(T, Wait);
  return It->second;
}

const Step *nextChange(const Trace &T, size_t Wait, int Loop) {
  std::vector<Memory> Read;
  const bool IsShared = isExplicitWait(T.Steps[Wait]);
  if (!IsShared)
    addRead(T, T.Steps[Wait], Read);
  else
    for (const Step *Work : pendingWork(T, Wait))
      addRead(T, *Work, Read);
  if (Read.empty())
    return nullptr;
  // Without the wait, an access too many is no harm, one too few is a race.
  for (Memory &M : Read)
    M.Of = IsShared ? -1 : M.Of;
  return following(Search(T, Wait, Search::Host), Loop,
                   [&](const Step &S, bool) {
                     if (S.Class != Step::Host)
                       return false;
                     const Event &E = *S.Happened;
                     if (E.Class == Event::Touched)
                       return (IsShared || !E.ReadOnly) && touches(T, S, Read);
                     const bool Changes =
                         E.Class == Event::Written || E.Class == Event::Dies ||
                         (E.Class == Event::Passed && !E.ReadOnly);
                     return Changes && holds(T, Read, S, int(E.Index));
                   });
}

const Step *
following(Search &&From, int Loop,
          llvm::function_ref<bool(const Step &, bool IsNext)> Stop) {
  const LoopOnPath &L = From.T.Loops[Loop];
  auto Look = [&](size_t Begin, size_t End, bool IsNext) -> const Step * {
    for (size_t I = Begin; From.first(I, End, I); ++I)
      if (Stop(From.T.Steps[I], IsNext))
        return &From.T.Steps[I];
    return nullptr;
  };
  if (const Step *Found = Look(From.At + 1, L.End, false))
    return Found;
  return Look(L.Begin, From.At + 1, true);
}

/// Whether the host uses some of the memory there.
static bool uses(const Trace &T, const Step &S, llvm::ArrayRef<Memory> All) {
  if (S.Call && S.Call->Linked->kind() == CallClass::Copy &&
      !isToHost(*S.Call)) {
    // Copies from pinned memory are made in the order of their stream.
    if (isAsynchronous(*S.Call->Linked) &&
        catalogue::settled(S.Call->Known)[Fact::Source] == Pinned)
      return false;
    std::vector<Memory> From;
    addRead(T, S, From);
    return llvm::any_of(From,
                        [&](const Memory &M) { return holds(T, All, M); });
  }
  if (S.Class != Step::Host)
    return false;
  const Event &E = *S.Happened;
  switch (E.Class) {
  case Event::Read:
  case Event::Passed:
    return holds(T, All, S, int(E.Index));
  case Event::Touched:
    return touches(T, S, All);
  default:
    return false;
  }
}

FirstUse firstUse(const Trace &T, size_t Wait, int Loop) {
  const std::vector<Memory> Complete = completedBy(T, Wait);
  FirstUse Result;
  if (Complete.empty())
    return Result;
  bool Queued = false;
  Search Steps(T, Wait, Search::Host | Search::Calls);
  const Step *Found =
      following(std::move(Steps), Loop, [&](const Step &S, bool IsNext) {
        if (!uses(T, S, Complete)) {
          Queued |= leavesWork(S);
          return false;
        }
        Result.When = !Queued  ? FirstUse::AtOnce
                      : IsNext ? FirstUse::NextIteration
                               : FirstUse::SameIteration;
        Result.IsCopied = S.Call != nullptr;
        return true;
      });
  if (Found) {
    Result.Location = Found->Location;
    return Result;
  }
  // The enclosing loops: after this one.
  Search Later(T, Wait, Search::Host | Search::Calls);
  for (int L = T.Loops[Loop].Parent; L >= 0; L = T.Loops[L].Parent)
    for (size_t I = T.Loops[Loop].End; Later.first(I, T.Loops[L].End, I); ++I)
      if (uses(T, T.Steps[I], Complete)) {
        Result.When = FirstUse::AfterLoop;
        Result.Location = T.Steps[I].Location;
        return Result;
      }
  return Result;
}

} // namespace autoprof::audit
