// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-sync-in-loop: an explicit wait in a launching loop.
#include "audit/Neighbors.h"
#include "audit/rules/Advice.h"
#include "audit/rules/Completion.h"
#include "audit/rules/Readback.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

/// A wait for an event of an earlier iteration, one not yet recorded in this
/// iteration, keeps a few iterations in flight.
static bool boundsRunAhead(const Project &P, const LinkedSite &S) {
  const Arg *Event = argument(S, 0);
  if (S.Effects.Target != catalogue::WaitsFor::Event || !Event)
    return false;
  const Function &F = P.functionOf(S);
  const int Loop = P.loopAround(S.Function, S.Model->Scope);
  return llvm::none_of(F.Sites, [&](const Site &Other) {
    return llvm::StringRef(Other.Row).contains("EventRecord") &&
           !Other.Args.empty() && Other.Args[0].Text == Event->Text &&
           Other.Location.Offset < S.Model->Location.Offset &&
           (Loop < 0 || P.isWithin(S.Function, Other.Scope, S.Function, Loop));
  });
}

void checkSyncInLoop(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isExplicitWait(S) || boundsRunAhead(P, S) ||
        !readbacksCompletedBy(P, S).empty())
      continue;
    Hot H = P.hot(S);
    if (!H.IsHot || isDoneInVariousWays(P, S))
      continue;
    Finding F = findingAt(P, S, H);
    if (!adviseWait(P, F))
      continue; // There is nothing to do.
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(P, S) + " " +
                eachIteration(P, H);
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
