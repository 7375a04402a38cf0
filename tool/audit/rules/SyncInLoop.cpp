// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-sync-in-loop: an explicit wait in a launching loop.
#include "audit/Neighbors.h"
#include "audit/rules/Advice.h"
#include "audit/rules/Completion.h"
#include "audit/rules/Readback.h"
#include "audit/rules/RunAhead.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

/// Whether the host reads a clock next.
static bool isBeforeClock(const Project &P, const LinkedSite &S) {
  const std::vector<Moment> Next =
      Neighbors(P, S.Function).following(S, isQuiet);
  return !Next.empty() && llvm::all_of(Next, isClock);
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
    if (isBeforeClock(P, S))
      F.Level = std::min(F.Level, Severity::Low); // It is a measurement.
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(P, S) + " " +
                eachIteration(P, H);
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
