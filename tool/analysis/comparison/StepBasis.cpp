// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The basis of a claim about the step: the known variation between runs, and
// the unrecorded runs of `autoprof compare` in place of the recorded ones.
#include "analysis/comparison/Diff.h"

using namespace autoprof;
using namespace autoprof::analysis;

double analysis::knownVariation(Regime R) {
  static constexpr std::pair<Regime, double> Known[] = {
#define KNOWN_VARIATION(REGIME, SHARE, SOURCE) {Regime::REGIME, SHARE},
#include "analysis/comparison/KnownVariation.def"
  };
  for (auto [Limit, Share] : Known)
    if (Limit == R)
      return Share;
  return 0;
}

bool Difference::isSlower() const {
  if (Judged)
    return Judged->Differs && Judged->Change > 0;
  return Step && Step->Significant && Step->Change > 0;
}

void analysis::useTrials(Difference &D, Trials Runs) {
  D.Judged = judge(Runs, StoppingPlan(Runs.looks()));
  D.Compared = std::move(Runs);
  if (!D.Judged || D.Compared->Metric != TrialMetric::Step)
    return;
  const TrialsJudged &J = *D.Judged;
  if (!D.Step)
    D.Step.emplace();
  StepChange &S = *D.Step;
  S.Basis = StepBasis::Unrecorded;
  S.BaseRuns = J.BaseRuns;
  S.NewRuns = J.NewRuns;
  S.BaseMedian = J.BaseTime;
  S.NewMedian = J.NewTime;
  S.Change = J.Change;
  S.Enough = J.Range.has_value();
  S.Range = J.Range.value_or(Interval{0, 0});
  S.Visible = (S.Range.High - S.Range.Low) / 2;
  S.P = J.P;
  S.Significant = J.Differs;
  S.RunsVary.reset();
}
