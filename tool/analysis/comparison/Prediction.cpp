// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Prediction.h"

#include "analysis/comparison/Diff.h"

#include <algorithm>

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

/// What the first base run with this row said of it, ns a step. A copy that
/// still runs was postponed, and of a synchronization that does only the probe
/// is left. What became of a call that no longer runs is not known: removed, or
/// replaced by one that waits later.
std::optional<Gain> predicted(const Difference &D, const SiteChange &C) {
  const bool Runs = C.InNew == Presence::Ran, IsCopy = C.row().Kind == "copy";
  auto MayBe = [&](Edit How) {
    return (How == Edit::Remove && (!Runs || !IsCopy)) ||
           (How == Edit::Postpone && (!Runs || IsCopy));
  };
  std::optional<Gain> Found;
  for (const RunSummary &S : D.Base) {
    const Result &R = S.R;
    for (const WhatIfRow &Row : R.WhatIfs.Each) {
      if (!R.InSteps || !R.InSteps->Count || !MayBe(Row.How) ||
          Row.Rows.size() != 1 || &R.Sites[Row.Rows[0]] != C.Base)
        continue;
      const Gain &G = Row.Step;
      Found = Found ? Gain{std::min(Found->Low, G.Low),
                           std::max(Found->High, G.High)}
                    : G;
    }
  }
  return Found;
}

} // namespace

std::optional<Prediction> analysis::comparePrediction(const Difference &D) {
  if (!D.Step || !D.PerStep)
    return std::nullopt;
  Prediction P;
  for (size_t I = 0; I < D.Sites.size(); ++I) {
    const SiteChange &C = D.Sites[I];
    std::optional<Gain> G = isGone(C) ? predicted(D, C) : std::nullopt;
    if (!G)
      continue;
    P.Sites.push_back(I);
    P.Saved.Low += G->Low;
    P.Saved.High += G->High;
  }
  const int64_t Base = D.Step->BaseMedian;
  P.Low = Base - P.Saved.High;
  P.High = Base - P.Saved.Low;
  P.Measured = D.Step->NewMedian;
  if (Base > 0)
    P.Error = (double(P.Measured) - double(P.Low + P.High) / 2) / double(Base);
  return P;
}
