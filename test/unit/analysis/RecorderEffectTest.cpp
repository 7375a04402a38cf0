// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "analysis/common/Statistics.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostKind;

namespace {

/// 40 iterations of so many launches that take the GPU next to no time: the CPU
/// is the limit.
trace::Timeline launchBound(int Launches, int64_t LaunchNs) {
  test::Costs C;
  C.Launch = LaunchNs;
  test::Simulator S(C);
  const uint32_t Stream = S.stream(13, trace::StreamFlag::NonBlocking);
  const uint32_t Loop = S.site(0xcc, "loop", 28, "");
  for (int I = 0; I < 40; ++I) {
    S.enter(HostKind::Range, Loop);
    for (int J = 0; J < Launches; ++J)
      S.launch(Stream, 100);
    S.work(1'000);
    S.leave();
  }
  trace::Timeline T = S.finish();
  T.Info.Mode = "full";
  T.Info.CuptiState = "ok";
  return T;
}

RecorderEffect effect(const trace::Timeline &T) {
  return llvm::cantFail(analyse(T, "")).Recorder;
}

TEST(RecorderEffect, TimedStepsDecide) {
  trace::Timeline T = launchBound(10, 5'000);
  T.Recorded.Unrecorded = {{5, 155'000}, {5, 150'000}, {2, 70'000}};
  T.Recorded.FirstUnrecorded = 3;
  const RecorderEffect E = effect(T);
  EXPECT_EQ(E.RecordedStep, 51'200);
  EXPECT_EQ(E.UnrecordedStep, 31'000);
  EXPECT_EQ(E.Low, 30'000);
  EXPECT_EQ(E.High, 35'000);
  EXPECT_EQ(E.UnrecordedSteps, 12u);
  EXPECT_EQ(E.FirstUnrecorded, 3u);
  ASSERT_TRUE(E.factor());
  EXPECT_NEAR(*E.factor(), 51.2 / 31, 1e-9);
  EXPECT_EQ(E.Why, "");
}

TEST(RecorderEffect, IsNotEstimated) {
  trace::Timeline T = launchBound(10, 5'000);
  T.OwnCosts = trace::RecorderCosts{{2'000, 200}, {4'000, 600}};
  const RecorderEffect E = effect(T);
  EXPECT_FALSE(E.factor());
  EXPECT_FALSE(E.UnrecordedStep);
  EXPECT_EQ(E.Why, "no unrecorded step was timed");
  // What replays of unrecorded runs use.
  EXPECT_TRUE(E.Cost.Measured);
  EXPECT_EQ(E.Cost.Least.Launch, 2'000);
  EXPECT_EQ(E.Cost.Most.Launch, 3'200);
  EXPECT_EQ(E.Cost.Least.Call, 400);
  const RecorderEffect Rough = effect(launchBound(10, 5'000));
  EXPECT_FALSE(Rough.Cost.Measured);
  EXPECT_EQ(Rough.Cost.Least.Launch, LeastAdded.Launch);
}

TEST(RecorderEffect, WhatCannotBeKnownIsSaid) {
  trace::Timeline T = launchBound(10, 5'000);
  T.Info.Mode = "light";
  RecorderEffect E = effect(T);
  EXPECT_FALSE(E.factor());
  EXPECT_EQ(E.Why, "the recording is not a full one");
  T.Info.Mode = "full";
  T.Info.Source.Producer = "the PyTorch profiler";
  E = effect(T);
  EXPECT_EQ(E.Why, "another profiler recorded it");
  // Nonsense is not measured.
  T = launchBound(10, 5'000);
  T.OwnCosts = trace::RecorderCosts{{4'000, 200}, {2'000, 600}};
  EXPECT_FALSE(effect(T).Cost.Measured);
}

} // namespace
