// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/SilentWaits.h"

#include "audit/Walk.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace autoprof::audit {

llvm::StringRef name(Silence S) {
  constexpr llvm::StringLiteral Names[SilenceKinds] = {
      "accepted",      "comment",      "not-chosen",   "outside-loops",
      "never-reached", "not-followed", "error-path",   "once",
      "leaves-loop",   "few-times",    "over-devices", "no-launches",
      "no-rule",       "must-stay",    "other-finding"};
  return Names[unsigned(S)];
}

llvm::StringRef describe(Silence S) {
  constexpr llvm::StringLiteral Words[SilenceKinds] = {
      "with findings that the baseline accepts",
      "with findings that comments silence",
      "excluded by --checks, --line-filter, or .autoprof",
      "outside loops",
      "under conditions that are false in every call",
      "reached through function objects, recursion, or goto loops",
      "on error paths",
      "in branches that run once",
      "in branches that leave the loop",
      "in loops of at most four iterations",
      "in loops over devices",
      "in loops that are not known to launch kernels",
      "in launching loops, but no rule applies",
      "in launching loops, but nothing can replace them",
      "named in a note of another finding"};
  return Words[unsigned(S)];
}

/// Why a loop does not count.
static Silence reasonOf(const Project &P, unsigned Function, int Loop) {
  if (P.functions()[Function].Model->Scopes[Loop].OverDevices)
    return Silence::OverDevices;
  return P.loopAround(Function, Loop) == Loop ? Silence::NoLaunches
                                              : Silence::FewTimes;
}

/// The reason within the function itself; none if no loop surrounds the place.
static std::optional<Silence> reasonWithin(const Project &P, unsigned Function,
                                           int Scope) {
  const audit::Function &F = *P.functions()[Function].Model;
  bool Leaves = false;
  for (int I = Scope; I >= 0; I = F.Scopes[I].Parent)
    switch (F.Scopes[I].Class) {
    case Scope::ErrorPath:
      return Silence::ErrorPath;
    case Scope::Fails: // It may also be a success: `return Finished`.
      return Silence::LeavesLoop;
    case Scope::Once:
      return Silence::RunsOnce;
    case Scope::LeavesLoop:
    case Scope::LeavesFunction:
      Leaves = true;
      break;
    case Scope::Loop:
      return Leaves ? Silence::LeavesLoop : reasonOf(P, Function, I);
    default:
      break;
    }
  return std::nullopt;
}

/// Whether control flow leads from a block back to it.
static bool isInCycle(const Function &F, unsigned Start) {
  std::set<unsigned> Seen;
  std::vector<unsigned> Open = F.Blocks[Start].Next;
  while (!Open.empty()) {
    const unsigned B = Open.back();
    Open.pop_back();
    if (B == Start)
      return true;
    if (Seen.insert(B).second)
      Open.insert(Open.end(), F.Blocks[B].Next.begin(), F.Blocks[B].Next.end());
  }
  return false;
}

namespace {

/// A site, or a call on the way to it.
struct Step {
  unsigned Function;
  int Scope;
  Event::Kind Kind;
  unsigned Index; ///< Of the function's sites or calls.
  Needs Wanted;   ///< Of the function's parameters.
};

} // namespace

/// Whether a place that no loop surrounds may still run many times.
static bool mayRepeat(const Project &P, const Step &S) {
  const LinkedFunction &F = P.functions()[S.Function];
  if (P.isAddressTaken(S.Function))
    return true;
  for (const LinkedFunction::Caller &C : F.Callers)
    if (C.Function == S.Function ||
        P.functions()[C.Function].Model->Calls[C.Call].Uncertain)
      return true;
  return llvm::any_of(
      eventsOf(*F.Model, S.Kind, S.Index),
      [&](const EventRef &At) { return isInCycle(*F.Model, At.Block); });
}

Silence whySilent(const Project &P, const LinkedSite &S) {
  if (S.OnErrorPath)
    return Silence::ErrorPath;
  if (P.hot(S).IsHot)
    return Silence::NoRule;
  if (!P.isReached(S))
    return Silence::NeverReached;
  // Find the nearest loop, going outwards through the callers.
  std::set<std::pair<unsigned, Needs>> Seen;
  const unsigned Number = S.Model - P.functionOf(S).Sites.data();
  std::vector<Step> Open = {{S.Function, S.Model->Scope, Event::SiteReached,
                             Number, needsAt(P.functionOf(S), S.Model->Scope)}};
  bool Repeats = false;
  for (size_t I = 0; I < Open.size(); ++I) {
    const Step At = Open[I];
    const LinkedFunction &F = P.functions()[At.Function];
    if (const std::optional<Silence> Why =
            reasonWithin(P, At.Function, At.Scope))
      return *Why;
    if (!Seen.insert({At.Function, At.Wanted}).second)
      continue;
    Repeats |= mayRepeat(P, At);
    for (const LinkedFunction::Caller &C : F.Callers) {
      const Function &By = *P.functions()[C.Function].Model;
      const Call &Made = By.Calls[C.Call];
      if (const std::optional<PassedNeeds> Passed = passNeeds(Made, At.Wanted))
        Open.push_back({C.Function, Made.Scope, Event::CallMade, C.Call,
                        needsAt(By, Made.Scope, Passed->Left)});
    }
  }
  return Repeats ? Silence::NotFollowed : Silence::OutsideLoops;
}

} // namespace autoprof::audit
