// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-readback-discarded-log: a value is brought back in each iteration
// for printing that is seldom done: under a log level, or on every n-th
// iteration.
#include "audit/rules/Readback.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using llvm::StringRef;

/// Is it kept for others? What becomes of it there is not all seen.
static bool isKept(const Project &P, const LinkedSite &S) {
  const Function &F = P.functionOf(S);
  const int Number = S.Model - F.Sites.data();
  return llvm::any_of(F.Uses, [Number](const Use &U) {
    return U.Site == Number && U.Class == Use::Stored &&
           !StringRef(U.TargetSlot).starts_with("P:");
  });
}

void checkReadbackDiscardedLog(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isReadback(S) || isKept(P, S))
      continue;
    Hot H = P.hot(S);
    if (!H.IsHot || !H.Guards.empty())
      continue;
    const std::vector<Destination> Destinations = P.destinations(S);
    if (Destinations.empty() ||
        !llvm::all_of(Destinations, [&](const Destination &D) {
          return isShown(D) && isUnderOwnCondition(P, D, S) &&
                 P.isWithin(D.Function, D.Model->Scope, H.Function, H.Loop);
        }))
      continue;
    Finding F = findingAt(P, S, H);
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(S) + " " +
                eachIteration(P, H) + ", and its result is only " +
                (Destinations.front().Model->Class == Use::Logged ? "logged"
                                                                  : "printed") +
                " by " + Destinations.front().Model->SinkName +
                " under a condition";
    F.Replacement = "make the copy under the same condition";
    F.Notes.push_back(
        {Destinations.front().Model->Location, "it is shown here"});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
