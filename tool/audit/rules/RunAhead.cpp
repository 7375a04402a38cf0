// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/RunAhead.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using catalogue::WaitsFor;

bool boundsRunAhead(const Project &P, const LinkedSite &S) {
  const Arg *Event = argument(S, 0);
  if (S.Effects.Target != WaitsFor::Event || !Event)
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

Advice unlessBound(const Project &P, const LinkedSite &S, Advice Instead) {
  if (!P.hot(S).isGuardedBy(Scope::EveryNth))
    return Instead;
  const bool IsForDevice = S.Effects.Target == WaitsFor::Device;
  return {std::string("keep the wait if it bounds how far the host runs ahead "
                      "(to bound that without draining the GPU, wait in each "
                      "iteration for an event that was recorded N iterations "
                      "earlier") +
              (IsForDevice ? " on each stream" : "") + "). Otherwise, " +
              Instead.Text,
          /*Keeps=*/true};
}

} // namespace autoprof::audit
