// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-readback-printed: a value is brought back from the GPU in each
// iteration only to be shown: the loss that is printed.
#include "audit/rules/Common.h"

namespace autoprof::audit {

static bool isCondition(Scope::Kind What) {
  return What == Scope::Condition || What == Scope::Verbose ||
         What == Scope::EveryNth || What == Scope::DebugMacro ||
         What == Scope::Once || What == Scope::ErrorPath;
}

/// Is the place under a condition that the site is not under?
static bool isUnderOwnCondition(const Project &P, const Destination &D,
                                const LinkedSite &S) {
  const Function &F = *P.functions()[D.Function].Its;
  for (int I = D.Its->Scope; I >= 0; I = F.Scopes[I].Parent) {
    if (!isCondition(F.Scopes[I].What))
      continue;
    if (D.Function != S.Function ||
        !P.isWithin(S.Function, S.Its->Scope, D.Function, I))
      return true;
  }
  return false;
}

void checkReadbackPrinted(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!catalogue::mayWait(S.Does.Wait) || isExplicitWait(S))
      continue;
    Hot H = P.hot(S);
    if (!H.Is)
      continue;
    const Use *Shown = nullptr;
    bool Steers = false, Indirect = false;
    for (const Destination &D : P.destinations(S)) {
      if (!P.isWithin(D.Function, D.Its->Scope, H.Function, H.Loop))
        continue;
      if (D.Its->What == Use::Branch || D.Its->What == Use::LoopCondition)
        Steers = true;
      else if (!isUnderOwnCondition(P, D, S) && !Shown) {
        Shown = D.Its;
        Indirect = D.ThroughField;
      }
    }
    if (!Shown || Steers)
      continue;
    Finding F = findingAt(P, S, H);
    F.Message = S.Its->Callee + " waits for " + whatIsWaitedFor(S) + " " +
                eachIteration(P, H) + ", and its result is only " +
                (Shown->What == Use::Logged ? "logged" : "printed") + " by " +
                Shown->By;
    F.Replacement = "print every N iterations, or copy it to pinned memory "
                    "with cudaMemcpyAsync and print it some iterations later";
    if (Indirect)
      F.Sure = Confidence::Medium;
    F.Notes.push_back({Shown->At, "it is shown here"});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
