// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-sync-for-timing: an explicit wait in a launching loop, immediately
// followed by a clock reading.
#include "audit/Neighbors.h"
#include "audit/rules/Advice.h"
#include "audit/rules/Completion.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

void checkSyncForTiming(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isExplicitWait(S))
      continue;
    Hot H = P.hot(S);
    if (!H.IsHot || isDoneInVariousWays(P, S))
      continue;
    const std::vector<Moment> Next =
        Neighbors(P, S.Function).following(S, isQuiet);
    if (Next.empty() || !llvm::all_of(Next, isClock) || isNeededInLoop(P, S))
      continue; // If it is needed, sync-in-loop has the advice.
    Finding F = findingAt(P, S, H);
    F.Level = Severity::Low;
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(P, S) + " " +
                eachIteration(P, H) + " only to read a clock";
    F.Replacement = "record a pair of events in each iteration, and call "
                    "cudaEventElapsedTime after the loop, if nothing else "
                    "needs the wait";
    F.Notes.push_back({Next.front().Location, "the time is read here"});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
