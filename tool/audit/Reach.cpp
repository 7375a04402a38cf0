// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Reach.h"

#include "audit/Link.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

namespace autoprof::audit {

static auto tied(const Need &N) {
  return std::tie(N.Param, N.Value, N.IsEqual);
}
bool operator<(const Need &A, const Need &B) { return tied(A) < tied(B); }
bool operator==(const Need &A, const Need &B) { return tied(A) == tied(B); }

static void makeUnique(Needs &All) {
  llvm::sort(All);
  All.erase(std::unique(All.begin(), All.end()), All.end());
}

Needs needsAt(const Function &F, int Scope, const Needs &More) {
  Needs Result = More;
  for (int S = Scope; S >= 0; S = F.Scopes[S].Parent)
    llvm::append_range(Result, F.Scopes[S].Needs);
  makeUnique(Result);
  return Result;
}

std::optional<PassedNeeds> passNeeds(const Call &Made, const Needs &Wanted) {
  PassedNeeds Result;
  if (Made.Uncertain)
    return Result; // The arguments are those of another call.
  for (const Need &N : Wanted) {
    const Number Passed = size_t(N.Param) < Made.Arguments.size()
                              ? Made.Arguments[N.Param]
                              : Number();
    // Recursion with `n - 1` would need ever more numbers.
    if (!Passed.Known || (Passed.Param >= 0 && Passed.Offset))
      continue;
    if (Passed.Param >= 0) {
      const Need Outer{Passed.Param, N.Value, N.IsEqual};
      Result.Left.push_back(Outer);
      Result.Renamed.push_back({N, Outer});
    } else if ((Passed.Offset == N.Value) != N.IsEqual) {
      return std::nullopt;
    } else {
      Result.Met.push_back(N);
    }
  }
  makeUnique(Result.Left);
  return Result;
}

bool Project::isReached(unsigned Function, const Needs &Wanted,
                        unsigned Depth) const {
  constexpr unsigned MaxDepth = 12;
  const LinkedFunction &F = Functions[Function];
  if (Wanted.empty() || AddressTaken[Function] || F.Callers.empty() ||
      Depth > MaxDepth)
    return true;
  const auto [Known, New] = Reached.try_emplace({Function, Wanted}, true);
  if (!New)
    return Known->second; // For recursion: true while this is computed.
  const bool Result =
      llvm::any_of(F.Callers, [&](const LinkedFunction::Caller &C) {
        const audit::Function &By = *Functions[C.Function].Model;
        const Call &Made = By.Calls[C.Call];
        const std::optional<PassedNeeds> Passed = passNeeds(Made, Wanted);
        return Passed &&
               isReached(C.Function, needsAt(By, Made.Scope, Passed->Left),
                         Depth + 1);
      });
  return Reached[{Function, Wanted}] = Result;
}

bool Project::isReached(const LinkedSite &S) const {
  return isReached(S.Function, needsAt(functionOf(S), S.Model->Scope), 0);
}

Hot Project::hotThrough(const LinkedSite &S,
                        const LinkedFunction::Caller &C) const {
  const Call &Made = Functions[C.Function].Model->Calls[C.Call];
  const std::optional<PassedNeeds> Passed =
      passNeeds(Made, needsAt(functionOf(S), S.Model->Scope));
  return Passed ? hot(C.Function, Made.Scope, Passed->Left) : Hot();
}

} // namespace autoprof::audit
