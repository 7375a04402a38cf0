// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-sync-in-loop: an explicit wait in a launching loop.
#include "audit/Neighbors.h"
#include "audit/rules/Advice.h"
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

/// A wait for an event of an earlier iteration keeps a few iterations in
/// flight: the event that is waited for was not recorded before in this one.
static bool boundsRunAhead(const Project &P, const LinkedSite &S) {
  const Arg *Event = argument(S, 0);
  if (S.Does.Target != catalogue::WaitsFor::Event || !Event)
    return false;
  const Function &F = P.functionOf(S);
  const int Loop = P.loopAround(S.Function, S.Its->Scope);
  return llvm::none_of(F.Sites, [&](const Site &Other) {
    return llvm::StringRef(Other.Row).contains("EventRecord") &&
           !Other.Args.empty() && Other.Args[0].Text == Event->Text &&
           Other.At.Offset < S.Its->At.Offset &&
           (Loop < 0 || P.isWithin(S.Function, Other.Scope, S.Function, Loop));
  });
}

/// Is the data of a copy used behind a wait, in the same iteration?
static bool isUsedBehind(const Project &P, const LinkedSite &Copy,
                         const LinkedSite &Wait) {
  auto Follows = [&](const Place &At) {
    return At.File == Wait.Its->At.File && At.Offset > Wait.Its->At.Offset;
  };
  if (llvm::any_of(P.destinations(Copy), [&](const Destination &D) {
        return D.Function != Wait.Function || Follows(D.Its->At);
      }))
    return true;
  const Arg *Memory = argument(Copy, 0);
  return Memory && Memory->Cell >= 0 &&
         llvm::any_of(P.functionOf(Wait).Blocks, [&](const Block &B) {
           return llvm::any_of(B.Events, [&](const Event &E) {
             return E.What == Event::Read && int(E.Index) == Memory->Cell &&
                    Follows(E.At);
           });
         });
}

/// The wait completes asynchronous copies to the host that were just queued,
/// because the host uses their data. They may wait themselves: what there is to
/// say of that is said there.
static bool completesReadback(const Project &P, const LinkedSite &Wait) {
  auto IsCopyToHost = [](const Moment &M) {
    return M.Its && M.Its->kind() == catalogue::CallClass::Copy &&
           isAsynchronous(*M.Its) && isToHost(*M.Its) &&
           catalogue::mayWait(M.Its->Does.Wait);
  };
  const std::vector<Moment> Last =
      Neighbors(P, Wait.Function).before(Wait, isQuiet);
  return !Last.empty() && llvm::all_of(Last, [&](const Moment &M) {
    return IsCopyToHost(M) && M.At.Offset < Wait.Its->At.Offset &&
           isUsedBehind(P, *M.Its, Wait);
  });
}

void checkSyncInLoop(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isExplicitWait(S) || boundsRunAhead(P, S) || completesReadback(P, S))
      continue;
    Hot H = P.hot(S);
    if (!H.Is)
      continue;
    Finding F = findingAt(P, S, H);
    adviseWait(P, F);
    F.Message = S.Its->Callee + " waits for " + whatIsWaitedFor(S) + " " +
                eachIteration(P, H);
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
