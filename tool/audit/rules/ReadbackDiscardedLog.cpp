// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-readback-discarded-log: a value is read back in each iteration but
// rarely printed: only at a log level, or on every n-th iteration.
#include "audit/FirstUse.h"
#include "audit/rules/Readback.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using llvm::StringRef;

/// Whether all callers only print or log the result of the function.
static bool isOnlyShown(const Project &P, unsigned Function) {
  const std::vector<LinkedFunction::Caller> &Callers =
      P.functions()[Function].Callers;
  return !P.isAddressTaken(Function) && !Callers.empty() &&
         llvm::all_of(Callers, [&](const LinkedFunction::Caller &C) {
           const LinkedFunction &By = P.functions()[C.Function];
           return By.Model->Calls[C.Call].OnlyShown &&
                  By.Callees[C.Call].size() == 1;
         });
}

/// Whether it is stored elsewhere, where its further use is not fully visible.
static bool isKept(const Project &P, const LinkedSite &S) {
  const Function &F = P.functionOf(S);
  const int Number = S.Model - F.Sites.data();
  return llvm::any_of(F.Uses, [&](const Use &U) {
    const StringRef Slot = U.TargetSlot;
    return U.Site == Number && U.Class == Use::Stored &&
           !Slot.starts_with("P:") &&
           !(Slot.starts_with("R:") && isOnlyShown(P, S.Function));
  });
}

static bool isReturned(const Function &F, const Place &Location) {
  return llvm::any_of(F.Returns, [&](const Place &Loaded) {
    return Loaded.File == Location.File && Loaded.Offset == Location.Offset;
  });
}

/// Whether this line has a call of the function, which gets the value.
static bool isHandedTo(const Project &P, unsigned From, unsigned To,
                       const Place &Location) {
  const LinkedFunction &F = P.functions()[From];
  for (unsigned C = 0; C < F.Callees.size(); ++C)
    if (F.Model->Calls[C].Location.Line == Location.Line &&
        llvm::is_contained(F.Callees[C], To))
      return true;
  return false;
}

/// Whether the host also reads it outside the condition under which it is
/// printed. Then the copy is needed in any case.
static bool isReadElsewhere(const Project &P, const LinkedSite &S,
                            const std::vector<Destination> &Destinations) {
  const Function &F = P.functionOf(S);
  const std::vector<int> Cells = cellsCompletedBy(P, S);
  auto IsShown = [&](const Place &Location) {
    return llvm::any_of(Destinations, [&](const Destination &D) {
      if (D.Function != S.Function)
        return isHandedTo(P, S.Function, D.Function, Location);
      for (int I = D.Model->Scope; I >= 0; I = F.Scopes[I].Parent)
        if (F.Scopes[I].Class != Scope::Loop &&
            F.Scopes[I].Location.Offset <= Location.Offset &&
            Location.Offset <= F.Scopes[I].End)
          return true;
      return D.Model->Location.Line == Location.Line;
    });
  };
  return llvm::any_of(F.Blocks, [&](const Block &B) {
    return llvm::any_of(B.Events, [&](const Event &E) {
      return (E.Class == Event::Read || E.Class == Event::Passed) &&
             llvm::is_contained(Cells, int(E.Index)) &&
             !isReturned(F, E.Location) && !IsShown(E.Location);
    });
  });
}

void checkReadbackDiscardedLog(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isReadback(S) || isKept(P, S))
      continue;
    Hot H = P.hot(S);
    if (!H.IsHot || !H.Guards.empty())
      continue;
    const std::vector<Destination> Destinations = P.destinations(S);
    if (Destinations.empty() ||
        !llvm::all_of(Destinations,
                      [&](const Destination &D) {
                        return isShown(D) && isUnderOwnCondition(P, D, S) &&
                               P.isWithin(D.Function, D.Model->Scope,
                                          H.Function, H.Loop);
                      }) ||
        isReadElsewhere(P, S, Destinations))
      continue;
    Finding F = findingAt(P, {&S, &S}, H);
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(P, S) + " " +
                eachIteration(P, H) + ", and its result is only " +
                (Destinations.front().Model->Class == Use::Logged ? "logged"
                                                                  : "printed") +
                " by " + Destinations.front().Model->SinkName +
                " under a condition";
    F.Replacement = "make the copy under the same condition";
    F.Notes.push_back({Destinations.front().Model->Location,
                       shownHere(*Destinations.front().Model)});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
