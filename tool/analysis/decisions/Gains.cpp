// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/decisions/Decisions.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;

static Estimate divide(const Estimate &Sum, int64_t Count) {
  return {Sum.Middle / Count, Sum.Low / Count, Sum.High / Count};
}

static double middleOf(const WhatIfRow &Answer) {
  return Answer.Unrecorded ? double(Answer.Unrecorded->Middle)
                           : double(Answer.Saved.Low + Answer.Saved.High) / 2;
}

/// Whether changing the calls that would wait instead, too, saves measurably
/// more. `Whole`: what the answers are sums over, ns.
static bool movesItsWait(const WhatIfTable &Table, uint32_t Index, Edit Kind,
                         int64_t Whole, int64_t Count) {
  const WhatIfRow *Alone = Table.find(Kind, Index),
                  *Together = Table.find(Kind, Index, /*WithSuccessors=*/true);
  return Alone && Together &&
         middleOf(*Together) - middleOf(*Alone) >
             double(Count * resolution(Whole / Count));
}

/// All changes of a site are those of the same calls, so that their gains can
/// be compared.
static const WhatIfRow *bestAnswer(const Result &R, uint32_t Index, Edit Kind,
                                   int64_t Whole, int64_t Count) {
  const bool WithSuccessors =
      movesItsWait(R.WhatIfs, Index, Kind, Whole, Count) ||
      movesItsWait(R.WhatIfs, Index, Edit::Remove, Whole, Count);
  const WhatIfRow *Answer = R.WhatIfs.find(Kind, Index, WithSuccessors);
  return Answer ? Answer : R.WhatIfs.find(Kind, Index);
}

/// How often what the answer changes happens in the steps.
static uint64_t timesInSteps(const Result &R, const WhatIfRow &Answer) {
  if (Answer.Transfer != trace::None) {
    const TransferRow &Row = R.Transfers[Answer.Transfer];
    return Row.Steps ? Row.Steps->Count : 0;
  }
  if (!Answer.Rows.empty()) {
    const SiteRow &Row = R.Sites[Answer.Rows.front()];
    return Row.Steps ? Row.Steps->Waits : 0;
  }
  uint64_t Sum = 0;
  for (const SiteRow &Row : R.Sites)
    Sum += Row.Steps ? Row.Steps->Waits : 0;
  return Sum;
}

/// The median step is shorter by the one gain; the mean step, by the other.
/// They differ where most steps do not wait, or few wait for long.
static void fillFromSteps(ExpectedGain &Gain, const Result &R,
                          const WhatIfRow &Answer) {
  const int64_t Count = int64_t(R.InSteps->Count);
  Gain.PerStep = true;
  if (Answer.UnrecordedStep && R.WhatIfs.UnrecordedStep &&
      2 * timesInSteps(R, Answer) >= uint64_t(Count)) {
    Gain.Saved = *Answer.UnrecordedStep;
    Gain.Whole = unrecordedStep(R).value_or(0);
  } else {
    Gain.Saved = divide(*Answer.Unrecorded, Count);
    Gain.Whole = std::min(*R.WhatIfs.UnrecordedWhole, R.InSteps->Span) / Count;
  }
}

/// The calls that would wait in place of the changed one.
static std::vector<uint32_t> others(const WhatIfRow &Answer) {
  if (Answer.Rows.empty())
    return {};
  return {Answer.Rows.begin() + 1, Answer.Rows.end()};
}

std::optional<int64_t> autoprof::analysis::unrecordedStep(const Result &R) {
  // A replay may take longer than what it replays; E knows the bounds.
  const RecorderEffect &E = R.Recorder;
  return E.Source != RecorderSource::Unknown ? E.UnrecordedStep
                                             : R.WhatIfs.UnrecordedStep;
}

std::optional<ExpectedGain>
autoprof::analysis::expectedGainOf(const Result &R, const WhatIfRow &Answer) {
  if (!Answer.Unrecorded || !R.WhatIfs.UnrecordedWhole)
    return std::nullopt;
  ExpectedGain Result;
  if (R.InSteps) {
    fillFromSteps(Result, R, Answer);
  } else {
    Result.Saved = *Answer.Unrecorded;
    Result.Whole = *R.WhatIfs.UnrecordedWhole;
  }
  Result.Along = others(Answer);
  Result.CreatedOnce = Answer.Replayed == Edit::Reuse;
  Result.Resolution = resolution(Result.Whole);
  return Result;
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
  if (Answer) {
    Result.Along = others(*Answer);
    Result.CreatedOnce = Answer->Replayed == Edit::Reuse;
  }
  Result.PerStep = Inside;
  if (Answer && Answer->Unrecorded && R.WhatIfs.UnrecordedWhole &&
      Row.GainNote.empty())
    return expectedGainOf(R, *Answer);
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

ExpectedGain autoprof::analysis::transferGain(const Result &R,
                                              const WhatIfRow &Answer) {
  if (const auto Unrecorded = expectedGainOf(R, Answer))
    return *Unrecorded;
  const int64_t Count =
      R.InSteps ? std::max<int64_t>(1, int64_t(R.InSteps->Count)) : 1;
  ExpectedGain Gain;
  Gain.PerStep = R.InSteps.has_value();
  Gain.Recorded = true;
  const auto [Low, High] = Answer.Saved;
  Gain.Saved = divide({(Low + High) / 2, Low, High}, Count);
  Gain.Whole = (R.InSteps ? R.InSteps->Span : R.Span) / Count;
  return Gain;
}
