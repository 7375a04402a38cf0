// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/result/Result.h"

#include "analysis/common/Statistics.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;

RecorderEffect autoprof::analysis::findRecorderEffect(const trace::Timeline &T,
                                                      const Steps &S) {
  RecorderEffect Result;
  Result.Cost = recorderCost(T);
  if (!S.times().empty())
    Result.RecordedStep = median(S.times());
  if (!T.Info.Source.Producer.empty()) {
    Result.Why = "another profiler recorded it";
    return Result;
  }
  if (T.Info.Mode != "full") {
    Result.Why = "the recording is not a full one";
    return Result;
  }
  if (!Result.RecordedStep) {
    Result.Why = "no steps are known";
    return Result;
  }
  std::vector<int64_t> PerStep;
  for (const trace::StepBatch &B : T.Recorded.Unrecorded) {
    PerStep.push_back(B.Time / int64_t(B.Steps));
    Result.UnrecordedSteps += B.Steps;
  }
  if (PerStep.empty()) {
    Result.Why = "no unrecorded step was timed";
    return Result;
  }
  Result.FirstUnrecorded = T.Recorded.FirstUnrecorded;
  Result.Low = *std::min_element(PerStep.begin(), PerStep.end());
  Result.High = *std::max_element(PerStep.begin(), PerStep.end());
  Result.UnrecordedStep = median(std::move(PerStep));
  return Result;
}
