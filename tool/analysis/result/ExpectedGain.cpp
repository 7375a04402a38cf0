// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/result/ExpectedGain.h"

using namespace autoprof::analysis;

Edit autoprof::analysis::editOf(Verdict V) {
  switch (V) {
  case Verdict::Remove:
    return Edit::Remove;
  case Verdict::Postpone:
    return Edit::Postpone;
  case Verdict::MakeAsync:
    return Edit::MakeAsync;
  case Verdict::None:
  case Verdict::Keep:
  case Verdict::NotWorthIt:
    break;
  }
  return Edit::None;
}

static Estimate divide(const Estimate &Sum, int64_t Count) {
  return {Sum.Middle / Count, Sum.Low / Count, Sum.High / Count};
}

/// The median step is shorter by the one; the mean step, by the other. They
/// differ where most steps do not wait, or few wait for long.
static const Estimate *ofMedianStep(const WhatIfRow &Answer,
                                    const SiteSteps &Steps, int64_t Count) {
  return Answer.UnrecordedStep && 2 * Steps.Waits >= uint64_t(Count)
             ? &*Answer.UnrecordedStep
             : nullptr;
}

static double middleOf(const WhatIfRow &Answer) {
  return Answer.Unrecorded ? double(Answer.Unrecorded->Middle)
                           : double(Answer.Saved.Low + Answer.Saved.High) / 2;
}

/// With the calls that would wait instead, if that saves measurably more.
/// `Whole`: what the answers are sums over, ns.
static const WhatIfRow *bestAnswer(const Result &R, uint32_t Index, Edit Kind,
                                   int64_t Whole, int64_t Count) {
  const WhatIfRow *Alone = R.WhatIfs.find(Kind, Index),
                  *Together =
                      R.WhatIfs.find(Kind, Index, /*WithSuccessors=*/true);
  if (!Alone || !Together)
    return Alone;
  const double More = middleOf(*Together) - middleOf(*Alone);
  return More > double(Count * resolution(Whole / Count)) ? Together : Alone;
}

std::optional<ExpectedGain>
autoprof::analysis::expectedGain(const Result &R, uint32_t Index, Edit Kind) {
  const SiteRow &Row = R.Sites[Index];
  const bool Inside = Row.Steps && Row.Steps->Waits;
  if (!Row.Gained || (Row.Steps && !Inside && Kind != Edit::Remove))
    return std::nullopt;
  const int64_t Count = Inside ? int64_t(R.InSteps->Count) : 1;
  const int64_t Whole = Inside ? R.InSteps->Span : R.Span;
  const WhatIfRow *Answer =
      Inside || !Row.Steps ? bestAnswer(R, Index, Kind, Whole, Count) : nullptr;
  ExpectedGain Result;
  if (Answer)
    Result.Along = llvm::ArrayRef(Answer->Rows).drop_front();
  Result.PerStep = Inside;
  if (Answer && Answer->Unrecorded && R.WhatIfs.UnrecordedWhole &&
      Row.GainNote.empty()) {
    const Estimate *Median =
        Inside ? ofMedianStep(*Answer, *Row.Steps, Count) : nullptr;
    Result.Saved = Median ? *Median : divide(*Answer->Unrecorded, Count);
    // Timed, if the recording has steps that were not recorded.
    Result.Whole = Inside && R.Recorder.Source == RecorderSource::Steps
                       ? *R.Recorder.UnrecordedStep
                       : *R.WhatIfs.UnrecordedWhole / Count;
    Result.Resolution = resolution(Result.Whole);
    return Result;
  }
  Result.Recorded = true;
  Result.Whole = Whole / Count;
  Gain Sums;
  if (Kind == Edit::Remove && Result.Along.empty()) {
    const Gain OfOperator = Inside ? Row.Steps->Operator : Row.Operator;
    Sums = Inside ? Row.Steps->Gained : *Row.Gained;
    Sums = {Sums.Low + OfOperator.Low, Sums.High + OfOperator.High};
    Result.Operator = {OfOperator.Low / Count, OfOperator.High / Count};
  } else if (Answer) {
    const Gain &OfOperator = Answer->Operators;
    Sums = {Answer->Saved.Low + OfOperator.Low,
            Answer->Saved.High + OfOperator.High};
    Result.Operator = {OfOperator.Low / Count, OfOperator.High / Count};
  } else
    return std::nullopt;
  Result.Saved =
      divide({(Sums.Low + Sums.High) / 2, Sums.Low, Sums.High}, Count);
  return Result;
}
