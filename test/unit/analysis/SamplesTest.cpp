// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected values are those of stats.t and stats.ttest_ind of scipy.
#include "analysis/comparison/Samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace autoprof::analysis;

namespace {

/// How many of a thousand comparisons of runs, whose logarithms vary by this
/// standard deviation, find a growth with this error, one-sided.
double found(size_t BaseRuns, size_t NewRuns, double Growth, double Deviation,
             double Error) {
  std::mt19937_64 Random{7};
  auto Make = [&](size_t Count, double Centre) {
    std::normal_distribution<double> Normal(Centre, Deviation);
    std::vector<double> Result;
    while (Result.size() < Count)
      Result.push_back(Normal(Random));
    return Result;
  };
  constexpr size_t Tries = 20'000;
  size_t Found = 0;
  for (size_t I = 0; I < Tries; ++I) {
    const std::vector<double> Base = Make(BaseRuns, 0);
    const MeanChange C = *compareMeans(Base, Make(NewRuns, std::log1p(Growth)));
    Found += C.Difference > 0 && C.P / 2 < Error;
  }
  return 1000.0 * double(Found) / double(Tries);
}

} // namespace

TEST(Samples, StudentsTMatchesKnownValues) {
  EXPECT_NEAR(studentP(2.5, 4), 0.06676654481, 1e-10);
  EXPECT_NEAR(studentP(-0.3, 17.4), 0.76773160839, 1e-10);
  EXPECT_NEAR(studentQuantile(0.01, 2), 9.92484320, 1e-7);
  EXPECT_NEAR(studentQuantile(0.05, 9.3), 2.25108222, 1e-7);
}

TEST(Samples, MeansMatchKnownValues) {
  MeanChange C = *compareMeans({10.1, 10.4, 9.9, 10.2}, {11.0, 11.6, 10.9});
  EXPECT_NEAR(C.Difference, 1.0166667, 1e-6);
  EXPECT_NEAR(C.P, 0.0057814755, 1e-9);
  EXPECT_NEAR(C.Range.Low, 0.4499066448, 1e-8);
  EXPECT_NEAR(C.Range.High, 1.5834266885, 1e-8);
  EXPECT_NEAR(C.Visible, 0.8890039654, 1e-7);
}

TEST(Samples, UnchangedProgramsSeemToGrowAsRarelyAsStated) {
  for (auto [Base, New] : {std::pair(3, 3), {2, 5}, {1, 3}, {8, 8}})
    EXPECT_NEAR(found(Base, New, 0, 0.05, 0.01), 10, 2.5);
}

TEST(Samples, ThreeRunsOnASideFindALossOfTwentyPercent) {
  EXPECT_GT(found(3, 3, 0.2, 0.03, 0.005), 900);
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
