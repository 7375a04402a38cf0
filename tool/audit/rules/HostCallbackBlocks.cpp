// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-host-callback-blocks: a host function on a stream that calls the
// CUDA API, locks, sleeps or waits for a thread. The stream is blocked
// until it returns, and it must not call the API.
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

static bool takesCallback(const LinkedSite &S) {
  return llvm::is_contained({"cudaLaunchHostFunc", "cudaStreamAddCallback",
                             "cuLaunchHostFunc", "cuStreamAddCallback"},
                            S.cudaRow());
}

void checkHostCallbackBlocks(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    const Arg *Callback = takesCallback(S) ? argument(S, 1) : nullptr;
    if (!Callback || Callback->Function.empty())
      continue;
    const int Index =
        P.definition(Callback->Function, P.functions()[S.Function].Unit);
    if (Index < 0)
      continue;
    const LinkedFunction &Called = P.functions()[Index];
    if (!Called.Effects.UsesApi && !Called.Effects.Blocks)
      continue;
    const Hot H = P.hot(S);
    Finding F = findingAt(P, S, H, Cost::AsWait);
    F.Message = Called.Model->Name + ", which " + S.Model->Callee +
                " runs on a stream, " +
                (Called.Effects.UsesApi
                     ? "calls the CUDA API, which is not allowed there"
                     : "locks, sleeps, or waits for a thread, which blocks the "
                       "stream meanwhile");
    F.Replacement = "pass the work to a thread that waits for an event";
    F.Notes.push_back({Called.Model->Location, "this is the function"});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
