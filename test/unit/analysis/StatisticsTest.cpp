// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Statistics.h"

#include <gtest/gtest.h>

using namespace autoprof::analysis;

TEST(Statistics, QuantilesInterpolate) {
  EXPECT_EQ(quantile({}, 0.5), 0);
  EXPECT_EQ(quantile({7}, 0.95), 7);
  EXPECT_EQ(median({4, 1, 3, 2}), 3); // 2.5, rounded away from zero.
  EXPECT_EQ(median({30, 10, 20}), 20);
  EXPECT_EQ(quantile({0, 10, 20, 30, 40}, 0.95), 38);
}

TEST(Statistics, MannWhitneyMatchesKnownValues) {
  // scipy.stats.mannwhitneyu(..., method="asymptotic"), two-sided.
  EXPECT_NEAR(mannWhitney({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}), 0.01218578, 1e-7);
  EXPECT_NEAR(mannWhitney({1, 2, 2, 3, 5}, {2, 3, 4, 5, 6, 7}), 0.11560644,
              1e-7);
  EXPECT_EQ(mannWhitney({5, 5, 5}, {5, 5, 5}), 1);
  EXPECT_EQ(mannWhitney({}, {1, 2}), 1);
}

TEST(Statistics, BootstrapIsReproducibleAndCoversTheChange) {
  std::vector<int64_t> Base, New;
  for (int I = 0; I < 50; ++I) {
    Base.push_back(1000 + I % 7);
    New.push_back(900 + I % 5);
  }
  Interval A = bootstrapChange(Base, New).Range,
           B = bootstrapChange(Base, New).Range;
  EXPECT_EQ(A.Low, B.Low);
  EXPECT_EQ(A.High, B.High);
  EXPECT_LE(A.Low, -0.1);
  EXPECT_GE(A.High, -0.102);
  EXPECT_LT(A.High, 0);
}
