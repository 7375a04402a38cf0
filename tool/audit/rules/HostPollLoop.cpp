// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-host-poll-loop: a loop that only polls whether the GPU is done.
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using llvm::StringRef;

static bool isQuery(const LinkedSite &S) {
  return llvm::is_contained(
      {"cudaStreamQuery", "cudaEventQuery", "cuStreamQuery", "cuEventQuery"},
      S.cudaRow());
}

static bool isAbout(const Scope &S, const LinkedSite &Query) {
  return StringRef(S.Text).contains(Query.Model->Callee) ||
         S.TestsQuery == Query.Model->Callee;
}

/// The loop that the query ends: as its condition, or as that of a branch that
/// leaves it; -1 if none.
static int loopOfQuery(const Function &F, const LinkedSite &Query) {
  int Loop = Query.Model->Scope;
  while (Loop >= 0 && F.Scopes[Loop].Class != Scope::Loop)
    Loop = F.Scopes[Loop].Parent;
  if (Loop < 0 || !F.Scopes[Loop].Polls)
    return -1;
  const bool Leaves = llvm::any_of(F.Scopes, [&](const Scope &S) {
    return S.Parent == Loop && S.Class == Scope::LeavesLoop &&
           isAbout(S, Query);
  });
  return Leaves || isAbout(F.Scopes[Loop], Query) ? Loop : -1;
}

/// Calls of the user's functions, except checks, are work, and so are other
/// calls of the catalogue.
static bool works(const Project &P, const LinkedSite &Query, int Loop) {
  const LinkedFunction &F = P.functions()[Query.Function];
  auto IsInside = [&](int Scope) {
    return P.isWithin(Query.Function, Scope, Query.Function, Loop);
  };
  return llvm::any_of(F.Model->Calls,
                      [&](const Call &C) {
                        return IsInside(C.Scope) &&
                               !StringRef(C.Name).contains_insensitive("check");
                      }) ||
         llvm::any_of(F.Sites, [&](unsigned I) {
           const LinkedSite &S = P.sites()[I];
           return S.kind() != catalogue::CallClass::Query &&
                  IsInside(S.Model->Scope);
         });
}

void checkHostPollLoop(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isQuery(S) || S.OnErrorPath || !argument(S, 0) ||
        argument(S, 0)->Moves)
      continue;
    const int Loop = loopOfQuery(P.functionOf(S), S);
    if (Loop < 0 || works(P, S, Loop))
      continue;
    const bool OfStream = S.cudaRow().contains("Stream");
    // In a launching loop, it is a wait like any other.
    const Hot H = P.hot(S);
    Finding F = findingAt(P, S, H, Cost::AsWait);
    F.Level = std::max(F.Level, Severity::Low);
    F.Message = S.Model->Callee + " is polled until the work " +
                (OfStream ? "on the stream" : "before the event") + " is done" +
                (H.IsHot ? ", " + eachIteration(P, H) : "") +
                ", and the CPU does nothing else meanwhile";
    const PathStep Here = {P.functionOf(S).Scopes[Loop].Location,
                           "in this loop"};
    const std::string Wait =
        (OfStream ? "cudaStreamSynchronize(" : "cudaEventSynchronize(") +
        argument(S, 0)->Text + ")";
    if (H.IsHot) {
      F.Notes.push_back({Here.Location, "this loop polls"});
      F.Replacement =
          "first check whether each iteration must wait for the GPU. If not, "
          "wait once, after the loop. If so, " +
          Wait + " waits without using a CPU core, but is also a wait";
    } else {
      F.Path = {Here};
      F.Replacement = Wait;
    }
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
