// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Was the prediction right?
#include "analysis/comparison/Diff.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

/// A postponed call may still wait while the GPU is busy, but it must no longer
/// leave the GPU without work.
bool isGone(const SiteChange &C) {
  constexpr int64_t Nearly = 5; // A fifth may be left.
  return C.BaseExposed.value_or(0) > 0 && C.NewExposed &&
         *C.NewExposed * Nearly <= *C.BaseExposed;
}

/// What a replay predicts for the median step; nullopt: it has no answer.
std::optional<Estimate> gainOf(const PlanAnswer &Row, PredictedRuns Predicted) {
  if (Predicted == PredictedRuns::Unrecorded)
    return Row.UnrecordedStep;
  return Estimate{(Row.Step.Low + Row.Step.High) / 2, Row.Step.Low,
                  Row.Step.High};
}

/// Whether a call may wait in its place now: one that the base does not have,
/// or that did not wait there.
bool mayBeReplaced(const Difference &D) {
  return llvm::any_of(D.Sites, [](const SiteChange &C) {
    return C.InNew == Presence::Ran &&
           (C.InBase != Presence::Ran ||
            (C.NewWait.value_or(0) > 0 && !C.BaseWait.value_or(0)));
  });
}

/// The answer of the first base run with this row, ns per step. A copy that
/// still runs was postponed; of a synchronization that still runs, only the
/// probe is left. A call that no longer runs was removed, or replaced by one
/// that waits later: which of the two may be unknown.
std::optional<Estimate> predicted(const Difference &D, const SiteChange &C,
                                  PredictedRuns Predicted) {
  const bool Runs = C.InNew == Presence::Ran, IsCopy = C.row().Kind == "copy";
  const bool Replaced = !Runs && mayBeReplaced(D);
  auto MayBe = [&](Edit Kind) {
    return (Kind == Edit::Remove && (!Runs || !IsCopy)) ||
           (Kind == Edit::Postpone && (Runs ? IsCopy : Replaced));
  };
  std::optional<Estimate> Found;
  for (const RunSummary &S : D.Base) {
    const Result &R = S.R;
    for (const WhatIfRow &Row : R.WhatIfs.Answers) {
      if (!R.InSteps || !R.InSteps->Count || !MayBe(Row.Kind) ||
          Row.Rows.empty() || &R.Sites[Row.Rows.front()] != C.Base)
        continue;
      const std::optional<Estimate> G = gainOf(Row, Predicted);
      if (!G)
        return std::nullopt;
      // Two changes may have been made, and which is not known.
      Found = Found ? Estimate{(Found->Middle + G->Middle) / 2,
                               std::min(Found->Low, G->Low),
                               std::max(Found->High, G->High)}
                    : *G;
    }
  }
  return Found;
}

/// What the base's replay says of pinned memory for these copies.
std::optional<Estimate> predicted(const Difference &D, const PinnedCopy &Copy,
                                  PredictedRuns Predicted) {
  const Result &R = D.Base[0].R;
  for (const WhatIfRow &Row : R.WhatIfs.Answers)
    if (Row.Transfer != trace::None && Row.Kind == Copy.Kind &&
        &R.Transfers[Row.Transfer] == Copy.Base)
      return gainOf(Row, Predicted);
  return std::nullopt;
}

/// Calls that wait in each other's place have no gain of their own: the part of
/// the base's change set that is theirs, if all of them no longer run. `Sites`:
/// into Difference::Sites.
std::optional<Estimate> predictedTogether(const Difference &D,
                                          PredictedRuns Predicted,
                                          std::vector<size_t> &Sites) {
  const Result &R = D.Base[0].R;
  if (!R.WhatIfs.Strong)
    return std::nullopt;
  double Share = 0;
  for (const SetMember &One : R.WhatIfs.Changes.Members) {
    if (!One.NeedsOthers)
      continue;
    Share += One.Share;
    for (uint32_t Row : One.Changed.Rows) {
      const auto It = llvm::find_if(D.Sites, [&](const SiteChange &C) {
        return C.Base == &R.Sites[Row];
      });
      if (It == D.Sites.end() || It->InNew != Presence::NotRun)
        return std::nullopt;
      Sites.push_back(size_t(It - D.Sites.begin()));
    }
  }
  std::optional<Estimate> G = gainOf(*R.WhatIfs.Strong, Predicted);
  if (!G || Sites.size() < 2)
    return std::nullopt;
  for (int64_t *Ns : {&G->Middle, &G->Low, &G->High})
    *Ns = int64_t(Share * double(*Ns));
  return G;
}

