// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Project: which loops a place is in, in its own function and its callers, and
// which of them launch.
#include "audit/Link.h"
#include "audit/Neighbors.h"
#include "audit/Times.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace autoprof::audit {

bool Hot::isGuardedBy(Scope::Kind Kind) const {
  return llvm::any_of(Guards,
                      [Kind](const Scope *S) { return S->Class == Kind; });
}

Frequency Hot::often() const {
  if (!IsHot)
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
        inScope(*F.Model, Sites[I].Model->Scope, Loop))
      return true;
  for (unsigned C = 0; C < F.Callees.size(); ++C) {
    const Call &Made = F.Model->Calls[C];
    if (Made.Uncertain || (F.Callees[C].size() > 1 && !Made.Virtual) ||
        isOnErrorPath(*F.Model, Made.Scope) ||
        !inScope(*F.Model, Made.Scope, Loop))
      continue;
    if (F.Callees[C].empty()
            ? Made.UsesStream
            : llvm::any_of(F.Callees[C], [this](unsigned Callee) {
                return Functions[Callee].Effects.Launches;
              }))
      return true;
  }
  return false;
}

bool Project::isLoop(unsigned Function, int Scope) const {
  const audit::Scope &S = Functions[Function].Model->Scopes[Scope];
  return S.Class == Scope::Loop && !S.OverDevices &&
         trips(Function, Scope).value_or(5) > 4;
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
    if (isLoop(Function, S) && !std::exchange(Left, false))
      return S;
  }
  return -1;
}

Hot Project::hot(unsigned Function, int Scope, const Needs &More) const {
  const audit::Function &F = *Functions[Function].Model;
  const Needs Wanted = needsAt(F, Scope, More);
  if (!isReached(Function, Wanted, 0))
    return {};
  Hot Result;
  bool Left = false; // The next enclosing loop ends here.
  bool Returns = false;
  std::optional<int> OnceUntil; // Loops inside this scope repeat nothing.
  std::optional<int64_t> Times = 1;
  for (int S = Scope; S >= 0; S = F.Scopes[S].Parent) {
    const audit::Scope &Enclosing = F.Scopes[S];
    if (OnceUntil == S)
      OnceUntil.reset();
    if (Enclosing.Class == Scope::ErrorPath || Enclosing.Class == Scope::Fails)
      return {};
    if (Enclosing.Class == Scope::Once) {
      if (Enclosing.Until == audit::Scope::Ever)
        return {};
      OnceUntil = Enclosing.Until;
      continue;
    }
    Returns |= Enclosing.Class == Scope::LeavesFunction;
    if (Enclosing.Class == Scope::LeavesLoop)
      Left = true;
    if (Enclosing.Class != Scope::Loop) {
      if (!Enclosing.RunsOtherwise || Enclosing.Class != Scope::Condition)
        Result.Guards.insert(Result.Guards.begin(), &Enclosing);
      continue;
    }
    if (std::exchange(Left, false) || Returns || OnceUntil)
      continue;
    Times = product(Times, trips(Function, S));
    if (!isLoop(Function, S) || !launches(Function, S))
      continue;
    Result.Times = product(Times, times(Function, Enclosing.Parent));
    Result.IsHot = true;
    Result.Function = Function;
    Result.Loop = S;
    Result.Path.push_back({Enclosing.Location, "in this loop"});
    return Result;
  }
  Hot Outer = hotFromCallers(Function, Wanted);
  Outer.Times = product(Outer.Times, Times);
  llvm::erase_if(Result.Guards, [&Outer](const audit::Scope *S) {
    return S->Class == Scope::Condition && S->NeedsNoMore &&
           llvm::all_of(S->Needs, [&Outer](const Need &N) {
             return llvm::is_contained(Outer.Met, N);
           });
  });
  if (Outer.IsHot)
    Outer.Guards.insert(Outer.Guards.end(), Result.Guards.begin(),
                        Result.Guards.end());
  return Outer;
}

/// Whether it is certain enough that a call calls this function: a virtual call
/// has only a few targets.
bool Project::leads(const LinkedFunction::Caller &C, unsigned To) const {
  const LinkedFunction &By = Functions[C.Function];
  const Call &Made = By.Model->Calls[C.Call];
  return !Made.Uncertain && C.Function != To &&
         (By.Callees[C.Call].size() == 1 || Made.Virtual);
}

