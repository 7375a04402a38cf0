// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Was the prediction right? The base's replay said what the step would take
// without a wait; the new recording is of a program without it.
#ifndef AUTOPROF_ANALYSIS_COMPARISON_PREDICTION_H
#define AUTOPROF_ANALYSIS_COMPARISON_PREDICTION_H

#include "analysis/replay/WhatIf.h"

#include <optional>
#include <vector>

namespace autoprof::analysis {

struct Difference;

struct Prediction {
  /// Into Difference::Sites: those whose exposed stall is gone, or nearly, in
  /// the new recording. None: there is nothing to compare.
  std::vector<size_t> Sites;
  Gain Saved;           ///< ns a step: the sum over these sites.
  int64_t Low = 0;      ///< ns, the predicted median step: at least,
  int64_t High = 0;     ///< at most.
  int64_t Measured = 0; ///< ns, the new recording's.
  /// Of the middle of the prediction, as a share of the base's step; positive
  /// when the new step is longer than predicted.
  double Error = 0;
};

/// Takes the answers (WhatIfTable) of the first base run with the site, for
/// recorded runs. nullopt where the steps cannot be compared.
std::optional<Prediction> comparePrediction(const Difference &D);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_COMPARISON_PREDICTION_H
