// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-sync-in-loop: an explicit wait in a launching loop.
#include "audit/rules/Common.h"

namespace autoprof::audit {

/// A wait for an event of an earlier iteration keeps a few iterations in
/// flight: the event is recorded later in the loop than it is waited for, or
/// chosen by an index.
static bool boundsRunAhead(const LinkedSite &S) {
  const Arg *Event = argument(S, 0);
  return S.Does.Target == catalogue::WaitsFor::Event && Event &&
         (Event->Text.find('[') != std::string::npos ||
          Event->Text.find("prev") != std::string::npos);
}

void checkSyncInLoop(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isExplicitWait(S) || boundsRunAhead(S))
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
