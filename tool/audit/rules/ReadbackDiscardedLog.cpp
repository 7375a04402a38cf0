// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-readback-discarded-log: a value is brought back in each iteration
// for printing that is seldom done: under a log level, or on every n-th
// iteration.
#include "audit/FirstUse.h"
#include "audit/rules/Readback.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using llvm::StringRef;

/// Is it kept for others? What becomes of it there is not all seen.
static bool isKept(const Project &P, const LinkedSite &S) {
  const Function &F = P.functionOf(S);
  const int Number = S.Its - F.Sites.data();
  return llvm::any_of(F.Uses, [Number](const Use &U) {
    return U.Site == Number && U.What == Use::Stored &&
           !StringRef(U.Into).starts_with("P:");
  });
}

/// Is there a call of the function on this line, which gets the value?
static bool isHandedTo(const Project &P, unsigned From, unsigned To,
                       const Place &At) {
  const LinkedFunction &F = P.functions()[From];
  for (unsigned C = 0; C < F.Callees.size(); ++C)
    if (F.Its->Calls[C].At.Line == At.Line &&
        llvm::is_contained(F.Callees[C], To))
      return true;
  return false;
}

/// Does the host read it elsewhere than under the condition that it is shown
/// under? Then the copy has to be made in any case.
static bool isReadElsewhere(const Project &P, const LinkedSite &S,
                            const std::vector<Destination> &Where) {
  const Function &F = P.functionOf(S);
  const std::vector<int> Cells = cellsCompletedBy(P, S);
  auto IsShown = [&](const Place &At) {
    return llvm::any_of(Where, [&](const Destination &D) {
      if (D.Function != S.Function)
        return isHandedTo(P, S.Function, D.Function, At);
      for (int I = D.Its->Scope; I >= 0; I = F.Scopes[I].Parent)
        if (F.Scopes[I].What != Scope::Loop &&
            F.Scopes[I].At.Offset <= At.Offset && At.Offset <= F.Scopes[I].End)
          return true;
      return D.Its->At.Line == At.Line;
    });
  };
  return llvm::any_of(F.Blocks, [&](const Block &B) {
    return llvm::any_of(B.Events, [&](const Event &E) {
      return (E.What == Event::Read || E.What == Event::Passed) &&
             llvm::is_contained(Cells, int(E.Index)) && !IsShown(E.At);
    });
  });
}

void checkReadbackDiscardedLog(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isReadback(S) || isKept(P, S))
      continue;
    Hot H = P.hot(S);
    if (!H.Is || !H.Guards.empty())
      continue;
    const std::vector<Destination> Where = P.destinations(S);
    if (Where.empty() || !llvm::all_of(Where, [&](const Destination &D) {
          return isShown(D) && isUnderOwnCondition(P, D, S) &&
                 P.isWithin(D.Function, D.Its->Scope, H.Function, H.Loop);
        }) ||
        isReadElsewhere(P, S, Where))
      continue;
    Finding F = findingAt(P, S, H);
    F.Message =
        S.Its->Callee + " waits for " + whatIsWaitedFor(S) + " " +
        eachIteration(P, H) + ", and its result is only " +
        (Where.front().Its->What == Use::Logged ? "logged" : "printed") +
        " by " + Where.front().Its->By + " under a condition";
    F.Replacement = "make the copy under the same condition";
    F.Notes.push_back({Where.front().Its->At, "it is shown here"});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
