// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Was the prediction right? The base's replay predicted the step without a
// wait, and the new program does not have that wait. Step times of recorded
// runs are compared with predictions for recorded runs, and those of unrecorded
// runs with predictions for unrecorded runs.
#ifndef AUTOPROF_ANALYSIS_COMPARISON_PREDICTION_H
#define AUTOPROF_ANALYSIS_COMPARISON_PREDICTION_H

#include "analysis/replay/WhatIf.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <vector>

namespace autoprof::analysis {

struct Difference;

/// What runs a prediction is for.
enum class PredictedRuns : uint8_t {
  Recorded,
  Unrecorded,
  /// Unrecorded, where the replay has no answer for them: the recorded step's
  /// gain as a share of it.
  Scaled
};
/// "recorded", "unrecorded", "scaled".
llvm::StringRef name(PredictedRuns R);

/// Whether the measurement agrees with the prediction.
enum class Agreement : uint8_t {
  NotTested, ///< One run on a side: the variation between runs is unknown.
  Unclear,   ///< The measured interval holds the prediction, and no change.
  Agrees,    ///< The intervals overlap.
  Faster,    ///< The step is shorter than predicted.
  Slower     ///< It is longer.
};
/// "not_tested", "unclear", "agrees", "faster", "slower".
llvm::StringRef name(Agreement A);

struct Prediction {
  /// Into Difference::Sites: those whose exposed stall is gone, or nearly, in
  /// the new recording.
  std::vector<size_t> Sites;
  /// Likewise, with Sites: those whose memory is pinned now (findPinned), with
  /// or without a wait of their own.
  std::vector<size_t> Pinned;
  PredictedRuns Predicted = PredictedRuns::Recorded;
  Estimate Saved;       ///< ns per step: the sum over all of these.
  int64_t Base = 0;     ///< ns, the base's median step in runs of this sort.
  int64_t Low = 0;      ///< ns, the predicted median step: at least,
  int64_t High = 0;     ///< at most.
  int64_t Measured = 0; ///< ns, the new program's.
  /// Of the middle of the prediction, as a share of the base's step; positive
  /// when the new step is longer than predicted.
  double Error = 0;
  Agreement Found = Agreement::NotTested;

  bool isEmpty() const { return Sites.empty() && Pinned.empty(); }
  size_t sites() const { return Sites.size() + Pinned.size(); }

  /// As changes of the base's step.
  double lowChange() const { return double(Low) / double(Base) - 1; }
  double highChange() const { return double(High) / double(Base) - 1; }
};

/// Takes the answers (WhatIfTable) of the first base run with the site.
/// nullopt where the steps cannot be compared.
std::optional<Prediction> comparePrediction(const Difference &D);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_COMPARISON_PREDICTION_H
