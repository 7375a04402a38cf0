// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay/Estimate.h"

#include "gtest/gtest.h"

using namespace autoprof::analysis;

namespace {

// Three assumptions in four replays, as JointReplay::gain makes them.
const unsigned Levels[] = {0, 1 | 4, 2 | 4, 1 | 2};

TEST(Estimate, IndependentAssumptionsAddUpAsSquares) {
  // 100 us, 30 us more with the first assumption, 40 us with the second.
  const int64_t Saved[] = {100'000, 130'000, 140'000, 170'000};
  const Estimate Found = combine(Saved, Levels, {1'000, 0});
  EXPECT_EQ(Found.Middle, 135'000);
  // 15 and 20 us around it, and 15 % of the gain, make 32, not 55.
  EXPECT_EQ(Found.Low, 102'827);
  EXPECT_EQ(Found.High, 167'172);
}

TEST(Estimate, IsNeverMorePreciseThanRunsAre) {
  const int64_t Same[] = {50'000, 50'000, 50'000, 50'000};
  const Estimate Found = combine(Same, Levels, {2'000, 2'000});
  EXPECT_EQ(Found.Low, 42'237);
  EXPECT_EQ(Found.High, 57'762);
  const int64_t Nothing[] = {0, -3'000, 0, 0};
  const Estimate None = combine(Nothing, Levels, {2'000, 2'000});
  EXPECT_EQ(None.Middle, 0);
  EXPECT_EQ(None.Low, -2'000);
  EXPECT_EQ(None.High, 2'000);
}

TEST(Estimate, AssumptionsThatAreNotOpenDoNotCount) {
  const int64_t Same[8] = {100'000, 100'000, 100'000, 100'000,
                           100'000, 100'000, 100'000, 100'000};
  const unsigned Without8[8] = {0, 17, 18, 3, 20, 5, 6, 23};
  const Estimate Found = combine(Same, Without8, {1'000, 0});
  EXPECT_EQ(Found.Low, 85'000);
  EXPECT_EQ(Found.High, 115'000);
}

TEST(Estimate, LowIsNotFarBelowNothing) {
  const int64_t Saved[] = {0, 0, 0, 40'000};
  const Estimate Found = combine(Saved, Levels, {1'100, 1'100});
  EXPECT_EQ(Found.Middle, 10'000);
  EXPECT_EQ(Found.Low, -1'100);
  EXPECT_GT(Found.High, 20'000);
}

TEST(Estimate, WhatProcessesDifferByIsOneMoreAssumption) {
  // 15 and 20 us by assumptions, 60 us by process, 15 % of the gain.
  const int64_t Saved[] = {100'000, 130'000, 140'000, 170'000};
  const Estimate Found = combine(Saved, Levels, {1'000, 60'000});
  EXPECT_EQ(Found.Middle, 135'000);
  EXPECT_EQ(Found.Low, 66'918);
  EXPECT_EQ(Found.High, 203'081);
}

TEST(Estimate, NothingIsNoMoreCertainThanAnythingElse) {
  const int64_t Nothing[] = {0, 0, 0, 0};
  const Estimate Found = combine(Nothing, Levels, {2'000, 20'000});
  EXPECT_EQ(Found.Low, -2'000);
  EXPECT_EQ(Found.High, 20'000);
}

TEST(Estimate, ProcessesDifferByWhatTheStepDependsOn) {
  EXPECT_EQ(spread(400'000, Limiter::Gpu).OfMeasured, 4'000);
  EXPECT_EQ(spread(400'000, Limiter::Both).OfMeasured, 10'000);
  EXPECT_EQ(spread(400'000, Limiter::Host).OfMeasured, 20'000);
  EXPECT_EQ(spread(400'000, Limiter::Host).Resolution, 2'000);
  EXPECT_EQ(spread(20'000, Limiter::Gpu).OfMeasured, 1'100);
}

TEST(Estimate, ResolutionGrowsWithTheStep) {
  EXPECT_EQ(resolution(0), 1'100);
  EXPECT_EQ(resolution(100'000), 1'100);
  EXPECT_EQ(resolution(4'000'000), 20'000);
}

} // namespace
