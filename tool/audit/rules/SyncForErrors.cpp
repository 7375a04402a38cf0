// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-sync-for-errors: an explicit wait in a launching loop that is there
// to find errors of kernels where they happen; what follows on the GPU needs
// only the stream's order.
#include "audit/Neighbors.h"
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using catalogue::CallClass;
using catalogue::Waits;

/// Queued work of which the host sees nothing: a launch, a set, a copy that
/// does not wait and does not go to the host.
static bool needsOnlyOrder(const Moment &M) {
  if (M.Class != Moment::Site || !M.Linked->QueuesWork)
    return false;
  const bool ReachesHost =
      M.Linked->kind() == CallClass::Copy && isBetweenHostAndDevice(*M.Linked);
  return M.Linked->Effects.Wait == Waits::No && !ReachesHost;
}

static bool endsTheSearch(const Moment &M) {
  return M.Class == Moment::HostData || M.Class == Moment::Clock ||
         (M.Linked && catalogue::mayWait(M.Linked->Effects.Wait)) ||
         M.Effects.MayWait;
}

/// The first thing after the wait on each way is an error check.
static bool isBeforeErrorCheck(const Neighbors &Near, const LinkedSite &S) {
  const std::vector<Moment> Next = Near.following(
      S, [](const Moment &M) { return isQuiet(M) && !asksForErrors(M); });
  return !Next.empty() && llvm::all_of(Next, asksForErrors);
}

void checkSyncForErrors(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isExplicitWait(S))
      continue;
    Hot H = P.hot(S);
    if (!H.IsHot)
      continue;
    const Neighbors Near(P, S.Function);
    if (!isBeforeErrorCheck(Near, S))
      continue;
    const std::vector<Moment> Next = Near.following(S, [](const Moment &M) {
      return isQuiet(M) ||
             (queuesNothing(M) && !endsTheSearch(M) && !givesUpObject(M));
    });
    if (!llvm::any_of(Next, needsOnlyOrder) ||
        !llvm::all_of(Next, [](const Moment &M) {
          return needsOnlyOrder(M) || M.Class == Moment::Edge;
        }))
      continue;
    Finding F = findingAt(P, S, H);
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(S) + " " +
                eachIteration(P, H) +
                " only so that errors of kernels are seen at once";
    F.Replacement = "cudaGetLastError after the launch without the wait; wait "
                    "for errors in debug builds only";
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
