// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Project: which loops a place is in, its own function's and its callers', and
// which of them launch.
#include "audit/Link.h"

#include "llvm/ADT/STLExtras.h"

#include <set>
#include <utility>

namespace autoprof::audit {

bool Hot::isGuardedBy(Scope::Kind What) const {
  return llvm::any_of(Guards,
                      [What](const Scope *S) { return S->What == What; });
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
        inScope(*F.Its, Sites[I].Its->Scope, Loop))
      return true;
  for (unsigned C = 0; C < F.Callees.size(); ++C) {
    const Call &Made = F.Its->Calls[C];
    if (Made.Perhaps || F.Callees[C].size() > 1 ||
        isOnErrorPath(*F.Its, Made.Scope) || !inScope(*F.Its, Made.Scope, Loop))
      continue;
    if (F.Callees[C].empty() ? Made.UsesStream
                             : Functions[F.Callees[C].front()].Does.Launches)
      return true;
  }
  return false;
}

static bool isLoop(const Scope &S) {
  return S.What == Scope::Loop && S.Trips.value_or(5) > 4 && !S.OverDevices;
}

int Project::loopAround(unsigned Function, int Scope) const {
  const audit::Function &F = *Functions[Function].Its;
  bool Left = false;
  for (int S = Scope; S >= 0; S = F.Scopes[S].Parent) {
    const audit::Scope &Around = F.Scopes[S];
    if (Around.What == Scope::ErrorPath || Around.What == Scope::Once ||
        Around.What == Scope::LeavesFunction || Around.What == Scope::Fails)
      return -1;
    Left |= Around.What == Scope::LeavesLoop;
    if (isLoop(Around) && !std::exchange(Left, false))
      return S;
  }
  return -1;
}

Hot Project::hot(unsigned Function, int Scope) const {
  const audit::Function &F = *Functions[Function].Its;
  Hot Result;
  bool Left = false; // the next loop outwards ends here
  bool Returns = false;
  for (int S = Scope; S >= 0; S = F.Scopes[S].Parent) {
    const audit::Scope &Around = F.Scopes[S];
    if (Around.What == Scope::ErrorPath || Around.What == Scope::Once ||
        Around.What == Scope::Fails)
      return {};
    Returns |= Around.What == Scope::LeavesFunction;
    if (Around.What == Scope::LeavesLoop)
      Left = true;
    if (Around.What != Scope::Loop) {
      Result.Guards.insert(Result.Guards.begin(), &Around);
      continue;
    }
    if (std::exchange(Left, false) || Returns || !isLoop(Around) ||
        !launches(Function, S))
      continue;
    Result.Is = true;
    Result.Function = Function;
    Result.Loop = S;
    Result.Path.push_back({Around.At, "in this loop"});
    return Result;
  }
  Hot Outer = hotFromCallers(Function);
  if (Outer.Is)
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
    const LinkedFunction &By = Functions[C.Function];
    const Call &Made = By.Its->Calls[C.Call];
    if (Made.Perhaps || By.Callees[C.Call].size() != 1 ||
        C.Function == Function)
      continue;
    Hot From = hot(C.Function, Made.Scope);
    if (!From.Is || (Best.Is && From.Path.size() + 1 >= Best.Path.size()))
      continue;
    From.Path.push_back({Made.At, "calls " + Made.Name, Made.EndsObject});
    Best = std::move(From);
  }
  *FromCallers[Function] = Best;
  return Best;
}

bool Project::isWithin(unsigned Function, int Scope, unsigned LoopFunction,
                       int Loop) const {
  std::set<unsigned> Seen;
  std::vector<std::pair<unsigned, int>> Open = {{Function, Scope}};
  while (!Open.empty()) {
    auto [F, S] = Open.back();
    Open.pop_back();
    if (F == LoopFunction && inScope(*Functions[F].Its, S, Loop))
      return true;
    if (!Seen.insert(F).second)
      continue;
    for (const LinkedFunction::Caller &C : Functions[F].Callers)
      Open.push_back(
          {C.Function, Functions[C.Function].Its->Calls[C.Call].Scope});
  }
  return false;
}

} // namespace autoprof::audit
