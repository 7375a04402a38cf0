// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-library-solver-info-readback: the `info` of a cuSOLVER call, which
// reports success or failure, is copied to the host in a launching loop.
#include "audit/rules/Common.h"
#include "audit/rules/Order.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using llvm::StringRef;

/// "Solver" of "Solver::factor".
static StringRef classOf(const Function &F) {
  return StringRef(F.Name).rsplit("::").second.empty()
             ? ""
             : StringRef(F.Name).rsplit("::").first;
}

/// The solver call in this function, or in another method of its class, that
/// writes what the copy reads; null if none.
static const LinkedSite *solverOf(const Project &P, const LinkedSite &Copy) {
  const Arg *Source = argument(Copy, 1);
  if (!Source || !StringRef(Source->Text).contains_insensitive("info"))
    return nullptr;
  const Function &Caller = P.functionOf(Copy);
  for (const LinkedSite &S : P.sites()) {
    if (!S.Row || S.Row->Library != "cusolver" || !S.Launches)
      continue;
    const Function &Other = P.functionOf(S);
    if (S.Function != Copy.Function &&
        (classOf(Caller).empty() || classOf(Caller) != classOf(Other)))
      continue;
    if (llvm::any_of(S.Model->Args,
                     [&](const Arg &A) { return A.Text == Source->Text; }))
      return &S;
  }
  return nullptr;
}

/// The wait for an asynchronous copy is where the host uses it: in its loop.
static bool isAwaited(const Project &P, const LinkedSite &Copy, const Hot &H) {
  return catalogue::mayWait(Copy.Effects.Wait) ||
         llvm::any_of(P.sites(), [&](const LinkedSite &S) {
           return S.Function == Copy.Function && isExplicitWait(S) &&
                  P.isWithin(S.Function, S.Model->Scope, H.Function, H.Loop);
         });
}

void checkLibrarySolverInfo(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (S.kind() != catalogue::CallClass::Copy || !isToHost(S))
      continue;
    Hot H = P.hot(S);
    const LinkedSite *Solver = H.IsHot ? solverOf(P, S) : nullptr;
    if (!Solver || !isAwaited(P, S, H))
      continue;
    Finding F = findingAt(P, S, H);
    // Not if only another call waits for the solver.
    const bool Waits =
        orderOf(streamOf(P, *Solver), streamOf(P, S)) != Order::Lost;
    F.Message = S.Model->Callee +
                (Waits ? " waits for " : " copies the info of ") +
                Solver->Model->Callee + " " + eachIteration(P, H) +
                " to check whether it succeeded";
    F.Replacement =
        "collect the info values in one device array, with one element for "
        "each cuSOLVER call that writes one, and copy and check it once, after "
        "the loop. Until then, calls that depend on one that failed run "
        "unchecked";
    F.Notes.push_back({Solver->Model->Location, "the info is written here"});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
