// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A comparison of runs adjusted for a figure of each run that does not depend
// on the programs: the cost of a launch in that process (docs/compare.md,
// "adjustment for launch cost", has the sources).
//
// Under the hypothesis that nothing differs, the pairs of step time and launch
// cost are exchangeable between the sides. A line fitted to all runs, without
// regard to the side, and the rank sums of its residuals preserve that, so the
// boundaries of the unadjusted test hold, whatever the relation is. A disturbed
// run does not tilt the line.
#pragma once

#include "analysis/comparison/Stopping.h"

namespace autoprof::analysis {

/// One run. Logarithms.
struct CovariateRun {
  double Value, Covariate;
};

struct AdjustedRuns {
  RunsCompared Compared;
  double Slope = 0; ///< Change of Value for a change of Covariate.
  /// Values at the median covariate of all runs.
  std::vector<double> Base, New;
};

/// Values of one program's runs at their median covariate.
std::vector<double> adjustedValues(const std::vector<CovariateRun> &Runs);

/// Takes the runs of that look from the beginning of both.
AdjustedRuns compareAdjusted(const StoppingPlan &Plan, size_t Look,
                             std::vector<CovariateRun> Base,
                             std::vector<CovariateRun> New);

/// Whether the sides' covariates differ by more than chance explains. Then the
/// programs cause it, and adjusting for it would hide a change.
bool differBeyondChance(const std::vector<double> &Base,
                        const std::vector<double> &New);

} // namespace autoprof::analysis
