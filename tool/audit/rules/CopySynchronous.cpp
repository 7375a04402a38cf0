// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-copy-synchronous: a copy between host and device in a launching
// loop that is not asynchronous, or cudaMemset on memory for which it waits.
#include "audit/rules/Advice.h"
#include "audit/rules/Common.h"

namespace autoprof::audit {

void checkCopySynchronous(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    const bool Moves = S.kind() == catalogue::CallClass::Copy ||
                       S.kind() == catalogue::CallClass::Set;
    if (!Moves || isAsynchronous(S) || S.Effects.Wait != catalogue::Waits::Yes)
      continue;
    Hot H = P.hot(S);
    if (!H.IsHot)
      continue;
    Finding F = findingAt(P, S, H);
    adviseCopy(P, F);
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(P, S) +
                (isToHost(S) ? " and for the data " : " ") +
                eachIteration(P, H);
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
