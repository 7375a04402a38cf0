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

LaunchedWork::LaunchedWork(const Timeline &T)
    : T(T), Owners(T), OfThread(T.Threads.size()) {
  std::vector<uint32_t> Launches(T.Threads.size());
  for (uint32_t Op : T.LaunchOrder)
    ++Launches[T.Host.Thread[T.Ops.Launch[Op]]];
  for (size_t I = 0; I < Launches.size(); ++I) { // They are large.
    OfThread[I].Start.reserve(Launches[I]);
    OfThread[I].Before.reserve(Launches[I] + 1);
  }
  const bool HasLanes = llvm::any_of(
      T.Threads, [](const trace::Thread &Th) { return Th.IsLane; });
  for (uint32_t Op : T.LaunchOrder) {
    const uint32_t Call = T.Ops.Launch[Op], Thread = T.Host.Thread[Call];
    const int64_t Time = T.Host.Start[Call];
    auto AddTo = [&](Sum &To) {
      To.Start.push_back(Time);
      To.Before.push_back(To.Before.back() + T.Ops.End[Op] - T.Ops.Start[Op]);
    };
    if (HasLanes)
      AddTo(All);
    AddTo(OfThread[Thread]);
    if (const uint32_t Owner = Owners.ownerAt(Thread, Time); Owner != None)
      AddTo(OfThread[Owner]);
  }
}

bool LaunchedWork::isOf(uint32_t Thread, uint32_t Call) const {
  const uint32_t By = T.Host.Thread[Call];
  return By == Thread || T.Threads[Thread].IsLane ||
         Owners.ownerAt(By, T.Host.Start[Call]) == Thread;
}

int64_t LaunchedWork::in(uint32_t Range) const {
  const uint32_t Thread = T.Host.Thread[Range];
  const Sum &S = T.Threads[Thread].IsLane ? All : OfThread[Thread];
  auto Until = [&S](int64_t Time) {
    return S.Before[size_t(llvm::lower_bound(S.Start, Time) - S.Start.begin())];
  };
  return Until(T.Host.End[Range]) - Until(T.Host.Start[Range]);
}
