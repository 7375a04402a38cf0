// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Following.h"

#include "audit/FirstUse.h"
#include "audit/Neighbors.h"
#include "audit/rules/Common.h"
#include "audit/rules/Order.h"
#include "audit/rules/Streams.h"

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

static bool isRecordOf(const LinkedSite &S, const Arg &Event) {
  const Arg *Recorded = argument(S, 0);
  return S.cudaRow().contains("EventRecord") && Recorded &&
         Recorded->Text == Event.Text;
}

/// Whether the wait also waits for the event.
static bool completesEvent(const Project &P, const LinkedSite &Wait,
                           const Arg &Event) {
  const Arg *Awaited = argument(Wait, 0);
  switch (Wait.Effects.Target) {
  case catalogue::WaitsFor::Event:
    return Awaited && Awaited->Text == Event.Text;
  case catalogue::WaitsFor::Device:
  case catalogue::WaitsFor::Stream:
    return llvm::any_of(P.functions()[Wait.Function].Sites, [&](unsigned I) {
      const LinkedSite &S = P.sites()[I];
      return isRecordOf(S, Event) && isInLoopOf(P, Wait, S.Model->Location) &&
             (Wait.Effects.Target == catalogue::WaitsFor::Device ||
              covers(streamOf(P, Wait), streamOf(P, S)));
    });
  case catalogue::WaitsFor::Nothing:
    break;
  }
  return false;
}

const LinkedSite *nextElapsedTime(const Project &P, const LinkedSite &S) {
  const auto NeedsWait = [&](const Moment &M) {
    if (!M.Linked || !M.Linked->cudaRow().contains("EventElapsedTime"))
      return false;
    return llvm::any_of(llvm::drop_begin(M.Linked->Model->Args),
                        [&](const Arg &A) { return completesEvent(P, S, A); });
  };
  for (const Moment &M :
       Neighbors(P, S.Function).following(S, [&](const Moment &M) {
         return M.Class != Moment::Edge && !NeedsWait(M) &&
                !(M.Linked && isExplicitWait(*M.Linked));
       }))
    if (NeedsWait(M) && isInLoopOf(P, S, M.Location))
      return M.Linked;
  return nullptr;
}

} // namespace autoprof::audit
