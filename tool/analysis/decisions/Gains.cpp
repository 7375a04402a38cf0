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

/// `Share` of a step, give or take `Error`, but no more than `Most` ns.
ExpectedGain sampledGain(double Share, double Error, int64_t Step,
                         int64_t Most) {
  auto Part = [&](double Of) {
    return std::clamp<int64_t>(int64_t(Of * double(Step)), 0,
                               std::max<int64_t>(0, Most));
  };
  ExpectedGain Gain;
  Gain.PerStep = Gain.Recorded = true;
  Gain.Whole = Step;
  Gain.Saved = {Part(Share), Part(Share - Error), Part(Share + Error)};
  return Gain;
}

} // namespace

ExpectedGain autoprof::analysis::gainOf(const Result &R,
                                        const PlanAnswer &Answer) {
  const bool PerStep = R.InSteps && R.InSteps->Count;
  const int64_t Count = PerStep ? int64_t(R.InSteps->Count) : 1,
                Span = PerStep ? R.InSteps->Span : R.Span;
  if (!Answer.Unrecorded || !R.WhatIfs.UnrecordedWhole)
    return ofRecorded(Answer.Saved, Span, Count, PerStep);
  ExpectedGain Result;
  Result.PerStep = PerStep;
  Result.Whole = (PerStep ? std::min(*R.WhatIfs.UnrecordedWhole, Span)
                          : *R.WhatIfs.UnrecordedWhole) /
                 Count;
  Result.Saved = divide(*Answer.Unrecorded, Count);
  Result.Saved.High = std::min(Result.Saved.High, Result.Whole);
  Result.Resolution = resolution(Result.Whole);
  return Result;
}

std::optional<ExpectedGain> autoprof::analysis::gainOfRemoving(const Result &R,
                                                               uint32_t Index) {
  const SiteRow &Row = R.Sites[Index];
  if (!Row.Gained)
    return std::nullopt;
  if (const WhatIfRow *Answer = R.WhatIfs.find(Edit::Remove, Index))
    return gainOf(R, *Answer);
  return Row.waitsInSteps() ? ofRecorded(*Row.Gained, R.InSteps->Span,
                                         int64_t(R.InSteps->Count), true)
                            : ofRecorded(*Row.Gained, R.Span, 1, false);
}

std::vector<LineChange> autoprof::analysis::weighLines(const Result &R) {
  std::vector<LineChange> Changes;
  if (!R.Lines || !R.InSteps || !R.InSteps->Count || !R.InSteps->Span)
    return Changes;
  const HostLines &H = *R.Lines;
  const Steady &S = *R.InSteps;
  const auto Count = int64_t(S.Count);
  const int64_t Step = (S.Gpu.End - S.Gpu.Start) / Count;
  // The GPU's work remains, and so does what the thread does itself.
  const auto Busy = int64_t(double(S.Busy) / double(S.Span) * double(Step));
  const int64_t Ran = H.Ran / Count;
  for (const SleepingLine &L : H.Sleeping) {
    // Fewer samples than this say that it happens, not how often.
    constexpr uint64_t Fewest = 5;
    if (L.Waits < Fewest)
      continue;
    auto Share = [&](uint64_t N) { return double(N) / double(H.Samples); };
    LineChange C{
        L.Site,
        sampledGain(Share(L.Waits), H.error(L.Waits), Step,
                    Step - std::max(Busy, Ran)),
        sampledGain(Share(L.Samples), H.error(L.Samples), Step, Step - Busy)};
    // What the thread does after a sleep is slower than it could be: caches and
    // clocks are cold. So everything but the GPU's work may go.
    C.Strong.Saved.High = std::max<int64_t>(C.Strong.Saved.High, Step - Busy);
    if (double(C.Mild.Saved.Low) >= WorthIt * double(Step))
      Changes.push_back(C);
  }
  return Changes;
}
