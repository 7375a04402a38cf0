// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Devices.h"

#include "audit/FirstUse.h"
#include "audit/rules/Common.h"

#include "llvm/ADT/DenseSet.h"

namespace autoprof::audit {

/// Whether the loop around a wait selects several devices by name, or copies
/// between devices.
static bool switchesDevices(const Project &P, const LinkedSite &S) {
  llvm::StringRef First;
  for (unsigned I : P.functions()[S.Function].Sites) {
    const LinkedSite &Other = P.sites()[I];
    if (Other.OnErrorPath || !isInLoopOf(P, S, Other.Model->Location))
      continue;
    if (Other.cudaRow().contains("MemcpyPeer"))
      return true;
    const Arg *Device = argument(Other, 0);
    if (Other.cudaRow() != "cudaSetDevice" || !Device)
      continue;
    if (!First.empty() && First != Device->Text)
      return true;
    First = Device->Text;
  }
  return false;
}

bool isPerDevice(const Project &P, const LinkedSite &S) {
  if (switchesDevices(P, S))
    return true;
  const Hot H = P.hot(S);
  std::vector<std::pair<unsigned, int>> Worklist = {
      {S.Function, S.Model->Scope}};
  llvm::DenseSet<unsigned> Seen = {S.Function};
  while (!Worklist.empty()) {
    const auto [Function, Scope] = Worklist.back();
    Worklist.pop_back();
    const std::vector<audit::Scope> &Scopes =
        P.functions()[Function].Model->Scopes;
    int I = Scope;
    for (; I >= 0 && (Function != H.Function || I != H.Loop);
         I = Scopes[I].Parent)
      if (Scopes[I].OverDevices)
        return true;
    if (I >= 0)
      continue; // The launching loop.
    for (const LinkedFunction::Caller &C : P.functions()[Function].Callers)
      if (Seen.insert(C.Function).second)
        Worklist.push_back(
            {C.Function, P.functions()[C.Function].Model->Calls[C.Call].Scope});
  }
  return false;
}

} // namespace autoprof::audit
