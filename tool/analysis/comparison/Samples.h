// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Few independent numbers: runs of a program. With three runs a side no rank
// test can become significant (its smallest p is 0.1), so their means are
// compared, as if normally distributed.
#pragma once

#include "analysis/common/Statistics.h"

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
} // namespace autoprof::analysis
