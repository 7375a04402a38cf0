// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GainOf.h"
#include "analysis/Analysis.h"
#include "analysis/Stages.h"

#include "Simulator.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

test::Training training(unsigned Steps) {
  test::Training P;
  P.Print = true;
  P.Steps = Steps;
  P.Kernels = 10;
  P.KernelNs = 20'000;
  P.Jitter = 0.1;
  return P;
}

TEST(SampledWhatIfs, AreThoseOfAllSteps) {
  const trace::Timeline T = test::simulateTraining(training(2'000));
  const Result R = llvm::cantFail(analyse(T));
  const StepSample Sample = sampleSteps(T, R, 2'000);
  EXPECT_GE(Sample.Steps, 100u);
  EXPECT_LE(Sample.Steps, 200u);
  EXPECT_NEAR(double(Sample.Mean), double(Sample.MeanOfAll),
              0.01 * double(Sample.MeanOfAll));
  const Attribution A = attribute(T);
  const WaitList List = findWaits(T, A);
  const Replay Whole(T, A, List, R.Steps),
      Part(T, A, List, R.Steps, nullptr, &Sample);
  EXPECT_NEAR(double(Part.steps()), double(Whole.steps()), 1);
  for (Edit Kind : {Edit::Remove, Edit::Postpone, Edit::MakeAsync}) {
    const Plan P{Kind, R.Sites[0].Group};
    const Gain OfAll = test::gainOf(Whole, P), OfPart = test::gainOf(Part, P);
    // Within a percent, or 100 ns a step.
    const double Slack =
        0.01 * double(OfAll.High) + 100 * double(R.Steps.measured());
    EXPECT_NEAR(double(OfPart.Low), double(OfAll.Low), Slack);
    EXPECT_NEAR(double(OfPart.High), double(OfAll.High), Slack);
    EXPECT_GT(OfAll.High, 0);
  }
}

TEST(SampledWhatIfs, SayWhenThereIsNoSample) {
  const trace::Timeline T = test::simulateTraining(training(100));
  Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(sampleSteps(T, R, 100).Steps, 0u);
  R.Steps = {};
  R.InSteps.reset();
  EXPECT_EQ(sampleSteps(T, R, 2'000).Steps, 0u);
}

} // namespace
