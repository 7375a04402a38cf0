// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/control/UnrecordedSteps.h"

#include <algorithm>

namespace autoprof::runtime {

UnrecordedSteps::UnrecordedSteps(const WindowPlan &Plan) {
  if (Plan.Steps.empty() || !Plan.Unrecorded)
    return;
  Done = false;
  if (Plan.RecordsAfterTimed) {
    Most = Plan.Unrecorded;
    From = MostWarmUp;
    To = From + Most;
    return;
  }
  // If the first recorded step is given, time the last steps before it.
  To = Plan.Steps.front().From;
  From = std::max(To - std::min(Plan.Unrecorded, To), WarmUp);
  Done = From >= To;
}

bool UnrecordedSteps::wants(uint64_t Number, uint64_t Now) {
  if (Done)
    return false;
  if (Number == 0)
    FirstStart = Now;
  const bool IsWarm = Number >= WarmUp && Now - FirstStart >= WarmUpNs;
  if (Most && BatchStep == UINT64_MAX && IsWarm && Number < From) {
    From = Number;
    To = From + Most;
  }
  return Number >= From && Number <= To;
}

bool UnrecordedSteps::isOver(uint64_t Number, uint64_t Now) const {
  return Number >= To || (BatchStep != UINT64_MAX && Number > BatchStep &&
                          Now - Start >= MostNs);
}

bool UnrecordedSteps::endsBatch(uint64_t Number, uint64_t Now) const {
  return BatchStep == UINT64_MAX || Number - BatchStep >= StepsInBatch ||
         isOver(Number, Now);
}

void UnrecordedSteps::begin(uint64_t Number, uint64_t Time) {
  if (!Time) {
    Done = true;
    return;
  }
  if (BatchStep == UINT64_MAX) {
    Start = Time;
    Result.First = Number;
  } else if (Time > BatchStart) {
    Result.Batches.push_back({Number - BatchStep, Time - BatchStart});
  }
  Done = isOver(Number, Time);
  BatchStep = Number;
  BatchStart = Time;
}

} // namespace autoprof::runtime
