// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-memory-free-in-destructor: a freeing call that waits, in a
// destructor or a deleter, when its object is destroyed in a launching loop.
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

/// The step on the path from the loop at which an object is destroyed, or null.
static const PathStep *death(const Hot &H) {
  auto It = llvm::find_if(H.Path,
                          [](const PathStep &Step) { return Step.EndsObject; });
  return It == H.Path.end() ? nullptr : &*It;
}

void checkMemoryFreeInDestructor(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (S.kind() != catalogue::CallClass::Free || S.Model->Hidden ||
        !catalogue::mayWait(S.Effects.Wait))
      continue;
    Hot H = P.hot(S);
    const PathStep *Death = H.IsHot ? death(H) : nullptr;
    if (!Death)
      continue;
    Finding F = findingAt(P, S, H);
    const bool Surely = S.Effects.Wait == catalogue::Waits::Yes;
    F.Message =
        S.Model->Callee + (Surely ? " waits for " : " may wait for ") +
        whatIsWaitedFor(P, S) + " when an object is destroyed " +
        eachIteration(P, H) +
        (Surely || S.Effects.Reason.empty() ? "" : ": " + S.Effects.Reason);
    F.Replacement = "create the object once, before the loop, or allocate with "
                    "cudaMallocAsync and free with cudaFreeAsync";
    F.Notes.push_back({Death->Location, "the object is declared here"});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
