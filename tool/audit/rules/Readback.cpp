// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Readback.h"

#include "audit/Neighbors.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using catalogue::CallClass;

bool isReadback(const LinkedSite &S) {
  if (!catalogue::mayWait(S.Effects.Wait) || S.kind() == CallClass::Sync)
    return false;
  if (S.kind() != CallClass::Copy)
    return true;
  const std::optional<int64_t> Bytes = bytesOf(S);
  return isToHost(S) && Bytes && *Bytes <= 256;
}

/// The usual form with pinned memory: copies, followed by a wait for them.
static const LinkedSite *smallCopyBefore(const Project &P,
                                         const LinkedSite &Wait) {
  auto IsSmallCopy = [](const Moment &M) {
    if (!M.Linked || M.Linked->kind() != CallClass::Copy ||
        !isToHost(*M.Linked) || !isAsynchronous(*M.Linked) ||
        catalogue::mayWait(M.Linked->Effects.Wait))
      return false;
    const std::optional<int64_t> Bytes = bytesOf(*M.Linked);
    return Bytes && *Bytes <= 256;
  };
  const std::vector<Moment> Last =
      Neighbors(P, Wait.Function).preceding(Wait, isQuiet);
  return !Last.empty() && llvm::all_of(Last, IsSmallCopy) ? Last.front().Linked
                                                          : nullptr;
}

std::vector<AwaitedReadback> readbacks(const Project &P) {
  std::vector<AwaitedReadback> Result;
  for (const LinkedSite &S : P.sites())
    if (isReadback(S))
      Result.push_back({&S, &S});
    else if (isExplicitWait(S))
      if (const LinkedSite *Copy = smallCopyBefore(P, S))
        Result.push_back({&S, Copy});
  return Result;
}

void addCompletingWait(const LinkedSite &Wait, Finding &F) {
  F.Also.push_back(&Wait);
  F.Notes.push_back({Wait.Model->Location,
                     "this call waits for the copy, too: with pinned memory "
                     "alone, the host would wait here"});
}

Finding findingAt(const Project &P, const AwaitedReadback &R, const Hot &H) {
  const LinkedSite Wait = withPointerMode(P, *R.Wait);
  Finding F = findingAt(P, Wait, H);
  F.Site = R.Wait;
  if (R.Source != R.Wait)
    F.Notes.push_back({R.Source->Model->Location, "the value is copied here"});
  else if (const LinkedSite *Completing = completingWait(P, *R.Wait))
    addCompletingWait(*Completing, F);
  return F;
}

/// Whether the data of a copy is used after a wait, in the same iteration.
static bool isUsedBehind(const Project &P, const LinkedSite &Copy,
                         const LinkedSite &Wait) {
  auto Follows = [&](const Place &Location) {
    return Location.File == Wait.Model->Location.File &&
           Location.Offset > Wait.Model->Location.Offset;
  };
  if (llvm::any_of(P.destinations(Copy), [&](const Destination &D) {
        return D.Function != Wait.Function || Follows(D.Model->Location);
      }))
    return true;
  // If it is not certain that the copy waits, a function that gets the data
  // leaves the finding at the wait.
  auto IsUse = [&Copy](Event::Kind Kind) {
    return Kind == Event::Read || (Kind == Event::Passed &&
                                   Copy.Effects.Wait == catalogue::Waits::Yes);
  };
  const Arg *Memory = argument(Copy, 0);
  return Memory && Memory->Cell >= 0 &&
         llvm::any_of(P.functionOf(Wait).Blocks, [&](const Block &B) {
           return llvm::any_of(B.Events, [&](const Event &E) {
             return IsUse(E.Class) && int(E.Index) == Memory->Cell &&
                    Follows(E.Location);
           });
         });
}

std::vector<const LinkedSite *> readbacksCompletedBy(const Project &P,
                                                     const LinkedSite &Wait) {
  auto IsCopyToHost = [](const Moment &M) {
    return M.Linked && M.Linked->kind() == CallClass::Copy &&
           isAsynchronous(*M.Linked) && isToHost(*M.Linked) &&
           catalogue::mayWait(M.Linked->Effects.Wait);
  };
  std::vector<const LinkedSite *> Result;
  for (const Moment &M : Neighbors(P, Wait.Function).preceding(Wait, isQuiet)) {
    if (!IsCopyToHost(M) || M.Location.Offset >= Wait.Model->Location.Offset ||
        !isUsedBehind(P, *M.Linked, Wait))
      return {};
    Result.push_back(M.Linked);
  }
  return Result;
}

