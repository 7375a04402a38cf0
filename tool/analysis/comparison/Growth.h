// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a time changed by more than chance explains, with few runs on either
// side, and perhaps other runs that show how much runs vary (docs/check.md has
// the method). Means of runs are never far from normal; single slow runs widen
// the variance, so they may hide a loss but do not fake one. With three runs a
// side no rank test can become significant: its smallest p is 0.1.
#pragma once

#include "analysis/comparison/Trials.h"

#include <optional>
#include <vector>

namespace autoprof::analysis {

/// Two-sided p-value of Student's t with `Df` degrees of freedom.
double studentP(double T, double Df);
/// The t whose two-sided p-value is `P`.
double studentQuantile(double P, double Df);

/// How much runs of one program vary.
struct RunSpread {
  double Deviation = 0; ///< Standard deviation.
  double Freedom = 0;   ///< Degrees of freedom; 0: nothing is known.

  bool isKnown() const { return Freedom > 0; }
};

RunSpread spreadOf(const std::vector<double> &Runs);
/// Of logarithms of the runs' times, within each side.
RunSpread spreadOf(const Trials &T);

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
