// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/decisions/Decisions.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

Estimate divide(const Estimate &Sum, int64_t Count) {
  return {Sum.Middle / Count, Sum.Low / Count, Sum.High / Count};
}

/// Of sums over the recorded steps that count, or over the run.
ExpectedGain ofRecorded(const Gain &Sums, int64_t Whole, int64_t Count,
                        bool PerStep) {
  ExpectedGain Result;
  Result.PerStep = PerStep;
  Result.Recorded = true;
  Result.Whole = Whole / Count;
  Result.Saved =
      divide({(Sums.Low + Sums.High) / 2, Sums.Low, Sums.High}, Count);
  return Result;
}

/// Subtracting what recording adds to each call is a model of its own. Where it
/// and the recorded run disagree about the share that is gained, the range has
/// both.
void widenTo(Estimate &Saved, const ExpectedGain &Recorded, int64_t Whole) {
  const double Scale =
      double(Whole) / double(std::max<int64_t>(1, Recorded.Whole));
  Saved.Low = std::min(Saved.Low, int64_t(Scale * double(Recorded.Saved.Low)));
  Saved.High =
      std::max(Saved.High, int64_t(Scale * double(Recorded.Saved.High)));
}

} // namespace

std::optional<int64_t> autoprof::analysis::unrecordedStep(const Result &R) {
  return R.Recorder.UnrecordedStep ? R.Recorder.UnrecordedStep
                                   : R.WhatIfs.UnrecordedStep;
}

ExpectedGain autoprof::analysis::gainOf(const Result &R,
                                        const PlanAnswer &Answer) {
  const bool PerStep = R.InSteps && R.InSteps->Count;
  const int64_t Count = PerStep ? int64_t(R.InSteps->Count) : 1,
                Span = PerStep ? R.InSteps->Span : R.Span;
  const ExpectedGain Recorded = ofRecorded(Answer.Saved, Span, Count, PerStep);
  if (!Answer.Unrecorded || !R.WhatIfs.UnrecordedWhole)
    return Recorded;
  ExpectedGain Result;
  Result.PerStep = PerStep;
  Result.Whole = (PerStep ? std::min(*R.WhatIfs.UnrecordedWhole, Span)
                          : *R.WhatIfs.UnrecordedWhole) /
                 Count;
  Result.Saved = divide(*Answer.Unrecorded, Count);
  widenTo(Result.Saved, Recorded, Result.Whole);
  Result.Resolution = resolution(Result.Whole);
  return Result;
}

std::optional<ExpectedGain>
autoprof::analysis::expectedGain(const Result &R, uint32_t Index, Edit Kind) {
  const SiteRow &Row = R.Sites[Index];
  const bool Inside = Row.waitsInSteps();
  if (!Row.Gained || (Row.Steps && !Inside && Kind != Edit::Remove))
    return std::nullopt;
  if (Inside || !Row.Steps)
    if (const WhatIfRow *Answer = R.WhatIfs.find(Kind, Index);
        Answer && Row.GainNote.empty()) {
      ExpectedGain Result = gainOf(R, *Answer);
      Result.CreatedOnce = Answer->Replayed == Edit::Reuse;
      return Result;
    }
  if (Kind != Edit::Remove)
    return std::nullopt;
  return Inside ? ofRecorded(Row.Steps->Gained, R.InSteps->Span,
                             int64_t(R.InSteps->Count), true)
                : ofRecorded(*Row.Gained, R.Span, 1, false);
}
