// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/WorkOwners.h"

#include "catalogue/LibraryTraits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <limits>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostEvents;
using trace::HostKind;
using trace::None;
using trace::Timeline;

WorkOwners::WorkOwners(const Timeline &T)
    : Duties(T.Threads.size()), Changes(T.Threads.size()) {
  readLinks(T);
  findHelpers(T);
  findRanges(T);
}

/// Between two links, a thread works for the one that the second link names:
/// it waits for that one's work.
void WorkOwners::readLinks(const Timeline &T) {
  for (uint32_t I = 0; I < T.Threads.size(); ++I) {
    std::vector<Duty> &List = Duties[I];
    for (const trace::WorkLink &L : T.Threads[I].Links) {
      if (!List.empty() && List.back().Owner == L.Thread)
        List.back().Until = L.Time;
      else
        List.push_back({L.Time, L.Thread});
    }
    if (!List.empty())
      List.back().Until = std::numeric_limits<int64_t>::max();
  }
}

void WorkOwners::findHelpers(const Timeline &T) {
  std::vector<bool> HasRanges(T.Threads.size());
  for (uint32_t I = 0; I < T.Host.size(); ++I) {
    if (T.Host.Kind[I] != HostKind::Range)
      continue;
    // NCCL marks its calls in whatever thread makes them.
    const uint32_t Site = T.Host.Site[I];
    const trace::Site *S = Site == None ? nullptr : &T.Sites[Site];
    if (!S || !S->isUserRange() ||
        !catalogue::isLibraryRange(S->Callee, S->Function))
      HasRanges[T.Host.Thread[I]] = true;
  }
  if (llvm::count(HasRanges, true) != 1)
    return;
  const auto Owner = uint32_t(llvm::find(HasRanges, true) - HasRanges.begin());
  for (uint32_t I = 0; I < Duties.size(); ++I)
    if (I != Owner && Duties[I].empty())
      Duties[I].push_back({std::numeric_limits<int64_t>::max(), Owner});
}

void WorkOwners::findRanges(const Timeline &T) {
  std::vector<bool> IsOwner(T.Threads.size());
  for (const std::vector<Duty> &List : Duties)
    for (const Duty &D : List)
      IsOwner[D.Owner] = true;
  if (!llvm::is_contained(IsOwner, true))
    return;
  const HostEvents &H = T.Host;
  std::vector<llvm::SmallVector<uint32_t, 8>> Open(T.Threads.size());
  auto CloseUntil = [&](uint32_t Thread, int64_t Time) {
    auto &Stack = Open[Thread];
    while (!Stack.empty() && H.End[Stack.back()] <= Time) {
      int64_t End = H.End[Stack.pop_back_val()];
      Changes[Thread].push_back({End, Stack.empty() ? None : Stack.back()});
    }
  };
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (H.Kind[I] != HostKind::Range || !IsOwner[H.Thread[I]])
      continue;
    CloseUntil(H.Thread[I], H.Start[I]);
    Open[H.Thread[I]].push_back(I);
    Changes[H.Thread[I]].push_back({H.Start[I], I});
  }
  for (uint32_t I = 0; I < Open.size(); ++I)
    CloseUntil(I, std::numeric_limits<int64_t>::max());
}

uint32_t WorkOwners::ownerAt(uint32_t Thread, int64_t Time) const {
  const std::vector<Duty> &List = Duties[Thread];
  auto It = llvm::lower_bound(
      List, Time, [](const Duty &D, int64_t Time) { return D.Until < Time; });
  return It == List.end() ? None : It->Owner;
}

void WorkOwners::forEachRange(
    uint32_t Thread, int64_t From, int64_t To,
    llvm::function_ref<void(int64_t, int64_t, uint32_t)> Use) const {
  const std::vector<Duty> &List = Duties[Thread];
  auto D = llvm::lower_bound(
      List, From, [](const Duty &D, int64_t Time) { return D.Until <= Time; });
  for (; From < To && D != List.end(); ++D) {
    const std::vector<Change> &Of = Changes[D->Owner];
    const int64_t End = std::min(To, D->Until);
    // The last one that begins by then.
    auto C = llvm::upper_bound(
        Of, From, [](int64_t Time, const Change &C) { return Time < C.From; });
    while (From < End) {
      uint32_t Range = C == Of.begin() ? None : std::prev(C)->Range;
      int64_t Next = C == Of.end() ? End : std::min(End, C->From);
      if (From < Next)
        Use(From, Next, Range);
      From = Next;
      if (C != Of.end())
        ++C;
    }
  }
  if (From < To)
    Use(From, To, None);
}
