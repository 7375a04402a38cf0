// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Sentences.h"

#include "gtest/gtest.h"

using namespace autoprof;
using analysis::ExpectedGain;

namespace {

ExpectedGain perStep(int64_t Low, int64_t Middle, int64_t High) {
  ExpectedGain Gain;
  Gain.Saved = {Middle, Low, High};
  Gain.Whole = 33'000'000;
  Gain.Resolution = 165'000;
  Gain.PerStep = true;
  return Gain;
}

TEST(GainText, TheEstimateComesFirst) {
  EXPECT_EQ(report::gainText(perStep(300'000, 800'000, 1'300'000)),
            "about 800 us per step (0.30 to 1.30 ms), 2.4 %");
  EXPECT_EQ(report::gainText(perStep(-165'000, 800'000, 1'765'000), "",
                             /*IsLaunchBound=*/true),
            "about 800 us per step (0 to 1.76 ms, perhaps nothing), 2.4 % (may "
            "be more: "
            "launch-bound)");
}

TEST(GainText, WhatNobodyCanMeasureIsSaid) {
  EXPECT_EQ(report::gainText(perStep(-165'000, 10'000, 175'000)),
            "nothing measurable (about 10.0 us per step, at most 175 us)");
  EXPECT_EQ(report::gainText(perStep(-165'000, 0, 175'000)),
            "nothing measurable (at most 175 us per step)");
}

TEST(GainText, TheRecordedRunIsNamed) {
  ExpectedGain Gain = perStep(12'000, 15'000, 18'000);
  Gain.Recorded = true;
  Gain.Whole = 375'000;
  EXPECT_EQ(
      report::gainText(Gain),
      "about 15.0 us per step in the recorded run (12.0 to 18.0 us), 4.0 % of "
      "the recorded step");
  EXPECT_EQ(
      report::gainText(Gain, "too small"),
      "at most 18.0 us per step in the recorded run, 4.8 % of the recorded "
      "step (not replayed: too small)");
  Gain.Saved = {};
  EXPECT_EQ(report::gainText(Gain), "nothing");
}

TEST(GainText, OfTheRunWithoutSteps) {
  ExpectedGain Gain = perStep(300'000, 800'000, 1'300'000);
  Gain.PerStep = false;
  EXPECT_EQ(report::gainText(Gain),
            "about 800 us (0.30 to 1.30 ms), 2.4 % of the GPU's span");
}

} // namespace
