// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected values are scipy's (1.17): stats.t, stats.ttest_ind with
// equal_var=False, stats.wilcoxon with correction and method="approx".
#include "analysis/comparison/Samples.h"

#include <gtest/gtest.h>

#include <random>

using namespace autoprof::analysis;

TEST(Samples, StudentsTMatchesKnownValues) {
  EXPECT_NEAR(studentP(2.5, 4), 0.06676654481, 1e-10);
  EXPECT_NEAR(studentP(-0.3, 17.4), 0.76773160839, 1e-10);
  EXPECT_NEAR(studentQuantile(0.01, 2), 9.92484320, 1e-7);
  EXPECT_NEAR(studentQuantile(0.05, 9.3), 2.25108222, 1e-7);
}

TEST(Samples, WelchMatchesKnownValues) {
  MeanChange C = *compareMeans({10.1, 10.4, 9.9, 10.2}, {11.0, 11.6, 10.9});
  EXPECT_NEAR(C.Difference, 1.0166667, 1e-6);
  EXPECT_NEAR(C.P, 0.0261579494, 1e-9);
  EXPECT_NEAR(C.Range.Low, 0.2325569727, 1e-8);
  EXPECT_NEAR(C.Range.High, 1.8007763607, 1e-8);
  EXPECT_NEAR(C.Visible, 1.4582804231, 1e-7);
}

TEST(Samples, OneNumberIsTakenToVaryLikeTheOthers) {
  EXPECT_FALSE(compareMeans({10}, {12}));
  // A prediction interval: the error is that of one more number.
  MeanChange C = *compareMeans({10}, {12, 13, 14});
  EXPECT_NEAR(C.Difference, 3, 1e-12);
  EXPECT_NEAR(C.P, studentP(3 / std::sqrt(1 + 1.0 / 3), 2), 1e-12);
  EXPECT_GT(C.P, 0.01);
}

TEST(Samples, EqualNumbersDoNotVary) {
  EXPECT_EQ(compareMeans({5, 5}, {5, 5})->P, 1);
  EXPECT_EQ(compareMeans({5, 5}, {6, 6})->P, 0);
}

TEST(Dependence, IndependentValuesHaveNone) {
  std::mt19937_64 Random(1);
  std::vector<int64_t> Series;
  for (int I = 0; I < 200; ++I)
    Series.push_back(int64_t(Random() % 1000));
  EXPECT_EQ(dependence(Series).Block, 1u);
  EXPECT_EQ(dependence(Series).Time, 1);
  EXPECT_EQ(dependence(std::vector<int64_t>(50, 7)).Block, 1u);
  EXPECT_EQ(dependence({3, 1, 2}).Block, 1u);
}

TEST(Dependence, SlowDriftMakesLongBlocks) {
  // AR(1) with 0.8: one independent value in (1 + 0.8) / (1 - 0.8) = 9.
  std::mt19937_64 Random(7);
  std::vector<int64_t> Series;
  double X = 0;
  for (int I = 0; I < 1000; ++I) {
    X = 0.8 * X + double(Random() % 2000) - 1000;
    Series.push_back(int64_t(X));
  }
  Dependence D = dependence(Series);
  EXPECT_NEAR(D.Time, 9, 4);
  EXPECT_GE(D.Block, 8u);
  EXPECT_LE(D.Block, 60u);
}

TEST(Dependence, MakesTestsAndIntervalsMoreCareful) {
  std::vector<int64_t> A, B;
  for (int I = 0; I < 60; ++I) {
    A.push_back(1000 + 10 * (I / 10)); // Drifts up in six stairs.
    B.push_back(1010 + 10 * (I / 10));
  }
  EXPECT_GT(mannWhitney(A, B, 9), mannWhitney(A, B));
  ChangeRange Alone = bootstrapChange(A, B),
              InBlocks = bootstrapChange(A, B, {15, 15, false});
  EXPECT_GT(InBlocks.Range.High - InBlocks.Range.Low,
            Alone.Range.High - Alone.Range.Low);
  EXPECT_GT(InBlocks.Visible, Alone.Visible);
  // By step number the drift is on both sides, and drops out.
  ChangeRange Paired = bootstrapChange(A, B, {15, 15, true});
  EXPECT_LT(Paired.Visible, Alone.Visible);
}

TEST(Samples, SignedRankMatchesKnownValues) {
  EXPECT_NEAR(signedRank({12, 15, 11, 18, 20, 14, 17, 19, 13, 16},
                         {10, 15, 14, 13, 15, 13, 12, 20, 11, 12}),
              0.0648888462, 1e-9);
  EXPECT_EQ(signedRank({1, 2}, {1, 2}), 1);
}
