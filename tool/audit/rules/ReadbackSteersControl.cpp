// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-readback-steers-control: a value is brought back in each iteration
// to decide whether the loop goes on, whether GPU work is queued, or how large
// a launch is: a convergence test.
#include "audit/rules/Readback.h"

namespace autoprof::audit {

void checkReadbackSteersControl(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isReadback(S))
      continue;
    Hot H = P.hot(S);
    if (!H.IsHot)
      continue;
    for (const Destination &D : P.destinations(S)) {
      if (!P.isWithin(D.Function, D.Model->Scope, H.Function, H.Loop))
        continue;
      const llvm::StringRef Steered = whatItSteers(P, D);
      if (Steered.empty())
        continue;
      Finding F = findingAt(P, S, H);
      F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(S) + " " +
                  eachIteration(P, H) + ", and its result " + Steered.str();
      F.Replacement = "test every N iterations, or keep the test on the GPU (a "
                      "conditional graph node, a kernel that skips its work)";
      if (D.ThroughField)
        F.Certainty = Confidence::Medium;
      F.Notes.push_back({D.Model->Location, "the value is used here"});
      Out.push_back(std::move(F));
      break;
    }
  }
}

} // namespace autoprof::audit
