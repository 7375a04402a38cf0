// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/stalls/Gaps.h"

#include "analysis/common/Sorting.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

using namespace autoprof::analysis;
using autoprof::trace::GpuOps;
using autoprof::trace::Timeline;

namespace {

constexpr int64_t Never = std::numeric_limits<int64_t>::max();

/// Answers, for one device, the two questions of the definition.
class DeviceTimes {
  std::vector<int64_t> Ends;      ///< Sorted.
  std::vector<int64_t> LaunchAt;  ///< Sorted: when launching calls began.
  std::vector<int64_t> FirstFrom; ///< Earliest start of those from i on.

public:
  DeviceTimes(const Timeline &T, uint32_t Device) {
    const GpuOps &O = T.Ops;
    for (std::vector<int64_t> *Times : {&Ends, &LaunchAt, &FirstFrom})
      Times->reserve(O.size());
    for (uint32_t I = 0; I < O.size(); ++I)
      if (T.Queues[O.Queue[I]].Device == Device)
        Ends.push_back(O.End[I]);
    if (!llvm::is_sorted(Ends)) // On one stream they are.
      llvm::sort(Ends);
    for (uint32_t Op : T.LaunchOrder)
      if (T.Queues[O.Queue[Op]].Device == Device) {
        LaunchAt.push_back(T.Host.Start[O.Launch[Op]]);
        FirstFrom.push_back(O.Start[Op]);
      }
    for (size_t I = FirstFrom.size(); I > 1; --I)
      FirstFrom[I - 2] = std::min(FirstFrom[I - 2], FirstFrom[I - 1]);
  }

  /// The end of the last operation finished by `Time`, or Never.
  int64_t lastFinishedBy(int64_t Time) const {
    auto It = std::upper_bound(Ends.begin(), Ends.end(), Time);
    return It == Ends.begin() ? Never : It[-1];
  }

  /// The earliest start among operations whose launching call began at or
  /// after `Time`, or Never.
  int64_t firstLaunchedAfter(int64_t Time) const {
    auto It = std::lower_bound(LaunchAt.begin(), LaunchAt.end(), Time);
    return It == LaunchAt.end() ? Never : FirstFrom[It - LaunchAt.begin()];
  }
};

} // namespace

int64_t Exposure::exposedIn(size_t Device, uint32_t Gap) const {
  const std::vector<ExposedPart> &All = Parts[Device];
  auto It =
      llvm::lower_bound(All, Gap, [](const ExposedPart &P, uint32_t Index) {
        return P.Gap < Index;
      });
  int64_t Sum = 0;
  for (; It != All.end() && It->Gap == Gap; ++It)
    Sum += It->Length;
  return Sum;
}

uint64_t Exposure::countGaps() const {
  uint64_t Count = 0;
  for (const std::vector<ExposedPart> &DeviceParts : Parts)
    for (size_t I = 0; I < DeviceParts.size(); ++I)
      Count += !I || DeviceParts[I].Gap != DeviceParts[I - 1].Gap;
  return Count;
}

namespace {

/// Gives the gaps of one device to waits.
class Sharer {
  const Timeline &T;
  const DeviceActivity &Device;
  const DeviceTimes Times;
  llvm::DenseMap<uint32_t, int64_t> Taken; ///< By gap, ns from its start on.

public:
  std::vector<ExposedPart> Parts;

  Sharer(const Timeline &T, const DeviceActivity &Device)
      : T(T), Device(Device), Times(T, Device.Device) {}
  int64_t share(uint32_t Index, const Wait &W);
};

/// Returns the wait's exposed stall. Waits must come in order of their return.
int64_t Sharer::share(uint32_t Index, const Wait &W) {
  int64_t Return = T.Host.End[W.Call];
  int64_t From = Times.lastFinishedBy(Return),
          To = Times.firstLaunchedAfter(Return);
  // Nothing was launched afterwards: idle time at the end is not a stall.
  if (From == Never || To == Never)
    return 0;
  const int64_t HeldUp = Return - W.Start;
  int64_t Sum = 0;
  // No operation starts or ends inside a gap, so gaps are in or out as a whole.
  auto Gap =
      llvm::lower_bound(Device.Gaps, From, [](const struct Gap &G, int64_t At) {
        return G.Start < At;
      });
  for (; Gap != Device.Gaps.end() && Gap->End <= To && Sum < HeldUp; ++Gap) {
    if (wasQueued(T, *Gap))
      continue;
    uint32_t G = Gap - Device.Gaps.begin();
    int64_t &Used = Taken[G];
    int64_t Part = std::min(Gap->End - Gap->Start - Used, HeldUp - Sum);
    if (!Part)
      continue;
    Parts.push_back({G, Index, Part});
    Used += Part;
    Sum += Part;
  }
  return Sum;
}

} // namespace

Exposure
autoprof::analysis::findExposure(const Timeline &T,
                                 const std::vector<Wait> &Waits,
                                 const std::vector<DeviceActivity> &Activity) {
  Exposure Result;
  Result.OfWait.assign(Waits.size(), 0);
  std::vector<uint32_t> ByReturn(Waits.size());
  for (uint32_t I = 0; I < Waits.size(); ++I)
    ByReturn[I] = I;
  auto Return = [&](uint32_t W) { return T.Host.End[Waits[W].Call]; };
  sortBy(ByReturn, [&](uint32_t A) { return std::pair(Return(A), A); });

  for (const DeviceActivity &Device : Activity) {
    std::vector<ExposedPart> &Parts = Result.Parts.emplace_back();
    if (llvm::none_of(Waits,
                      [&](const Wait &W) { return W.Device == Device.Device; }))
      continue;
    Sharer Gaps(T, Device);
    for (uint32_t W : ByReturn)
      if (Waits[W].Device == Device.Device)
        Result.OfWait[W] = Gaps.share(W, Waits[W]);
    Parts = std::move(Gaps.Parts);
    sortBy(Parts, &ExposedPart::Gap);
  }
  return Result;
}
