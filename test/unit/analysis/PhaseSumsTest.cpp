// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/Analysis.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

/// `Runs` iterations of a loop at this line; the loss is read in each of them.
void runLoop(Simulator &S, unsigned Line, int Runs, int64_t KernelNs,
             bool Reads) {
  const uint32_t Null = S.stream(7, StreamFlag::Null);
  const uint32_t Loop = S.site(Line, "loop", Line, "for");
  for (int I = 0; I < Runs; ++I) {
    S.enter(HostKind::Range, Loop);
    S.launch(Null, KernelNs);
    if (Reads)
      S.readBack(Null);
    S.leave();
  }
}

} // namespace

TEST(PhaseSums, DivideTheTimeEvenIfTheCpuRunsAhead) {
  // The second loop begins on the host while the GPU works for the first one.
  Simulator S;
  runLoop(S, 10, 200, 999'000, /*Reads=*/false);
  runLoop(S, 20, 50, 50'000, /*Reads=*/true);
  const Timeline T = S.finish();
  const Result R = llvm::cantFail(analyse(T));
  ASSERT_EQ(R.Phases.size(), 2u);
  const PhaseSums &First = R.Phases[0], &Second = R.Phases[1];
  EXPECT_EQ(First.Name, "loop:train.cu:10");
  EXPECT_EQ(First.Steps, 200u);
  EXPECT_NEAR(double(First.Time), 200e6, 20e3);
  EXPECT_EQ(First.Gpu, 200 * 999'000);
  EXPECT_EQ(First.Waited, 0);
  EXPECT_EQ(Second.Name, "loop:train.cu:20");
  EXPECT_EQ(Second.Steps, 50u);
  EXPECT_GT(Second.Waited, 50 * 40'000);
  EXPECT_GT(Second.Exposed, 0);
  EXPECT_LE(First.Time + Second.Time, R.Span + 10'000);
  EXPECT_GE(First.Time + Second.Time, R.Span - 10'000);
  // Nothing in the first loop is worth a change, and little of the whole time.
  EXPECT_EQ(R.WaitsElsewhere, 1u);
}

TEST(PhaseSums, OfPhasesThatAlternateAddUp) {
  Simulator S;
  for (int Epoch = 0; Epoch < 2; ++Epoch) {
    runLoop(S, 10, 20, 100'000, /*Reads=*/true);
    runLoop(S, 20, 10, 20'000, /*Reads=*/true);
  }
  const Timeline T = S.finish();
  const Result R = llvm::cantFail(analyse(T));
  ASSERT_EQ(R.Phases.size(), 2u);
  EXPECT_LE(R.Phases[0].Time + R.Phases[1].Time, R.Span + 20'000);
  EXPECT_GT(R.Phases[0].Time, 40 * 100'000);
  EXPECT_LT(R.Phases[0].Time, 40 * 125'000);
  EXPECT_GT(R.Phases[1].Time, 20 * 20'000);
  // The answer is about a wait of the steps.
  EXPECT_FALSE(R.WaitsElsewhere);
}
