// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Following.h"

#include "audit/FirstUse.h"
#include "audit/Neighbors.h"
#include "audit/rules/Common.h"
#include "audit/rules/Order.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

bool onlyOrders(const Project &P, const LinkedSite &S) {
  const std::vector<Moment> Next =
      Neighbors(P, S.Function).following(S, isQuiet);
  return !Next.empty() && llvm::all_of(Next, [](const Moment &M) {
    return M.Linked && M.Linked->QueuesWork &&
           M.Linked->Effects.Wait == catalogue::Waits::No &&
           !isBetweenHostAndDevice(*M.Linked);
  });
}

/// Whether it destroys a stream or an event without waiting: the driver
/// releases them when their work is done.
static bool destroysInOrder(const Moment &M) {
  return M.Linked && M.Linked->Effects.Wait == catalogue::Waits::No &&
         (M.Linked->cudaRow().ends_with("StreamDestroy") ||
          M.Linked->cudaRow().ends_with("EventDestroy"));
}

/// Whether it frees memory in the order of the stream that is waited for.
static bool freesInOrder(const Project &P, const LinkedSite &Wait,
                         const Moment &M) {
  return M.Linked && M.Linked->kind() == catalogue::CallClass::Free &&
         M.Linked->Effects.Wait == catalogue::Waits::No &&
         Wait.Effects.Target == catalogue::WaitsFor::Stream &&
         M.Linked->cudaRow().ends_with("FreeAsync") &&
         orderOf(streamOf(P, Wait), streamOf(P, *M.Linked)) == Order::Kept;
}

Place nextOrderedFree(const Project &P, const LinkedSite &S) {
  for (const Moment &M : Neighbors(P, S.Function).following(S, isQuiet))
    if (freesInOrder(P, S, M) && isInLoopOf(P, S, M.Location))
      return M.Location;
  return {};
}

Place nextEnd(const Project &P, const LinkedSite &S) {
  for (const Moment &M :
       Neighbors(P, S.Function).following(S, [&](const Moment &M) {
         return isQuiet(M) || destroysInOrder(M) || freesInOrder(P, S, M);
       }))
    if (givesUpObject(M) && isInLoopOf(P, S, M.Location))
      return M.Location;
  return {};
}

const LinkedSite *nextWaitingCopy(const Project &P, const LinkedSite &S) {
  const std::vector<Moment> Next =
      Neighbors(P, S.Function).following(S, isQuiet);
  const bool IsCopy = !Next.empty() && llvm::all_of(Next, [](const Moment &M) {
    return M.Linked && M.Linked->kind() == catalogue::CallClass::Copy &&
           M.Linked->Effects.Wait == catalogue::Waits::Yes &&
           !isAsynchronous(*M.Linked);
  });
  return IsCopy ? Next.front().Linked : nullptr;
}

Place nextStreamEnd(const Project &P, const LinkedSite &S) {
  for (const Moment &M : Neighbors(P, S.Function).following(S, isQuiet))
    if (destroysInOrder(M) && isInLoopOf(P, S, M.Location) &&
        M.Linked->cudaRow().ends_with("StreamDestroy"))
      return M.Location;
  return {};
}

Place nextClock(const Project &P, const LinkedSite &S) {
  for (const Moment &M :
       Neighbors(P, S.Function).following(S, [](const Moment &M) {
         return M.Class != Moment::Edge && !isClock(M);
       }))
    if (isClock(M))
      return M.Location;
  return {};
}

} // namespace autoprof::audit
