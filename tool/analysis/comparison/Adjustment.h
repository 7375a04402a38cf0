// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A comparison of runs adjusted for a figure of each run that does not depend
// on the programs: the cost of a launch in that process. It is a control
// variate (Lavenberg and Welch, Management Science 27 (1981)), as experiments
// on web sites use what was known of a user before (Deng et al., WSDM 2013).
//
// Under the hypothesis that nothing differs, the pairs of step time and launch
// cost are exchangeable between the sides. A line fitted to all runs, without
// regard to the side, and the rank sums of its residuals preserve that, so the
// boundaries of the unadjusted test hold, whatever the relation is (Rosenbaum,
// Statistical Science 17 (2002)). Without a relation, the line is nearly level
// and nothing is gained or lost. The line is that of Theil and Sen (Sen, JASA
// 63 (1968)): a disturbed run does not tilt it.
#ifndef AUTOPROF_ANALYSIS_COMPARISON_ADJUSTMENT_H
#define AUTOPROF_ANALYSIS_COMPARISON_ADJUSTMENT_H

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

#endif // AUTOPROF_ANALYSIS_COMPARISON_ADJUSTMENT_H
