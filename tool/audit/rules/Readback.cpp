// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Readback.h"

namespace autoprof::audit {

using catalogue::CallClass;

bool isReadback(const LinkedSite &S) {
  if (!catalogue::mayWait(S.Effects.Wait) || S.kind() == CallClass::Sync)
    return false;
  if (S.kind() != CallClass::Copy)
    return true;
  const std::optional<int64_t> Bytes = bytesOf(S);
  return isToHost(S) && Bytes && *Bytes <= 256;
}

static bool isCondition(Scope::Kind Kind) {
  return Kind == Scope::Condition || Kind == Scope::Verbose ||
         Kind == Scope::EveryNth || Kind == Scope::DebugMacro ||
         Kind == Scope::Once || Kind == Scope::ErrorPath;
}

bool isShown(const Destination &D) {
  return D.Model->Class == Use::Printed || D.Model->Class == Use::Logged;
}

bool isUnderOwnCondition(const Project &P, const Destination &D,
                         const LinkedSite &S) {
  const Function &F = *P.functions()[D.Function].Model;
  for (int I = D.Model->Scope; I >= 0; I = F.Scopes[I].Parent) {
    if (!isCondition(F.Scopes[I].Class))
      continue;
    if (D.Function != S.Function ||
        !P.isWithin(S.Function, S.Model->Scope, D.Function, I))
      return true;
  }
  return false;
}

/// Does the branch at this condition queue GPU work, or leave the loop?
static bool decides(const Project &P, const Destination &D) {
  const LinkedFunction &F = P.functions()[D.Function];
  auto IsIn = [&](int Scope, int Outer) {
    return P.isWithin(D.Function, Scope, D.Function, Outer);
  };
  for (unsigned I = 0; I < F.Model->Scopes.size(); ++I) {
    const Scope &Branch = F.Model->Scopes[I];
    if (Branch.Decided.File != D.Model->Location.File ||
        Branch.Decided.Offset != D.Model->Location.Offset ||
        !Branch.Decided.Line)
      continue;
    if (Branch.Class == Scope::LeavesLoop ||
        Branch.Class == Scope::LeavesFunction || Branch.Class == Scope::Fails)
      return true;
    if (Branch.Class == Scope::ErrorPath)
      continue;
    for (unsigned S : F.Sites)
      if (P.sites()[S].QueuesWork && IsIn(P.sites()[S].Model->Scope, I))
        return true;
    for (unsigned C = 0; C < F.Callees.size(); ++C)
      if (F.Callees[C].size() == 1 && IsIn(F.Model->Calls[C].Scope, I) &&
          P.functions()[F.Callees[C].front()].Effects.Queues)
        return true;
  }
  return false;
}

llvm::StringRef whatItSteers(const Project &P, const Destination &D) {
  switch (D.Model->Class) {
  case Use::LoopCondition:
    return "decides whether a loop goes on";
  case Use::Configures:
    return "decides the size of a launch";
  case Use::Branch:
    return decides(P, D) ? "decides what is done next" : "";
  default:
    return "";
  }
}

} // namespace autoprof::audit
