// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Few independent numbers on either side: runs of a program, or batches of
// steps. With three runs a side no rank test can become significant (its
// smallest p is 0.1), so their means are compared, as if normally distributed.
#pragma once

#include "analysis/common/Statistics.h"

#include <optional>

namespace autoprof::analysis {

/// Two-sided p-value of Student's t with `Df` degrees of freedom.
double studentP(double T, double Df);
/// The t whose two-sided p-value is `P`.
double studentQuantile(double P, double Df);

/// One-sided p-value of the F-test: that a ratio of variances with these
/// degrees of freedom is so large.
double varianceRatioP(double Ratio, double Df1, double Df2);

double mean(const std::vector<double> &Values);

/// How much runs of one program vary.
struct RunSpread {
  double Deviation = 0; ///< Standard deviation.
  double Freedom = 0;   ///< Degrees of freedom; 0: nothing is known.

  bool isKnown() const { return Freedom > 0; }
};

RunSpread spreadOf(const std::vector<double> &Runs);
/// mean(New) - mean(Base).
struct MeanChange {
  double Difference = 0;
  Interval Range{0, 0}; ///< 95 %.
  double P = 1;         ///< Two-sided.
  double Visible = 0;   ///< A smaller difference would not have p < 0.01.
};

/// Welch's t-test. A side with a single number is taken to vary like the other
/// one. nullopt when neither has two.
std::optional<MeanChange> compareMeans(const std::vector<double> &Base,
                                       const std::vector<double> &New);

} // namespace autoprof::analysis
