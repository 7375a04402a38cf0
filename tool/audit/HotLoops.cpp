// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Project: which loops a place is in, its own function's and its callers', and
// which of them launch.
#include "audit/Link.h"

#include "llvm/ADT/STLExtras.h"

#include <set>
#include <utility>

namespace autoprof::audit {

bool Hot::isGuardedBy(Scope::Kind Kind) const {
  return llvm::any_of(Guards,
                      [Kind](const Scope *S) { return S->Class == Kind; });
}

bool Project::inScope(const Function &F, int Scope, int Outer) const {
  for (int S = Scope; S >= 0; S = F.Scopes[S].Parent)
    if (S == Outer)
      return true;
  return false;
}

bool Project::launches(unsigned Function, int Loop) const {
  const LinkedFunction &F = Functions[Function];
  for (unsigned I : F.Sites)
    if (Sites[I].Launches && !Sites[I].OnErrorPath &&
        inScope(*F.Model, Sites[I].Model->Scope, Loop))
      return true;
  for (unsigned C = 0; C < F.Callees.size(); ++C) {
    const Call &Made = F.Model->Calls[C];
    if (Made.Uncertain || F.Callees[C].size() > 1 ||
        isOnErrorPath(*F.Model, Made.Scope) ||
        !inScope(*F.Model, Made.Scope, Loop))
      continue;
    if (F.Callees[C].empty() ? Made.UsesStream
                             : Functions[F.Callees[C].front()].Effects.Launches)
      return true;
  }
  return false;
}

static bool isLoop(const Scope &S) {
  return S.Class == Scope::Loop && S.Trips.value_or(5) > 4 && !S.OverDevices;
}

int Project::loopAround(unsigned Function, int Scope) const {
  const audit::Function &F = *Functions[Function].Model;
  bool Left = false;
  for (int S = Scope; S >= 0; S = F.Scopes[S].Parent) {
    const audit::Scope &Enclosing = F.Scopes[S];
    if (Enclosing.Class == Scope::ErrorPath || Enclosing.Class == Scope::Once ||
        Enclosing.Class == Scope::LeavesFunction ||
        Enclosing.Class == Scope::Fails)
      return -1;
    Left |= Enclosing.Class == Scope::LeavesLoop;
    if (isLoop(Enclosing) && !std::exchange(Left, false))
      return S;
  }
  return -1;
}

Hot Project::hot(unsigned Function, int Scope) const {
  const audit::Function &F = *Functions[Function].Model;
  Hot Result;
  bool Left = false; // the next loop outwards ends here
  bool Returns = false;
  for (int S = Scope; S >= 0; S = F.Scopes[S].Parent) {
    const audit::Scope &Enclosing = F.Scopes[S];
    if (Enclosing.Class == Scope::ErrorPath || Enclosing.Class == Scope::Once ||
        Enclosing.Class == Scope::Fails)
      return {};
    Returns |= Enclosing.Class == Scope::LeavesFunction;
    if (Enclosing.Class == Scope::LeavesLoop)
      Left = true;
    if (Enclosing.Class != Scope::Loop) {
      Result.Guards.insert(Result.Guards.begin(), &Enclosing);
      continue;
    }
    if (std::exchange(Left, false) || Returns || !isLoop(Enclosing) ||
        !launches(Function, S))
      continue;
    Result.IsHot = true;
    Result.Function = Function;
    Result.Loop = S;
    Result.Path.push_back({Enclosing.Location, "in this loop"});
    return Result;
  }
  Hot Outer = hotFromCallers(Function);
  if (Outer.IsHot)
    Outer.Guards.insert(Outer.Guards.end(), Result.Guards.begin(),
                        Result.Guards.end());
  return Outer;
}

/// The shortest way from a loop of a caller. A call that is not certain to be
/// made leads nowhere.
Hot Project::hotFromCallers(unsigned Function) const {
  if (FromCallers[Function])
    return *FromCallers[Function];
  // Recursion: while this is computed, the function has no hot callers.
  FromCallers[Function] = std::make_unique<Hot>();
  Hot Best;
  for (const LinkedFunction::Caller &C : Functions[Function].Callers) {
    const LinkedFunction &CallingFunction = Functions[C.Function];
    const Call &Made = CallingFunction.Model->Calls[C.Call];
    if (Made.Uncertain || CallingFunction.Callees[C.Call].size() != 1 ||
        C.Function == Function)
      continue;
    Hot Way = hot(C.Function, Made.Scope);
    if (!Way.IsHot || (Best.IsHot && Way.Path.size() + 1 >= Best.Path.size()))
      continue;
    Way.Path.push_back({Made.Location, "calls " + Made.Name, Made.EndsObject});
    Best = std::move(Way);
  }
  *FromCallers[Function] = Best;
  return Best;
}

bool Project::isWithin(unsigned Function, int Scope, unsigned LoopFunction,
                       int Loop) const {
  std::set<unsigned> Seen;
  std::vector<std::pair<unsigned, int>> Worklist = {{Function, Scope}};
  while (!Worklist.empty()) {
    auto [F, S] = Worklist.back();
    Worklist.pop_back();
    if (F == LoopFunction && inScope(*Functions[F].Model, S, Loop))
      return true;
    if (!Seen.insert(F).second)
      continue;
    for (const LinkedFunction::Caller &C : Functions[F].Callers)
      Worklist.push_back(
          {C.Function, Functions[C.Function].Model->Calls[C.Call].Scope});
  }
  return false;
}

} // namespace autoprof::audit
