// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What limits the advice to remove or to postpone a wait: other threads, times
// of events, and loops that block until there is input.
#include "audit/rules/AdviceParts.h"
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using llvm::StringRef;

std::string waitEvent(const LinkedSite &S) {
  return S.cudaRow().starts_with("cuda") ? "cudaStreamWaitEvent"
                                         : "cuStreamWaitEvent";
}

/// Where a function that the loop does not call, but that may run on another
/// thread, queues work.
static Place workOfOtherThread(const Project &P, const Finding &F) {
  const Hot H = P.hot(*F.Site);
  for (unsigned I = 0; H.IsHot && I < P.functions().size(); ++I) {
    const LinkedFunction &Other = P.functions()[I];
    const bool MayBeThread =
        P.isAddressTaken(I) ||
        llvm::any_of(Other.Callers, [&](const LinkedFunction::Caller &C) {
          return P.functions()[C.Function].Model->Calls[C.Call].Uncertain;
        });
    // A thread with its own work synchronizes with the others.
    if (MayBeThread && Other.Effects.Queues &&
        (Other.Effects.Blocks || Other.Effects.HandsOver) &&
        I != F.Site->Function && I != H.Function &&
        P.mayShareProgram(I, F.Site->Function) &&
        !P.isWithin(I, -1, H.Function, H.Loop))
      return Other.Model->Location;
  }
  return {};
}

Advice unlessForThread(const Project &P, Finding &F, Advice Instead) {
  if (F.Site->Effects.Target != catalogue::WaitsFor::Device)
    return Instead;
  const Place Thread = workOfOtherThread(P, F);
  if (!Thread.Line)
    return Instead;
  F.Certainty = std::min(F.Certainty, Confidence::Medium);
  F.Notes.push_back(
      {Thread, "this function queues work, perhaps on another thread"});
  return {"if the loop uses work queued by the function at " +
          fileAndLine(Thread) +
          " (possibly on another thread), keep the wait, or order the streams "
          "with an event and " +
          waitEvent(*F.Site) + ". If not: " + Instead.Text};
}

/// The error of a call that needs a complete event.
static const char *notReady(StringRef Callee) {
  return Callee.starts_with("hip")    ? "hipErrorNotReady"
         : Callee.starts_with("cuda") ? "cudaErrorNotReady"
                                      : "CUDA_ERROR_NOT_READY";
}

void addElapsedTime(Finding &F, bool Keeps, const LinkedSite &Times) {
  const std::string &Callee = Times.Model->Callee;
  const std::string Reader =
      Callee + " at " + fileAndLine(Times.Model->Location);
  const std::string Fails = std::string(" fails with ") + notReady(Callee);
  F.Notes.push_back(
      {Times.Model->Location, "this call fails if the event is not complete"});
  if (Keeps)
    F.Replacement += ". Without the wait, " + Reader + Fails +
                     ": read the times after the loop, with a pair of events "
                     "for each iteration";
  else
    F.Replacement =
        "read the elapsed times after the loop, with a pair of events for each "
        "iteration, or drop the measurement: without the wait, " +
        Reader + Fails + ". Then " + F.Replacement;
}

static bool isInside(const Scope &Loop, const Place &At) {
  return At.File == Loop.Location.File && At.Offset >= Loop.Location.Offset &&
         At.Offset <= Loop.End;
}

bool mayBlockForInput(const Project &P, const LinkedSite &S) {
  const Hot H = P.hot(S);
  if (!H.IsHot)
    return false;
  const LinkedFunction &F = P.functions()[H.Function];
  const Scope &Loop = F.Model->Scopes[H.Loop];
  for (const Block &B : F.Model->Blocks)
    for (const Event &E : B.Events) {
      if (!isInside(Loop, E.Location))
        continue;
      if (E.Class == Event::Awaits)
        return true;
      if (E.Class == Event::CallMade &&
          llvm::any_of(F.Callees[E.Index], [&](unsigned Callee) {
            return P.functions()[Callee].Effects.Awaits;
          }))
        return true;
    }
  return false;
}

} // namespace autoprof::audit
