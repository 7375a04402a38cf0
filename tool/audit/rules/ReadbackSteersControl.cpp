// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-readback-steers-control: a value is read back in each iteration to
// decide whether the loop continues, whether GPU work is queued, or how large a
// launch is, such as a convergence test.
#include "audit/rules/Readback.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

/// A value that GPU work uses is needed in each iteration.
static std::string insteadOfTest(const Project &P, const Hot &H,
                                 llvm::ArrayRef<Destination> Where) {
  const bool IsNeeded = llvm::any_of(Where, [&](const Destination &D) {
    return (D.Model->Class == Use::Feeds ||
            D.Model->Class == Use::Configures) &&
           P.isWithin(D.Function, D.Model->Scope, H.Function, H.Loop);
  });
  if (IsNeeded)
    return "keep the value on the GPU and let the kernels that use it read it "
           "there (a conditional graph node for the test)";
  const std::string OnGpu = "keep the test on the GPU (a conditional graph "
                            "node, or a kernel that skips its work)";
  return H.isGuardedBy(Scope::EveryNth)
             ? OnGpu
             : "test every N iterations, if up to N-1 more iterations may run "
               "before the result takes effect, or " +
                   OnGpu;
}

void checkReadbackSteersControl(const Project &P, std::vector<Finding> &Out) {
  for (const AwaitedReadback &R : readbacks(P)) {
    const LinkedSite &S = *R.Wait;
    Hot H = P.hot(S);
    if (!H.IsHot)
      continue;
    const std::vector<Destination> Where = P.destinations(*R.Source);
    for (const Destination &D : Where) {
      if (!P.isWithin(D.Function, D.Model->Scope, H.Function, H.Loop))
        continue;
      const llvm::StringRef Steered = whatItSteers(P, D);
      if (Steered.empty())
        continue;
      Finding F = findingAt(P, R, H);
      F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(P, S) +
                  " " + eachIteration(P, H) + ", and its result " +
                  Steered.str();
      F.Replacement = insteadOfTest(P, H, Where);
      if (D.ThroughField)
        F.Certainty = Confidence::Medium;
      F.Notes.push_back({D.Model->Location, "the value is used here"});
      Out.push_back(std::move(F));
      break;
    }
  }
}

} // namespace autoprof::audit
