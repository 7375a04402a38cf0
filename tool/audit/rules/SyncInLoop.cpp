// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-sync-in-loop: an explicit wait in a launching loop.
#include "audit/Neighbors.h"
#include "audit/rules/Advice.h"
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

/// A wait for an event of an earlier iteration, one not yet recorded in this
/// iteration, keeps a few iterations in flight.
static bool boundsRunAhead(const Project &P, const LinkedSite &S) {
  const Arg *Event = argument(S, 0);
  if (S.Effects.Target != catalogue::WaitsFor::Event || !Event)
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

/// Whether the data of a copy is used after a wait, in the same iteration.
static bool isUsedBehind(const Project &P, const LinkedSite &Copy,
                         const LinkedSite &Wait) {
  auto Follows = [&](const Place &Location) {
    return Location.File == Wait.Model->Location.File &&
           Location.Offset > Wait.Model->Location.Offset;
  };
  if (llvm::any_of(P.destinations(Copy), [&](const Destination &D) {
        return D.Function != Wait.Function || Follows(D.Model->Location);
      }))
    return true;
  const Arg *Memory = argument(Copy, 0);
  return Memory && Memory->Cell >= 0 &&
         llvm::any_of(P.functionOf(Wait).Blocks, [&](const Block &B) {
           return llvm::any_of(B.Events, [&](const Event &E) {
             return E.Class == Event::Read && int(E.Index) == Memory->Cell &&
                    Follows(E.Location);
           });
         });
}

/// The wait completes asynchronous copies to the host that were just queued,
/// because the host uses their data. If the copies themselves wait, that is
/// reported at the copies.
static bool completesReadback(const Project &P, const LinkedSite &Wait) {
  auto IsCopyToHost = [](const Moment &M) {
    return M.Linked && M.Linked->kind() == catalogue::CallClass::Copy &&
           isAsynchronous(*M.Linked) && isToHost(*M.Linked) &&
           catalogue::mayWait(M.Linked->Effects.Wait);
  };
  const std::vector<Moment> Last =
      Neighbors(P, Wait.Function).preceding(Wait, isQuiet);
  return !Last.empty() && llvm::all_of(Last, [&](const Moment &M) {
    return IsCopyToHost(M) && M.Location.Offset < Wait.Model->Location.Offset &&
           isUsedBehind(P, *M.Linked, Wait);
  });
}

void checkSyncInLoop(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isExplicitWait(S) || boundsRunAhead(P, S) || completesReadback(P, S))
      continue;
    Hot H = P.hot(S);
    if (!H.IsHot)
      continue;
    Finding F = findingAt(P, S, H);
    adviseWait(P, F);
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(P, S) + " " +
                eachIteration(P, H);
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
