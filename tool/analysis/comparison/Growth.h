// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a time changed by more than chance explains, with few runs on either
// side, and perhaps other runs that show how much runs vary (docs/check.md has
// the method). Means of runs are never far from normal; single slow runs widen
// the variance, so they may hide a loss but do not fake one.
#pragma once

#include "analysis/comparison/Samples.h"
#include "analysis/comparison/Trials.h"

#include <optional>
#include <vector>

namespace autoprof::analysis {

/// Of logarithms of the runs' times, within each side.
RunSpread spreadOf(const Trials &T);
RunSpread pool(const RunSpread &A, const RunSpread &B);

/// mean(New) - mean(Base).
struct MeanChange {
  double Difference = 0;
  Interval Range{0, 0}; ///< 95 %.
  double P = 1;         ///< Two-sided.
  double Visible = 0;   ///< A smaller difference would not have p < 0.01.
};

/// Student's t-test: both sides vary alike. `Noise` may be unknown.
class GrowthTest {
public:
  GrowthTest(const std::vector<double> &Base, const std::vector<double> &New,
             const RunSpread &Noise = {});

  const RunSpread &spread() const { return Used; }
  /// One-sided, of no growth; nullopt: the variation between runs is unknown.
  std::optional<double> p() const;
  /// The growth that is found nine times in ten with this error.
  std::optional<double> visible(double Error) const;
  /// The same test, of no change; nullopt likewise.
  std::optional<MeanChange> change() const;

private:
  double error() const; ///< Standard error of Difference.

  double Difference;
  size_t BaseRuns, NewRuns;
  RunSpread Used;
};

} // namespace autoprof::analysis
