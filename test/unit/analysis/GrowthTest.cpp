// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Growth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace autoprof::analysis;

namespace {

/// Runs whose logarithms vary by a known standard deviation.
class Runs {
  std::mt19937_64 Random{7};

public:
  std::vector<double> make(size_t Count, double Centre, double Deviation) {
    std::normal_distribution<double> Normal(Centre, Deviation);
    std::vector<double> Result;
    while (Result.size() < Count)
      Result.push_back(Normal(Random));
    return Result;
  }
};

/// How many of a thousand comparisons find a growth.
double found(size_t BaseRuns, size_t NewRuns, double Growth, double Deviation,
             double Error, size_t NoiseRuns = 0) {
  Runs R;
  constexpr size_t Tries = 20'000;
  size_t Found = 0;
  for (size_t I = 0; I < Tries; ++I) {
    const RunSpread Noise = spreadOf(R.make(NoiseRuns, 0, Deviation));
    const GrowthTest Test(R.make(BaseRuns, 0, Deviation),
                          R.make(NewRuns, std::log1p(Growth), Deviation),
                          Noise);
    Found += *Test.p() < Error;
  }
  return 1000.0 * double(Found) / double(Tries);
}

} // namespace

TEST(Growth, UnchangedProgramsFailAsRarelyAsStated) {
  for (auto [Base, New] : {std::pair(3, 3), {2, 5}, {1, 3}, {8, 8}})
    EXPECT_NEAR(found(Base, New, 0, 0.05, 0.01), 10, 2.5);
  // The test for whether the noise counts costs little.
  EXPECT_LT(found(3, 3, 0, 0.05, 0.01, 24), 14);
  EXPECT_NEAR(found(1, 1, 0, 0.05, 0.01, 24), 10, 2.5);
}

TEST(Growth, ARealLossIsFound) {
  // 20 % where runs vary by 3 %: nearly always, with three runs a side.
  EXPECT_GT(found(3, 3, 0.2, 0.03, 0.005), 900);
  // 5 % needs to know better how runs vary.
  const double Alone = found(3, 3, 0.05, 0.01, 0.005),
               WithNoise = found(3, 3, 0.05, 0.01, 0.005, 24);
  EXPECT_GT(WithNoise, Alone + 100);
  EXPECT_GT(WithNoise, 900);
}

TEST(Growth, QuieterRunsDoNotHideThatTheseVary) {
  const RunSpread Quiet{0.001, 20};
  const GrowthTest Test({-0.1, 0, 0.1}, {0, 0.1, 0.2}, Quiet);
  EXPECT_NEAR(Test.spread().Deviation, 0.1, 1e-9);
  EXPECT_EQ(Test.spread().Freedom, 4);
  EXPECT_GT(*Test.p(), 0.1);
}

TEST(Growth, OneRunOnBothSidesTellsNothing) {
  const GrowthTest Test({0}, {1});
  EXPECT_FALSE(Test.p());
  EXPECT_FALSE(Test.visible(0.01));
}

TEST(Growth, RunsWithoutVariation) {
  EXPECT_EQ(GrowthTest({1, 1}, {2, 2}).p(), 0);
  EXPECT_EQ(GrowthTest({1, 1}, {1, 1}).p(), 1);
  EXPECT_EQ(GrowthTest({1, 1}, {0, 0}).p(), 1);
}

// As scipy's stats.ttest_ind.
TEST(Growth, ChangesMatchKnownValues) {
  const MeanChange C =
      *GrowthTest({10.1, 10.4, 9.9, 10.2}, {11.0, 11.6, 10.9}).change();
  EXPECT_NEAR(C.Difference, 1.0166667, 1e-6);
  EXPECT_NEAR(C.P, 0.0057814755, 1e-9);
  EXPECT_NEAR(C.Range.Low, 0.4499066448, 1e-8);
  EXPECT_NEAR(C.Range.High, 1.5834266885, 1e-8);
  EXPECT_NEAR(C.Visible, 0.8890039654, 1e-7);
  EXPECT_FALSE(GrowthTest({10}, {12}).change());
  EXPECT_EQ(GrowthTest({5, 5}, {5, 5}).change()->P, 1);
  EXPECT_EQ(GrowthTest({5, 5}, {6, 6}).change()->P, 0);
}

// As scipy's (1.17) stats.t.
TEST(Growth, StudentsTMatchesKnownValues) {
  EXPECT_NEAR(studentP(2.5, 4), 0.06676654481, 1e-10);
  EXPECT_NEAR(studentP(-0.3, 17.4), 0.76773160839, 1e-10);
  EXPECT_NEAR(studentQuantile(0.01, 2), 9.92484320, 1e-7);
  EXPECT_NEAR(studentQuantile(0.05, 9.3), 2.25108222, 1e-7);
}
