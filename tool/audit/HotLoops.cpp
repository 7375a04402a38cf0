// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Project: which loops a place is in, its own function's and its callers', and
// which of them launch.
#include "audit/Link.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace autoprof::audit {

bool Hot::isGuardedBy(Scope::Kind What) const {
  return llvm::any_of(Guards,
                      [What](const Scope *S) { return S->What == What; });
}

Frequency Hot::often() const {
  if (!Is)
    return Frequency::Outside;
  if (isGuardedBy(Scope::EveryNth) || isGuardedBy(Scope::Verbose) ||
      isGuardedBy(Scope::DebugMacro))
    return Frequency::EveryNth;
  return Guards.empty() ? Frequency::Each : Frequency::Sometimes;
}

llvm::StringRef name(Frequency F) {
  constexpr llvm::StringLiteral Names[] = {"outside", "every_nth", "sometimes",
                                           "each"};
  return Names[unsigned(F)];
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
    if (Made.Perhaps || (F.Callees[C].size() > 1 && !Made.Virtual) ||
        isOnErrorPath(*F.Its, Made.Scope) || !inScope(*F.Its, Made.Scope, Loop))
      continue;
    if (F.Callees[C].empty()
            ? Made.UsesStream
            : llvm::any_of(F.Callees[C], [this](unsigned Callee) {
                return Functions[Callee].Does.Launches;
              }))
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
  std::optional<int> OnceUntil; // loops inside of this scope repeat nothing
  for (int S = Scope; S >= 0; S = F.Scopes[S].Parent) {
    const audit::Scope &Around = F.Scopes[S];
    if (OnceUntil == S)
      OnceUntil.reset();
    if (Around.What == Scope::ErrorPath || Around.What == Scope::Fails)
      return {};
    if (Around.What == Scope::Once) {
      if (Around.Until == audit::Scope::Ever)
        return {};
      OnceUntil = Around.Until;
      continue;
    }
    Returns |= Around.What == Scope::LeavesFunction;
    if (Around.What == Scope::LeavesLoop)
      Left = true;
    if (Around.What != Scope::Loop) {
      Result.Guards.insert(Result.Guards.begin(), &Around);
      continue;
    }
    if (std::exchange(Left, false) || Returns || OnceUntil || !isLoop(Around) ||
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

/// Is it certain enough that a call calls this function? A virtual one calls
/// one of a few.
bool Project::leads(const LinkedFunction::Caller &C, unsigned To) const {
  const LinkedFunction &By = Functions[C.Function];
  const Call &Made = By.Its->Calls[C.Call];
  return !Made.Perhaps && C.Function != To &&
         (By.Callees[C.Call].size() == 1 || Made.Virtual);
}

/// The way from a loop of a caller on which the function runs most often; of
/// equal ones the shortest.
Hot Project::hotFromCallers(unsigned Function) const {
  if (FromCallers[Function])
    return *FromCallers[Function];
  // Recursion: while this is computed, the function has no hot callers.
  FromCallers[Function] = std::make_unique<Hot>();
  auto RankOf = [](const Hot &H) {
    return std::tuple(H.often(), !H.Perhaps, -int(H.Path.size()));
  };
  Hot Best;
  for (const LinkedFunction::Caller &C : Functions[Function].Callers) {
    const LinkedFunction &By = Functions[C.Function];
    const Call &Made = By.Its->Calls[C.Call];
    if (!leads(C, Function))
      continue;
    Hot From = hot(C.Function, Made.Scope);
    if (!From.Is)
      continue;
    From.Path.push_back({Made.At, "calls " + Made.Name, Made.EndsObject});
    From.Perhaps |= By.Callees[C.Call].size() > 1;
    if (!Best.Is || RankOf(From) > RankOf(Best))
      Best = std::move(From);
  }
  *FromCallers[Function] = Best;
  return Best;
}

bool Project::isRepeated(const Hot &H) const {
  const audit::Function &F = *Functions[H.Function].Its;
  bool Left = false;
  for (int S = F.Scopes[H.Loop].Parent; S >= 0; S = F.Scopes[S].Parent) {
    const audit::Scope &Around = F.Scopes[S];
    switch (Around.What) {
    case Scope::ErrorPath:
    case Scope::Fails:
    case Scope::Once:
    case Scope::EveryNth:
    case Scope::Verbose:
    case Scope::DebugMacro:
    case Scope::LeavesFunction:
      return false;
    case Scope::LeavesLoop:
      Left = true;
      break;
    case Scope::Condition:
      break;
    case Scope::Loop:
      if (!std::exchange(Left, false) && isLoop(Around))
        return !isRepetition(H.Function, S);
    }
  }
  return false;
}

/// A loop in this one launches, itself or in what it calls, many times.
bool Project::holdsLaunchingLoop(unsigned Function, int Loop) const {
  const audit::Function &F = *Functions[Function].Its;
  for (unsigned S = 0; S < F.Scopes.size(); ++S)
    if (int(S) != Loop && isLoop(F.Scopes[S]) &&
        (Loop < 0 || inScope(F, S, Loop)) && launches(Function, S))
      return true;
  return false;
}

bool Project::isRepetition(unsigned Function, int Loop) const {
  const LinkedFunction &F = Functions[Function];
  if (!holdsLaunchingLoop(Function, Loop))
    return false;
  if (F.Its->Scopes[Loop].Scales)
    return true;
  auto IsTime = [&](const Site &S) {
    return llvm::StringRef(S.Row).ends_with("EventElapsedTime") &&
           loopAround(Function, S.Scope) == Loop;
  };
  return llvm::any_of(F.Its->Sites, IsTime);
}

bool Project::isSetUp(const LinkedSite &S) const {
  const LinkedFunction &F = Functions[S.Function];
  auto IsOutside = [&](int Scope) {
    return loopAround(S.Function, Scope) < 0;
  };
  if (!IsOutside(S.Its->Scope) || !holdsLaunchingLoop(S.Function, -1))
    return false;
  return llvm::any_of(F.Sites, [&](unsigned I) {
    const LinkedSite &Other = Sites[I];
    const catalogue::CallClass Kind = Other.kind();
    return (Kind == catalogue::CallClass::Alloc ||
            Kind == catalogue::CallClass::Free) &&
           IsOutside(Other.Its->Scope);
  });
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
