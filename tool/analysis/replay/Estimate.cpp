// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay/Estimate.h"

#include <algorithm>
#include <cmath>

using namespace autoprof;
using namespace autoprof::analysis;

int64_t autoprof::analysis::resolution(int64_t Step) {
  constexpr double BetweenProcesses = 0.005; // Of the step.
  constexpr int64_t OneCall = 1'100;         // ns
  return std::max(OneCall, int64_t(BetweenProcesses * double(Step)));
}

Spread autoprof::analysis::spread(int64_t Step, Limiter Limit) {
  // Of the step, by Limiter: with these, nine of ten intervals of the pairs in
  // docs/predictions.md contain the measured gain.
  constexpr double Spreads[] = {0.01, 0.05, 0.025};
  const int64_t Resolution = resolution(Step);
  return {Resolution,
          std::max(Resolution, int64_t(Spreads[size_t(Limit)] * double(Step)))};
}

Estimate autoprof::analysis::combine(llvm::ArrayRef<int64_t> Saved,
                                     llvm::ArrayRef<unsigned> Levels,
                                     const Spread &Processes) {
  const auto Gain = [&](size_t I) {
    return double(std::max<int64_t>(0, Saved[I]));
  };
  const auto Count = double(Saved.size());
  unsigned Bits = 0;
  double Middle = 0;
  for (size_t I = 0; I < Saved.size(); ++I) {
    Middle += Gain(I) / Count;
    Bits |= Levels[I];
  }
  const auto Measured = double(Processes.OfMeasured);
  // The more a change gains, the less the step after it resembles the recorded
  // one (docs/predictions.md).
  constexpr double OfGain = 0.15;
  double Squares = Measured * Measured + OfGain * OfGain * Middle * Middle;
  for (unsigned Bit = 1; Bit && Bit <= Bits; Bit <<= 1) {
    if (!(Bits & Bit))
      continue;
    double Effect = 0; // Half of the difference of the two means.
    for (size_t I = 0; I < Saved.size(); ++I)
      Effect += (Levels[I] & Bit ? Gain(I) : -Gain(I)) / Count;
    Squares += Effect * Effect;
  }
  const auto Resolution = double(Processes.Resolution);
  const double Half = std::sqrt(Squares);
  return {int64_t(Middle), int64_t(std::max(Middle - Half, -Resolution)),
          int64_t(Middle + Half)};
}

namespace {

/// The measured calls are all alike, launch a kernel without arguments, and
/// have the caches for themselves. Those of a program cost more: 1.2 to 1.5
/// times as much in mlp_train on an H100 (docs/performance.md).
constexpr double LeastShare = 1.0, MostShare = 1.6;

int64_t added(const std::optional<int64_t> &Unrecorded,
              const std::optional<int64_t> &Recorded) {
  return Unrecorded && Recorded ? std::max<int64_t>(0, *Recorded - *Unrecorded)
                                : 0;
}

int64_t scaled(int64_t Ns, double Factor) {
  return std::llround(double(Ns) * Factor);
}

} // namespace

RecorderCostRange autoprof::analysis::recorderCost(const trace::Timeline &T) {
  RecorderCostRange Result;
  if (!T.OwnCosts)
    return Result;
  const trace::RecorderCosts &Own = *T.OwnCosts;
  const int64_t Launch = added(Own.Unrecorded.Launch, Own.Recorded.Launch);
  int64_t Call = added(Own.Unrecorded.Wait, Own.Recorded.Wait);
  if (!Launch)
    return Result;
  // In all measurements, recording adds less to a wait than to a launch.
  Call = Call ? std::min(Call, Launch) : Launch / 2;
  Result.Least = {scaled(Launch, LeastShare), scaled(Call, LeastShare),
                  LeastAdded.GraphLaunch};
  Result.Most = {scaled(Launch, MostShare), scaled(Call, MostShare),
                 MostAdded.GraphLaunch};
  Result.Measured = true;
  return Result;
}
