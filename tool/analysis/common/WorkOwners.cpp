// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/WorkOwners.h"

#include "catalogue/LibraryTraits.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostKind;
using trace::None;
using trace::Timeline;

WorkOwners::WorkOwners(const Timeline &T) : Duties(T.Threads.size()) {
  readLinks(T);
  findHelpers(T);
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

uint32_t WorkOwners::ownerAt(uint32_t Thread, int64_t Time) const {
  const std::vector<Duty> &List = Duties[Thread];
  auto It = llvm::lower_bound(
      List, Time, [](const Duty &D, int64_t Time) { return D.Until < Time; });
  return It == List.end() ? None : It->Owner;
}