/// The path from a loop of a caller on which the function runs most often with
/// what is wanted of its parameters; among equal ones, the shortest.
Hot Project::hotFromCallers(unsigned Function, const Needs &Wanted) const {
  // For recursion: while this is computed, the function has no hot callers.
  const auto [Known, New] = FromCallers.try_emplace({Function, Wanted});
  if (!New)
    return Known->second;
  auto RankOf = [](const Hot &H) {
    return std::tuple(H.often(), H.Met.size(), !H.Uncertain, !H.isFew(),
                      -int(H.Path.size()));
  };
  Hot Best;
  for (const LinkedFunction::Caller &C : Functions[Function].Callers) {
    const LinkedFunction &CallingFunction = Functions[C.Function];
    const Call &Made = CallingFunction.Model->Calls[C.Call];
    if (!leads(C, Function))
      continue;
    const std::optional<PassedNeeds> Passed = passNeeds(Made, Wanted);
    if (!Passed)
      continue;
    Hot Way = hot(C.Function, Made.Scope, Passed->Left);
    if (!Way.IsHot)
      continue;
    const Needs MetByCallers = std::exchange(Way.Met, Passed->Met);
    for (const auto &[Own, Outer] : Passed->Renamed)
      if (llvm::is_contained(MetByCallers, Outer))
        Way.Met.push_back(Own);
    Way.Path.push_back({Made.Location, "calls " + Made.Name, Made.EndsObject});
    Way.Uncertain |= CallingFunction.Callees[C.Call].size() > 1;
    if (!Best.IsHot || RankOf(Way) > RankOf(Best))
      Best = std::move(Way);
  }
  FromCallers[{Function, Wanted}] = Best;
  return Best;
}

std::vector<const Call *> Project::loopCalls(const LinkedSite &S) const {
  std::vector<const Call *> Result;
  const Hot Own = hot(S);
  if (!Own.IsHot || Own.Function == S.Function)
    return Result;
  std::set<std::pair<unsigned, Needs>> Seen;
  std::vector<std::pair<unsigned, Needs>> Open = {
      {S.Function, needsAt(functionOf(S), S.Model->Scope)}};
  while (!Open.empty()) {
    const auto [Function, Wanted] = Open.back();
    Open.pop_back();
    if (!Seen.insert({Function, Wanted}).second)
      continue;
    for (const LinkedFunction::Caller &C : Functions[Function].Callers) {
      const audit::Function &By = *Functions[C.Function].Model;
      const Call &Made = By.Calls[C.Call];
      const std::optional<PassedNeeds> Passed = passNeeds(Made, Wanted);
      if (!leads(C, Function) || !Passed)
        continue;
      const Hot Way = hot(C.Function, Made.Scope, Passed->Left);
      if (!Way.IsHot)
        continue;
      if (Way.Function != C.Function)
        Open.push_back({C.Function, needsAt(By, Made.Scope, Passed->Left)});
      else if (Way.often() != Frequency::EveryNth && !Way.isFew())
        Result.push_back(&Made);
    }
  }
  return Result;
}

bool Project::isRepeated(const Hot &H) const {
  const audit::Function &F = *Functions[H.Function].Model;
  bool Left = false;
  for (int S = F.Scopes[H.Loop].Parent; S >= 0; S = F.Scopes[S].Parent) {
    const audit::Scope &Enclosing = F.Scopes[S];
    switch (Enclosing.Class) {
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
      if (!std::exchange(Left, false) && isLoop(H.Function, S))
        return !isRepetition(H.Function, S);
    }
  }
  return false;
}

/// Whether a loop in this one launches many times, directly or in its callees.
bool Project::holdsLaunchingLoop(unsigned Function, int Loop) const {
  const audit::Function &F = *Functions[Function].Model;
  for (unsigned S = 0; S < F.Scopes.size(); ++S)
    if (int(S) != Loop && isLoop(Function, S) &&
        (Loop < 0 || inScope(F, S, Loop)) && launches(Function, S))
      return true;
  return false;
}

