// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much longer the steps take because they are recorded.
#ifndef AUTOPROF_ANALYSIS_RESULT_RECORDEREFFECT_H
#define AUTOPROF_ANALYSIS_RESULT_RECORDEREFFECT_H

#include "analysis/replay/RecorderCost.h"
#include "analysis/steps/Steps.h"

#include <optional>
#include <string>

namespace autoprof::analysis {

/// The source of the time of an unrecorded step.
enum class RecorderSource : uint8_t {
  Unknown,
  Steps,       ///< Unrecorded steps of the same process were timed.
  Calibration, ///< The steps replayed without what recording was measured to
               ///< add to a call on this machine: an estimate.
  BuiltIn      ///< The same with what it added on other machines.
};

/// "", "steps", "calibration", "built_in".
llvm::StringRef name(RecorderSource S);

struct RecorderEffect {
  RecorderSource Source = RecorderSource::Unknown;
  /// Median of the steps that count, ns; nothing without steps.
  std::optional<int64_t> RecordedStep;
  /// The duration of such a step when it is not recorded, ns; known unless
  /// Source is Unknown. Low <= UnrecordedStep <= High.
  std::optional<int64_t> UnrecordedStep;
  int64_t Low = 0, High = 0;
  /// So many were timed, beginning with this one, counted from 0; with
  /// RecorderSource::Steps only.
  uint64_t UnrecordedSteps = 0, FirstUnrecorded = 0;
  RecorderCostRange Cost; ///< Of a call.
  std::string Why;        ///< Where Source is Unknown: a clause.

  /// RecordedStep by UnrecordedStep.
  std::optional<double> factor() const {
    if (!RecordedStep || !UnrecordedStep || *UnrecordedStep <= 0)
      return std::nullopt;
    return double(*RecordedStep) / double(*UnrecordedStep);
  }
};

/// Without a replay: from unrecorded steps, where there are any.
RecorderEffect findRecorderEffect(const trace::Timeline &T, const Steps &S);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_RESULT_RECORDEREFFECT_H
