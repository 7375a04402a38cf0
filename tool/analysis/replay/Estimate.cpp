// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay/Estimate.h"

#include <algorithm>
#include <cmath>

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
  double Squares = Measured * Measured;
  for (unsigned Bit = 1; Bit && Bit <= Bits; Bit <<= 1) {
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
