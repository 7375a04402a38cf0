// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-sync-in-loop: an explicit wait in a launching loop.
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

/// A wait for an event of an earlier iteration keeps a few iterations in
/// flight: the event that is waited for was not recorded before in this one.
static bool boundsRunAhead(const Project &P, const LinkedSite &S) {
  const Arg *Event = argument(S, 0);
  if (S.Does.Target != catalogue::WaitsFor::Event || !Event)
    return false;
  const Function &F = P.functionOf(S);
  const int Loop = P.loopAround(S.Function, S.Its->Scope);
  return llvm::none_of(F.Sites, [&](const Site &Other) {
    return llvm::StringRef(Other.Row).contains("EventRecord") &&
           !Other.Args.empty() && Other.Args[0].Text == Event->Text &&
           Other.At.Offset < S.Its->At.Offset &&
           (Loop < 0 || P.isWithin(S.Function, Other.Scope, S.Function, Loop));
  });
}

void checkSyncInLoop(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isExplicitWait(S) || boundsRunAhead(P, S))
      continue;
    Hot H = P.hot(S);
    if (!H.Is)
      continue;
    Finding F = findingAt(P, S, H);
    F.Message = S.Its->Callee + " waits for " + whatIsWaitedFor(S) + " " +
                eachIteration(P, H);
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
