// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Statistics.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

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

// A long series is resampled in part: its interval is as wide as theory says
// the median's is, 1.96 * sqrt(pi / 2) * sigma / sqrt(n) for normal values.
TEST(Statistics, TheIntervalOfALongSeriesIsAsNarrowAsItShouldBe) {
  constexpr size_t N = 400'000;
  std::mt19937_64 Random(7);
  std::vector<int64_t> Base, New;
  // Sums of twelve uniform values: normal enough, the same on every machine.
  auto Draw = [&Random](double Centre) {
    double Sum = -6;
    for (int I = 0; I < 12; ++I)
      Sum += double(Random() >> 11) / double(1ull << 53);
    return int64_t(Centre + 10'000 * Sum);
  };
  for (size_t I = 0; I < N; ++I) {
    Base.push_back(Draw(1'000'000));
    New.push_back(Draw(1'001'000));
  }
  const Interval Range = bootstrapChange(Base, New).Range;
  EXPECT_LT(Range.Low, 0.001);
  EXPECT_GT(Range.High, 0.001);
  const double OneSide =
      1.96 * std::sqrt(std::acos(-1.0) / 2) * 0.01 / std::sqrt(double(N));
  EXPECT_NEAR(Range.High - Range.Low, 2 * std::sqrt(2.0) * OneSide,
              OneSide / 2);
}
