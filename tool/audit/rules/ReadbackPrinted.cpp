// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-readback-printed: a value is read back from the GPU in each
// iteration only to be shown, such as a loss that is printed.
#include "audit/rules/Readback.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

static std::string insteadOfPrinting(const AwaitedReadback &R, const Hot &H) {
  const bool HasCopy = R.Wait->kind() == catalogue::CallClass::Copy;
  const bool IsAlgorithm = R.Wait->Row && (R.Wait->Row->Library == "thrust" ||
                                           R.Wait->Row->Library == "cub");
  std::string Later;
  if (R.Source != R.Wait)
    Later = "record an event after the copy and print the value a few "
            "iterations later, when the event has completed";
  // A value that the call returns cannot be copied by another call.
  else if (!HasCopy && IsAlgorithm && !R.Wait->Effects.Replacement.empty())
    Later = "use " + R.Wait->Effects.Replacement.str() +
            ", copy the result to pinned memory with cudaMemcpyAsync, and "
            "print it a few iterations later, when an event after the copy has "
            "completed";
  else
    Later = "copy it to pinned memory with cudaMemcpyAsync and print it a few "
            "iterations later, when an event after the copy has completed";
  return H.isGuardedBy(Scope::EveryNth)
             ? Later
             : "print every N iterations, or " + std::move(Later);
}

/// Whether the function of the call returns the value.
static bool isReturned(const Project &P, const LinkedSite &S) {
  const Function &F = P.functionOf(S);
  const int Number = S.Model - F.Sites.data();
  return llvm::any_of(F.Uses, [Number](const Use &U) {
    return U.Site == Number && llvm::StringRef(U.TargetSlot).starts_with("R:");
  });
}

/// Whether the function of the call also has callers that are not on the way
/// from the launching loop: they may use the value otherwise.
static bool hasOtherCallers(const Project &P, const LinkedSite &S,
                            const Hot &H) {
  unsigned Function = S.Function;
  for (unsigned Depth = 0; Function != H.Function && Depth < 8; ++Depth) {
    const std::vector<LinkedFunction::Caller> &Callers =
        P.functions()[Function].Callers;
    if (Callers.size() != 1)
      return true;
    Function = Callers.front().Function;
  }
  return Function != H.Function;
}

void checkReadbackPrinted(const Project &P, std::vector<Finding> &Out) {
  for (const AwaitedReadback &R : readbacks(P)) {
    const LinkedSite &S = *R.Wait;
    Hot H = P.hot(S);
    if (!H.IsHot)
      continue;
    const Use *Shown = nullptr;
    bool Steers = false, Indirect = false;
    for (const Destination &D : P.destinations(*R.Source)) {
      if (!P.isWithin(D.Function, D.Model->Scope, H.Function, H.Loop))
        continue;
      if (!isShown(D)) {
        Steers |= D.Model->Class == Use::Feeds || !whatItSteers(P, D).empty();
      } else if (!isUnderOwnCondition(P, D, S) && !Shown) {
        Shown = D.Model;
        Indirect = D.ThroughField;
      }
    }
    if (!Shown || Steers)
      continue;
    const bool AtOneCall = isReturned(P, *R.Source) && hasOtherCallers(P, S, H);
    Finding F = findingAt(P, R, H);
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(P, S) + " " +
                eachIteration(P, H) +
                (AtOneCall ? ", and for the call at " +
                                 fileAndLine(H.Path.back().Location) +
                                 " its result is only "
                           : ", and its result is only ") +
                (Shown->Class == Use::Logged ? "logged" : "printed") + " by " +
                Shown->SinkName;
    F.Replacement = insteadOfPrinting(R, H);
    if (AtOneCall)
      F.Replacement = "for that call, " + F.Replacement +
                      ". Other callers of the function may need the value "
                      "where it is now";
    if (Indirect || AtOneCall)
      F.Certainty = Confidence::Medium;
    F.Notes.push_back({Shown->Location, shownHere(*Shown)});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
