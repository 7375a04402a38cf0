// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-memory-free-in-destructor: a freeing call that waits, in a
// destructor or a deleter, when its object is destroyed in a launching loop.
#include "audit/rules/Advice.h"
#include "audit/rules/Common.h"
#include "audit/rules/Outstanding.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace autoprof::audit {

/// The step on the path from the loop at which an object is destroyed, or null.
static const PathStep *death(const Hot &H) {
  auto It = llvm::find_if(H.Path,
                          [](const PathStep &Step) { return Step.EndsObject; });
  return It == H.Path.end() ? nullptr : &*It;
}

/// Whether the loop's function queues work on several streams, as far as it
/// shows.
static bool usesStreams(const Project &P, const Hot &H) {
  std::set<std::pair<uint32_t, std::string>> Different;
  for (unsigned I : P.functions()[H.Function].Sites)
    if (P.sites()[I].QueuesWork) {
      const StreamUse Use = streamOfWork(P, P.sites()[I]);
      Different.insert({Use.Kind, Use.Name});
    }
  return Different.size() > 1;
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
    F.Replacement = insteadOfFreeInObject(S, usesStreams(P, H));
    F.Notes.push_back({Death->Location, "the object is declared here"});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
