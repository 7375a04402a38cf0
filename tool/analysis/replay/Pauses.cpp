// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay/Pauses.h"

#include "analysis/common/Statistics.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;
using trace::Timeline;

namespace {

// Medians on the H200, CUDA 13.0, between operations of one stream that were
// both queued: see docs/model.md, "Pauses".
constexpr int64_t BetweenKernels = 1'100, BetweenEngines = 4'800,
                  ForEachEvent = 1'800;

/// The last operation of a stream.
struct Last {
  uint32_t Op = None;
  size_t Events = 0; ///< Recorded up to its launch.
};

} // namespace

/// What is known already stays.
void Pauses::add(const catalogue::PauseTime &P, ConstantSource From) {
  if (P.Events < 0 || P.Events > MaxEvents)
    return;
  std::optional<Range> &Known = Measured[P.ChangesEngine][P.Events];
  if (Known)
    return;
  Known = {P.Short, 2 * P.Median};
  if (P.Events == 0)
    Sources[P.ChangesEngine] = From;
}

/// Over at most a million operations.
Pauses::Pauses(const Timeline &T, const catalogue::Semantics *Calibration) {
  std::vector<bool> IsEvent(T.Strings.size());
  for (uint32_t I = 0; I < T.Strings.size(); ++I)
    IsEvent[I] = T.Strings[I].starts_with("cudaEventRecord") ||
                 T.Strings[I].starts_with("cuEventRecord");
  for (uint32_t I = 0; I < T.Host.size(); ++I)
    if (T.Host.isCall(I) && IsEvent[T.Host.Name[I]])
      EventCalls.push_back(I);

  constexpr size_t MaxSamples = 1'000'000;
  std::array<std::array<std::vector<int64_t>, MaxEvents + 1>, 2> Samples;
  std::vector<Last> Before(T.Queues.size());
  size_t Events = 0;
  for (size_t I = 0; I < std::min(T.LaunchOrder.size(), MaxSamples); ++I) {
    uint32_t Op = T.LaunchOrder[I], Launch = T.Ops.Launch[Op];
    while (Events < EventCalls.size() && EventCalls[Events] < Launch)
      ++Events;
    Last &L = Before[T.Ops.Queue[Op]];
    if (L.Op != None && T.Host.End[Launch] <= T.Ops.End[L.Op] &&
        T.Ops.Launch[L.Op] != Launch) {
      auto Kind = [&T](uint32_t Op) { return T.Stages[T.Ops.Stage[Op]].Kind; };
      Samples[changesEngine(
          Kind(L.Op), Kind(Op))][std::min<size_t>(Events - L.Events, MaxEvents)]
          .push_back(std::max<int64_t>(0, T.Ops.Start[Op] - T.Ops.End[L.Op]));
    }
    L = {Op, Events};
  }
  for (size_t Engine = 0; Engine < Measured.size(); ++Engine)
    for (size_t E = 0; E <= MaxEvents; ++E)
      if (const auto &Lengths = Samples[Engine][E];
          Lengths.size() >= MinSamples)
        Found.push_back({Engine != 0, int64_t(E), int64_t(Lengths.size()),
                         quantile(Lengths, 0.1), median(Lengths)});
  for (const catalogue::PauseTime &P : Found)
    add(P, ConstantSource::Recording);
  if (Calibration)
    for (const catalogue::PauseTime &P : Calibration->Machine.Pauses)
      add(P, ConstantSource::Calibration);
}

Pauses::Range Pauses::of(const Succession &S) const {
  Used[S.ChangesEngine] = true;
  const auto &Kind = Measured[S.ChangesEngine];
  uint32_t Events = std::min(S.Events, MaxEvents);
  if (Kind[Events])
    return *Kind[Events];
  auto RangeAround = [](int64_t Ns) { return Range{Ns * 2 / 3, Ns * 3 / 2}; };
  Range Result =
      Kind[0] ? *Kind[0]
              : RangeAround(S.ChangesEngine ? BetweenEngines : BetweenKernels);
  Range More = RangeAround(Events * ForEachEvent);
  return {Result.Short + More.Short, Result.Long + More.Long};
}
