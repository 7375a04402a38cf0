// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/stalls/BusyHost.h"

#include "analysis/common/Windows.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostKind;
using trace::None;
using trace::Timeline;

namespace {

/// An outermost call.
struct Made {
  uint32_t Call; ///< Into HostEvents.
  CallPlace Place;
};

/// A call that queued work for a device.
struct Launch {
  Made By;
  uint32_t OfAnother; ///< Index of the latest one by another thread, or None.
};

/// A period of a thread: between two calls, or in one.
struct Period {
  int64_t From, To;
  CallPlace Before, After;
  uint32_t Call; ///< Into Timeline::Strings, or None.
};

class Finder {
  const Timeline &T;
  const trace::HostEvents &H;
  const Attribution &A;
  const trace::Window Steps;
  std::vector<std::vector<Made>> CallsOf;      ///< By thread, in order.
  std::vector<std::vector<Launch>> LaunchesOf; ///< By device, in order.
  std::vector<BusyRow> Rows;
  std::map<std::array<uint32_t, 5>, uint32_t> RowOf;
  /// Rows and calls: each period counts once, however many gaps it left.
  std::set<std::pair<uint32_t, uint32_t>> Counted;

  CallPlace placeOf(uint32_t Call, llvm::ArrayRef<uint32_t> Ranges,
                    uint32_t Op) const;
  void readCalls();
  const Made *launchBefore(size_t Device, uint32_t Call) const;
  void add(const Period &P, uint32_t Call, int64_t From, int64_t To);
  void addGap(size_t Device, const Gap &G, int64_t From);

public:
  Finder(const Timeline &T, const Attribution &A, trace::Window Steps)
      : T(T), H(T.Host), A(A), Steps(Steps), CallsOf(T.Threads.size()),
        LaunchesOf(T.Devices.size()) {}
  std::vector<BusyRow> run(const Idling &I);
};

/// `Ranges`: open ones, innermost last. `Op`: into GpuOps, the first that the
/// call launched, or None.
CallPlace Finder::placeOf(uint32_t Call, llvm::ArrayRef<uint32_t> Ranges,
                          uint32_t Op) const {
  if (A.Site[Call] != None)
    return {A.Site[Call], None, false};
  CallPlace Result;
  // A range that ends before the call does is not around it.
  for (uint32_t Range : llvm::reverse(Ranges))
    if (H.End[Range] >= H.End[Call]) {
      Result.Site = H.Site[Range];
      break;
    }
  const trace::Stage *S = Op == None ? nullptr : &T.Stages[T.Ops.Stage[Op]];
  Result.IsKernel = S && S->Kind == trace::OpKind::Kernel;
  Result.Name = Result.IsKernel ? S->Name : H.Name[Call];
  return Result;
}

void Finder::readCalls() {
  const std::vector<uint32_t> DeviceOf = rowsOfQueues(T);
  std::vector<llvm::SmallVector<uint32_t, 4>> Open(T.Threads.size());
  size_t Next = 0; // Into Timeline::LaunchOrder.
  for (uint32_t I = 0; I < H.size(); ++I) {
    const uint32_t Thread = H.Thread[I];
    const bool IsRange = H.Kind[I] == HostKind::Range;
    if (T.Threads[Thread].IsLane || (!IsRange && A.Outer[I] != I))
      continue;
    auto &Ranges = Open[Thread];
    while (!Ranges.empty() && H.End[Ranges.back()] <= H.Start[I])
      Ranges.pop_back();
    if (IsRange) {
      Ranges.push_back(I);
      continue;
    }
    while (Next < T.LaunchOrder.size() && T.Ops.Launch[T.LaunchOrder[Next]] < I)
      ++Next;
    const bool Launches =
        Next < T.LaunchOrder.size() && T.Ops.Launch[T.LaunchOrder[Next]] == I;
    const uint32_t Op = Launches ? T.LaunchOrder[Next] : None;
    CallsOf[Thread].push_back({I, placeOf(I, Ranges, Op)});
    if (!Launches)
      continue;
    std::vector<Launch> &All = LaunchesOf[DeviceOf[T.Ops.Queue[Op]]];
    const bool IsOther = !All.empty() && H.Thread[All.back().By.Call] != Thread;
    All.push_back({CallsOf[Thread].back(), IsOther ? uint32_t(All.size() - 1)
                                           : All.empty()
                                               ? None
                                               : All.back().OfAnother});
  }
}

/// The latest by another thread that queued work for the device, or null.
const Made *Finder::launchBefore(size_t Device, uint32_t Call) const {
  const std::vector<Launch> &All = LaunchesOf[Device];
  auto It = llvm::partition_point(
      All, [Call](const Launch &L) { return L.By.Call < Call; });
  if (It == All.begin())
    return nullptr;
  --It;
  if (H.Thread[It->By.Call] != H.Thread[Call])
    return &It->By;
  return It->OfAnother == None ? nullptr : &All[It->OfAnother].By;
}

/// `Call`: the one that the period is in, or ends with.
void Finder::add(const Period &P, uint32_t Call, int64_t From, int64_t To) {
  From = std::max(From, P.From);
  To = std::min(To, P.To);
  if (From >= To)
    return;
  auto [It, IsFirst] = RowOf.try_emplace(
      {P.Before.Site, P.Before.Name, P.After.Site, P.After.Name, P.Call},
      Rows.size());
  if (IsFirst)
    Rows.push_back({P.Before, P.After, P.Call, {}, {}});
  BusyRow &R = Rows[It->second];
  const int64_t InSteps = overlap(Steps, From, To);
  const bool IsNew = Counted.emplace(It->second, Call).second;
  R.Run.Idle += To - From;
  R.Steps.Idle += InSteps;
  if (IsNew) {
    ++R.Run.Count;
    R.Steps.Count += InSteps > 0;
  }
  if (P.Call != None) {
    R.Run.Cpu = R.Run.Idle;
    R.Steps.Cpu = R.Steps.Idle;
  } else if (IsNew) {
    R.Run.Cpu += P.To - P.From;
    R.Steps.Cpu += overlap(Steps, P.From, P.To);
  }
}

/// What the thread that ended the gap did in it from `From` on.
void Finder::addGap(size_t Device, const Gap &G, int64_t From) {
  const std::vector<Made> &Calls = CallsOf[H.Thread[T.Ops.Launch[G.Next]]];
  const int64_t To = launchedBy(T, G);
  auto Now = llvm::partition_point(
      Calls, [&](const Made &M) { return H.End[M.Call] <= From; });
  for (; Now != Calls.end(); ++Now) {
    const uint32_t Call = Now->Call;
    Period Pause{
        From, H.Start[Call], {}, Now->Place, None}; // Unknown since when.
    if (Now != Calls.begin()) {
      Pause.From = H.End[Now[-1].Call];
      Pause.Before = Now[-1].Place;
    }
    if (const Made *Other = launchBefore(Device, Call);
        Other && (Now == Calls.begin() || H.End[Other->Call] > Pause.From)) {
      Pause.From = H.End[Other->Call];
      Pause.Before = Other->Place;
    }
    add(Pause, Call, From, To);
    add({H.Start[Call], H.End[Call], Now->Place, Now->Place, H.Name[Call]},
        Call, From, To);
    if (H.End[Call] >= To)
      return;
  }
}

std::vector<BusyRow> Finder::run(const Idling &I) {
  readCalls();
  for (size_t D = 0; D < I.Devices.size(); ++D)
    for (uint32_t G = 0; G < I.Devices[D].Gaps.size(); ++G)
      if (const Cause Kind = I.Causes[D][G];
          Kind == Cause::HostBusy || Kind == Cause::LaunchBound)
        addGap(D, I.Devices[D].Gaps[G],
               I.Devices[D].Gaps[G].Start + I.Stalls.exposedIn(D, G));
  return std::move(Rows);
}

} // namespace

std::vector<BusyRow> autoprof::analysis::findBusyHost(const Timeline &T,
                                                      const Attribution &A,
                                                      const Idling &I,
                                                      trace::Window Steps) {
  return Finder(T, A, Steps).run(I);
}
