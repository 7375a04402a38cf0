// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/SilentWaits.h"

#include <set>

namespace autoprof::audit {

llvm::StringRef name(Silence S) {
  constexpr llvm::StringLiteral Names[SilenceKinds] = {
      "accepted", "comment",     "not-chosen",  "outside-loops", "error-path",
      "once",     "leaves-loop", "no-launches", "no-rule"};
  return Names[unsigned(S)];
}

llvm::StringRef describe(Silence S) {
  constexpr llvm::StringLiteral Words[SilenceKinds] = {
      "accepted by the baseline",
      "silenced by comments",
      "excluded by --checks, --line-filter, or .autoprof",
      "outside loops",
      "on error paths",
      "in branches that run once",
      "in branches that leave the loop",
      "in loops that run few times, or are not known to launch kernels",
      "in launching loops, but no rule applies"};
  return Words[unsigned(S)];
}

/// The reason within the function itself; none if no loop surrounds the place.
static std::optional<Silence> reasonWithin(const Function &F, int Scope) {
  bool Leaves = false;
  for (int I = Scope; I >= 0; I = F.Scopes[I].Parent)
    switch (F.Scopes[I].Class) {
    case Scope::ErrorPath:
    case Scope::Fails:
      return Silence::ErrorPath;
    case Scope::Once:
      return Silence::RunsOnce;
    case Scope::LeavesLoop:
    case Scope::LeavesFunction:
      Leaves = true;
      break;
    case Scope::Loop:
      return Leaves ? Silence::LeavesLoop : Silence::NoLaunches;
    default:
      break;
    }
  return std::nullopt;
}

Silence whySilent(const Project &P, const LinkedSite &S) {
  if (S.OnErrorPath)
    return Silence::ErrorPath;
  if (P.hot(S).IsHot)
    return Silence::NoRule;
  // Find the nearest loop, going outwards through the callers.
  std::set<unsigned> Seen;
  std::vector<std::pair<unsigned, int>> Open = {{S.Function, S.Model->Scope}};
  for (size_t I = 0; I < Open.size(); ++I) {
    const auto [Index, Scope] = Open[I];
    const LinkedFunction &F = P.functions()[Index];
    if (const std::optional<Silence> Why = reasonWithin(*F.Model, Scope))
      return *Why;
    if (!Seen.insert(Index).second)
      continue;
    for (const LinkedFunction::Caller &C : F.Callers)
      Open.push_back(
          {C.Function, P.functions()[C.Function].Model->Calls[C.Call].Scope});
  }
  return Silence::OutsideLoops;
}

} // namespace autoprof::audit
