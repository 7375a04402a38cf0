// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-host-managed-touch: in a launching loop the host reads or writes
// managed memory between launches that use it. Its pages migrate to the host,
// and back at the next launch.
#include "audit/Neighbors.h"
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace autoprof::audit {

/// The variables that point to managed memory and are passed to a launch.
static std::set<int> managedCells(const Project &P, const LinkedSite &S) {
  std::set<int> Result;
  for (const Arg &A : S.Model->Args)
    if (A.Cell >= 0 && P.resolve(S, A.Val).Mask == catalogue::values::Managed)
      Result.insert(A.Cell);
  return Result;
}

static std::vector<Moment> touches(const std::vector<Moment> &Moments,
                                   int Cell) {
  std::vector<Moment> Result;
  for (const Moment &M : Moments)
    if (M.Class == Moment::HostData && M.Cell == Cell)
      Result.push_back(M);
  return Result;
}

/// The loop around both the launch and the access; -1: none.
static int loopAroundBoth(const Project &P, const LinkedSite &S,
                          const Place &Access) {
  const Function &F = P.functionOf(S);
  for (int I = P.loopAround(S.Function, S.Model->Scope); I >= 0;
       I = P.loopAround(S.Function, F.Scopes[I].Parent)) {
    const Place &Begin = F.Scopes[I].Location;
    if (Begin.File == Access.File && Begin.Offset <= Access.Offset &&
        Access.Offset <= F.Scopes[I].End)
      return I;
  }
  return -1;
}

/// What the host accesses after this launch and before the next one that uses
/// the memory.
static std::vector<Moment> touchesBetween(const Project &P, const LinkedSite &S,
                                          int Cell) {
  const Neighbors Near(P, S.Function);
  auto MayPass = [Cell](const Moment &M) {
    return M.Class != Moment::Edge &&
           (M.Class != Moment::HostData || M.Cell != Cell);
  };
  const std::vector<Moment> After = touches(Near.following(S, MayPass), Cell);
  std::vector<Moment> Result;
  for (unsigned I : P.functions()[S.Function].Sites) {
    const LinkedSite &Next = P.sites()[I];
    if (Next.Row || !managedCells(P, Next).count(Cell) || !P.hot(Next).IsHot)
      continue;
    for (const Moment &M : touches(Near.preceding(Next, MayPass), Cell))
      if (llvm::any_of(After, [&](const Moment &A) {
            return A.Location.File == M.Location.File &&
                   A.Location.Offset == M.Location.Offset;
          }))
        Result.push_back(M);
  }
  return Result;
}

void checkHostManagedTouch(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (S.Row)
      continue;
    const Hot H = P.hot(S);
    if (!H.IsHot || H.Function != S.Function)
      continue;
    for (int Cell : managedCells(P, S))
      for (const Moment &M : touchesBetween(P, S, Cell)) {
        const int Loop = loopAroundBoth(P, S, M.Location);
        if (Loop < 0)
          continue; // The next launch is in another loop.
        Hot Around = H;
        Around.Loop = Loop;
        Around.Path.front().Location = P.functionOf(S).Scopes[Loop].Location;
        Finding F;
        F.Location = M.Location;
        F.Level = severityAsWait(P, S, H);
        F.HowOften = H.often();
        F.Message = "the host touches managed memory (" +
                    P.functionOf(S).Cells[Cell].Name + ") " +
                    eachIteration(P, Around) +
                    " between launches that use it, so "
                    "its pages migrate to the host and back";
        F.Path = Around.Path;
        F.Replacement =
            M.Writes ? "if the host only stores values there, store them on "
                       "the GPU: with cudaMemsetAsync for zeros, otherwise "
                       "with a kernel or cudaMemcpyAsync, on the stream of the "
                       "launches. If it also reads them, call "
                       "cudaMemPrefetchAsync before the access"
                     : "keep a host copy, or call cudaMemPrefetchAsync before "
                       "the use";
        F.Notes.push_back({S.Model->Location, "this launch uses it"});
        Out.push_back(std::move(F));
      }
  }
}

} // namespace autoprof::audit
