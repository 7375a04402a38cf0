// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

/// Within a percent of `Whole`'s own size, or of a microsecond a step.
void expectAbout(int64_t Sampled, int64_t Whole, size_t Steps) {
  EXPECT_NEAR(double(Sampled), double(Whole),
              0.01 * double(Whole) + 100 * double(Steps));
}

TEST(SampledWhatIfs, AreThoseOfAllSteps) {
  const trace::Timeline T = test::simulateTraining(training(2'000));
  llvm::Expected<Result> R = analyse(T);
  ASSERT_TRUE(bool(R));
  ASSERT_FALSE(R->WhatIfs.Sampled);
  const WhatIfTable S = sampleWhatIfs(T, *R, 2'000);
  ASSERT_TRUE(S.Sampled);
  EXPECT_GE(S.Sampled->Steps, 100u);
  EXPECT_LE(S.Sampled->Steps, 200u);
  EXPECT_NEAR(double(S.Sampled->Mean), double(S.Sampled->MeanOfAll),
              0.01 * double(S.Sampled->MeanOfAll));
  ASSERT_EQ(S.Answers.size(), R->WhatIfs.Answers.size());
  ASSERT_GE(S.Answers.size(), 3u);
  for (size_t I = 0; I < S.Answers.size(); ++I) {
    const WhatIfRow &One = S.Answers[I], &Whole = R->WhatIfs.Answers[I];
    EXPECT_EQ(One.Kind, Whole.Kind);
    EXPECT_EQ(One.Rows, Whole.Rows);
    expectAbout(One.Saved.Low, Whole.Saved.Low, R->Steps.measured());
    expectAbout(One.Saved.High, Whole.Saved.High, R->Steps.measured());
    expectAbout(One.Beyond.High, Whole.Beyond.High, R->Steps.measured());
    EXPECT_LE(One.Saved.High, R->Sites[0].Steps->Exposed);
  }
}

TEST(SampledWhatIfs, SayWhenThereIsNoSample) {
  const trace::Timeline T = test::simulateTraining(training(100));
  llvm::Expected<Result> R = analyse(T);
  ASSERT_TRUE(bool(R));
  const WhatIfTable Few = sampleWhatIfs(T, *R, 100);
  ASSERT_TRUE(Few.Sampled);
  EXPECT_EQ(Few.Sampled->Steps, 0u);
  EXPECT_TRUE(Few.Answers.empty());
  R->Steps = {};
  R->InSteps.reset();
  EXPECT_EQ(sampleWhatIfs(T, *R, 2'000).Sampled->Steps, 0u);
}

} // namespace
