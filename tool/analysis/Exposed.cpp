// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Exposed.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

using namespace autoprof::analysis;
using autoprof::trace::GpuOps;
using autoprof::trace::None;
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
  llvm::sort(ByReturn, [&](uint32_t A, uint32_t B) {
    return std::pair(Return(A), A) < std::pair(Return(B), B);
  });

  for (const DeviceActivity &Device : Activity) {
    std::vector<uint32_t> Owner(Device.Gaps.size(), None);
    bool Waited = llvm::any_of(
        Waits, [&](const Wait &W) { return W.Device == Device.Device; });
    if (Waited) {
      DeviceTimes Times(T, Device.Device);
      for (uint32_t W : ByReturn) {
        if (Waits[W].Device != Device.Device)
          continue;
        int64_t From = Times.lastFinishedBy(Return(W)),
                To = Times.firstLaunchedAfter(Return(W));
        // Nothing launched afterwards: idleness at the end is no stall.
        if (From == Never || To == Never)
          continue;
        // No operation starts or ends inside a gap, so gaps are in or out
        // as a whole.
        auto Gap = llvm::lower_bound(
            Device.Gaps, From,
            [](const struct Gap &G, int64_t At) { return G.Start < At; });
        for (; Gap != Device.Gaps.end() && Gap->End <= To; ++Gap) {
          uint32_t &Slot = Owner[Gap - Device.Gaps.begin()];
          if (Slot != None || wasQueued(T, *Gap))
            continue;
          Slot = W;
          Result.OfWait[W] += Gap->End - Gap->Start;
        }
      }
    }
    Result.WaitOfGap.push_back(std::move(Owner));
  }
  return Result;
}