const LinkedSite *completingWait(const Project &P, const LinkedSite &Copy) {
  const std::vector<Moment> Next =
      Neighbors(P, Copy.Function).following(Copy, isQuiet);
  if (Next.size() != 1 || !Next.front().Linked ||
      !isExplicitWait(*Next.front().Linked))
    return nullptr;
  const LinkedSite *Wait = Next.front().Linked;
  return llvm::is_contained(readbacksCompletedBy(P, *Wait), &Copy) ? Wait
                                                                   : nullptr;
}

static bool isCondition(Scope::Kind Kind) {
  return Kind == Scope::Condition || Kind == Scope::Verbose ||
         Kind == Scope::EveryNth || Kind == Scope::DebugMacro ||
         Kind == Scope::Once || Kind == Scope::ErrorPath;
}

bool isShown(const Destination &D) {
  return D.Model->Class == Use::Printed || D.Model->Class == Use::Logged;
}

const char *shownHere(const Use &U) {
  return U.Class == Use::Logged ? "it is logged here" : "it is printed here";
}

/// Whether the site, or a call of its function, is outside a scope of a
/// function.
static bool isOutside(const Project &P, const LinkedSite &S, unsigned Function,
                      int Scope) {
  if (S.Function == Function)
    return !P.isWithin(Function, S.Model->Scope, Function, Scope);
  bool IsCalled = false;
  for (const LinkedFunction::Caller &C : P.functions()[S.Function].Callers) {
    if (C.Function != Function)
      continue;
    IsCalled = true;
    const Call &Made = P.functions()[Function].Model->Calls[C.Call];
    if (!P.isWithin(Function, Made.Scope, Function, Scope))
      return true;
  }
  return !IsCalled;
}

bool isUnderOwnCondition(const Project &P, const Destination &D,
                         const LinkedSite &S) {
  const Function &F = *P.functions()[D.Function].Model;
  for (int I = D.Model->Scope; I >= 0; I = F.Scopes[I].Parent) {
    if (!isCondition(F.Scopes[I].Class))
      continue;
    if (isOutside(P, S, D.Function, I))
      return true;
  }
  return false;
}

/// Whether the branch with this condition queues GPU work or leaves the loop.
static bool decides(const Project &P, const Destination &D) {
  const LinkedFunction &F = P.functions()[D.Function];
  auto IsIn = [&](int Scope, int Outer) {
    return P.isWithin(D.Function, Scope, D.Function, Outer);
  };
  for (unsigned I = 0; I < F.Model->Scopes.size(); ++I) {
    const Scope &Branch = F.Model->Scopes[I];
    if (Branch.Decided.File != D.Model->Location.File ||
        Branch.Decided.Offset != D.Model->Location.Offset ||
        !Branch.Decided.Line)
      continue;
    if (Branch.Class == Scope::LeavesLoop ||
        Branch.Class == Scope::LeavesFunction || Branch.Class == Scope::Fails)
      return true;
    if (Branch.Class == Scope::ErrorPath)
      continue;
    for (unsigned S : F.Sites)
      if (P.sites()[S].QueuesWork && IsIn(P.sites()[S].Model->Scope, I))
        return true;
    for (unsigned C = 0; C < F.Callees.size(); ++C)
      if (F.Callees[C].size() == 1 && IsIn(F.Model->Calls[C].Scope, I) &&
          P.functions()[F.Callees[C].front()].Effects.Queues)
        return true;
  }
  return false;
}

llvm::StringRef whatItSteers(const Project &P, const Destination &D) {
  switch (D.Model->Class) {
  case Use::LoopCondition:
    return "decides whether a loop continues";
  case Use::Configures:
    return "decides the size of a launch";
  case Use::Branch:
    return decides(P, D) ? "decides what runs next" : "";
  default:
    return "";
  }
}

} // namespace autoprof::audit