/// Whether each iteration passes other data, which is copied to or from the
/// GPU, to code that is not visible: it reads a file, or writes a frame.
static bool servesData(const Project &P, unsigned Function, int Loop) {
  const LinkedFunction &F = P.functions()[Function];
  std::vector<unsigned> Copied;
  for (unsigned I : F.Sites)
    if (P.sites()[I].kind() == catalogue::CallClass::Copy)
      for (const Arg &A : P.sites()[I].Model->Args)
        if (A.Cell >= 0)
          Copied.push_back(A.Cell);
  auto IsUnseen = [&](const Place &At) {
    for (unsigned C = 0; C < F.Callees.size(); ++C) {
      const Call &Made = F.Model->Calls[C];
      if (F.Callees[C].empty() && Made.Varies && !Made.UsesStream &&
          !Made.Uncertain && Made.Location.File == At.File &&
          Made.Location.Offset == At.Offset &&
          P.loopAround(Function, Made.Scope) == Loop)
        return true;
    }
    return false;
  };
  for (const Block &B : F.Model->Blocks)
    for (const Event &E : B.Events)
      if (E.Class == Event::Passed && llvm::is_contained(Copied, E.Index) &&
          IsUnseen(E.Location))
        return true;
  return false;
}

/// Whether each iteration reads the clock or an event's time, right after a
/// wait and not in an inner loop.
static bool readsTimes(const Project &P, unsigned Function, int Loop) {
  unsigned Waits = 0;
  for (unsigned I : P.functions()[Function].Sites) {
    const LinkedSite &S = P.sites()[I];
    if (P.loopAround(Function, S.Model->Scope) != Loop)
      continue;
    if (S.cudaRow().ends_with("EventElapsedTime"))
      return true;
    if (S.kind() != catalogue::CallClass::Sync)
      continue;
    const std::vector<Moment> Next =
        Neighbors(P, Function).following(S, isQuiet);
    Waits += !Next.empty() && llvm::all_of(Next, isClock);
  }
  // One wait before the measured work and one after it.
  return Waits > 1;
}

/// Whether a loop measures its iterations, which do the same work.
static bool measures(const Project &P, unsigned Function, int Loop) {
  return readsTimes(P, Function, Loop) && !servesData(P, Function, Loop);
}

/// Whether a call in the loop, but in no inner loop, measures what it launches.
static bool callsWhatMeasures(const Project &P, unsigned Function, int Loop) {
  const LinkedFunction &F = P.functions()[Function];
  for (unsigned C = 0; C < F.Callees.size(); ++C)
    if (F.Callees[C].size() == 1 &&
        P.functions()[F.Callees[C].front()].Effects.Measures &&
        P.loopAround(Function, F.Model->Calls[C].Scope) == Loop)
      return true;
  return false;
}

bool Project::isRepetition(unsigned Function, int Loop) const {
  if (Functions[Function].Model->Scopes[Loop].Scales &&
      holdsLaunchingLoop(Function, Loop))
    return true;
  return measures(*this, Function, Loop) ||
         callsWhatMeasures(*this, Function, Loop);
}

/// Whether a loop of the function measures its iterations.
static bool holdsMeasuredLoop(const Project &P, unsigned Function) {
  const audit::Function &F = *P.functions()[Function].Model;
  for (unsigned S = 0; S < F.Scopes.size(); ++S)
    if (F.Scopes[S].Class == Scope::Loop && measures(P, Function, S))
      return true;
  return false;
}

bool Project::isMeasured(const Hot &H, unsigned Function) const {
  if (isRepetition(H.Function, H.Loop))
    return true;
  // The function that the loop calls measures its own launches.
  return H.Function != Function &&
         (measures(*this, Function, -1) || holdsMeasuredLoop(*this, Function));
}

bool Project::isSetUp(const LinkedSite &S) const {
  const LinkedFunction &F = Functions[S.Function];
  auto IsOutside = [&](int Scope) { return loopAround(S.Function, Scope) < 0; };
  if (!IsOutside(S.Model->Scope) || !holdsLaunchingLoop(S.Function, -1))
    return false;
  return llvm::any_of(F.Sites, [&](unsigned I) {
    const LinkedSite &Other = Sites[I];
    const catalogue::CallClass Kind = Other.kind();
    return (Kind == catalogue::CallClass::Alloc ||
            Kind == catalogue::CallClass::Free) &&
           IsOutside(Other.Model->Scope);
  });
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