void add(Prediction &To, const Estimate &G) {
  To.Saved.Middle += G.Middle;
  To.Saved.Low += G.Low;
  To.Saved.High += G.High;
}

/// Adds up the sites that have an answer for these runs. The answer for pinned
/// memory includes the wait of the copy.
Prediction addUp(const Difference &D, PredictedRuns Predicted) {
  Prediction P;
  P.Predicted = Predicted;
  for (const PinnedCopy &Copy : findPinned(D, trace::MemoryKind::Pageable))
    if (const auto G = predicted(D, Copy, Predicted)) {
      P.Pinned.push_back(Copy.Site);
      add(P, *G);
    }
  std::vector<size_t> Together;
  if (const auto G = predictedTogether(D, Predicted, Together)) {
    P.Sites = Together;
    add(P, *G);
  }
  for (size_t I = 0; I < D.Sites.size(); ++I) {
    const SiteChange &C = D.Sites[I];
    if (!isGone(C) || llvm::is_contained(P.Pinned, I) ||
        llvm::is_contained(P.Sites, I))
      continue;
    if (const auto G = predicted(D, C, Predicted)) {
      P.Sites.push_back(I);
      add(P, *G);
    }
  }
  return P;
}

/// Over the base's recordings.
int64_t recordedStep(const Difference &D) {
  std::vector<int64_t> Medians;
  for (const RunSummary &S : D.Base)
    Medians.push_back(median(S.R.Steps.times()));
  return median(std::move(Medians));
}

Prediction forUnrecorded(const Difference &D) {
  Prediction P = addUp(D, PredictedRuns::Unrecorded);
  Prediction Recorded = addUp(D, PredictedRuns::Scaled);
  const int64_t Step = recordedStep(D);
  if (P.sites() == Recorded.sites() || Step <= 0)
    return P;
  const double Scale = double(D.Step->BaseMedian) / double(Step);
  Recorded.Saved = {int64_t(double(Recorded.Saved.Middle) * Scale),
                    int64_t(double(Recorded.Saved.Low) * Scale),
                    int64_t(double(Recorded.Saved.High) * Scale)};
  return Recorded;
}

Agreement agreement(const Prediction &P, const StepChange &S, double Precise) {
  if (P.isEmpty() || S.Basis == StepBasis::OneRun || !S.Enough)
    return Agreement::NotTested;
  if (S.Range.High < P.lowChange())
    return Agreement::Faster;
  if (S.Range.Low > P.highChange())
    return Agreement::Slower;
  const bool IsPrecise = (S.Range.High - S.Range.Low) / 2 <= Precise;
  return S.Significant || IsPrecise ? Agreement::Agrees : Agreement::Unclear;
}

} // namespace

std::optional<Prediction> analysis::comparePrediction(const Difference &D) {
  if (!D.Step || !D.PerStep || D.Step->BaseMedian <= 0)
    return std::nullopt;
  const StepChange &S = *D.Step;
  constexpr double UsualPrecision = 0.01;
  Prediction P = S.Basis == StepBasis::Unrecorded
                     ? forUnrecorded(D)
                     : addUp(D, PredictedRuns::Recorded);
  P.Base = S.BaseMedian;
  P.Low = std::max<int64_t>(0, P.Base - P.Saved.High);
  P.High = P.Base - P.Saved.Low;
  P.Measured = S.NewMedian;
  P.Error =
      (double(P.Measured) - double(P.Base - P.Saved.Middle)) / double(P.Base);
  P.Found =
      agreement(P, S, D.Compared ? D.Compared->Precision : UsualPrecision);
  return P;
}
