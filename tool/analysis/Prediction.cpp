// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Prediction.h"

#include "analysis/Diff.h"

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

/// A postponed call may still wait, behind a busy GPU; what it must no longer
/// do is leave the GPU without work.
bool isGone(const SiteChange &C) {
  constexpr int64_t Nearly = 5; // A fifth may be left.
  return C.BaseExposed.value_or(0) > 0 && C.NewExposed &&
         *C.NewExposed * Nearly <= *C.BaseExposed;
}

/// Steps over which the sums of this row were taken.
size_t stepsOf(const Difference &D, const SiteRow *Row) {
  for (const RunSummary &S : D.Base)
    for (const SiteRow &R : S.R.Sites)
      if (&R == Row)
        return S.R.InSteps ? S.R.InSteps->Count : 0;
  return 0;
}

} // namespace

std::optional<Prediction> analysis::comparePrediction(const Difference &D) {
  if (!D.Step || !D.PerStep)
    return std::nullopt;
  Prediction P;
  for (size_t I = 0; I < D.Sites.size(); ++I) {
    const SiteChange &C = D.Sites[I];
    const auto Steps = int64_t(C.Base ? stepsOf(D, C.Base) : 0);
    if (!isGone(C) || !Steps || !C.Base->Steps)
      continue;
    P.Sites.push_back(I);
    P.Saved.Low += C.Base->Steps->Gained.Low / Steps;
    P.Saved.High += C.Base->Steps->Gained.High / Steps;
  }
  const int64_t Base = D.Step->BaseMedian;
  P.Low = Base - P.Saved.High;
  P.High = Base - P.Saved.Low;
  P.Measured = D.Step->NewMedian;
  if (Base > 0)
    P.Error = (double(P.Measured) - double(P.Low + P.High) / 2) / double(Base);
  return P;
}
