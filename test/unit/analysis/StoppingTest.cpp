// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Series of simulated runs whose variation is known: how often a difference is
// claimed where there is none, and where there is one.
#include "analysis/comparison/Stopping.h"
#include "analysis/comparison/Trials.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace autoprof::analysis;

namespace {

using Draw = std::function<double(std::mt19937_64 &)>;

double normal(std::mt19937_64 &Random, double Sd) {
  return std::normal_distribution<double>(0, Sd)(Random);
}

/// One run in four is 20 % slower: a process that was placed badly.
double twoSpeeds(std::mt19937_64 &Random) {
  return normal(Random, 0.01) + (Random() % 4 == 0 ? 0.2 : 0);
}

double heavyTail(std::mt19937_64 &Random) {
  return 0.01 * std::student_t_distribution<double>(2)(Random);
}

struct Outcome {
  double Claims = 0; ///< Share of the series.
  double RightSign = 0;
  double Covered = 0; ///< Intervals that hold the true change, at the end.
  double Runs = 0;    ///< Per side, mean.
};

/// Stops at the first claim, or when the interval is narrow, as compare does.
Outcome simulate(size_t Most, const Draw &Noise, double Change,
                 double Precision, int Series) {
  const StoppingPlan Plan(alternatingLooks(Most));
  std::mt19937_64 Random(5);
  Outcome O;
  int WithRange = 0;
  for (int S = 0; S < Series; ++S) {
    std::vector<double> Base, New;
    for (size_t I = 0; I < Most; ++I) {
      Base.push_back(Noise(Random));
      New.push_back(Noise(Random) + std::log1p(Change));
    }
    RunsCompared C;
    size_t Look = 0;
    for (; Look < Plan.looks().size(); ++Look) {
      C = Plan.compare(Look, Base, New);
      if (C.Differs ||
          (C.Range && (C.Range->High - C.Range->Low) / 2 <= Precision))
        break;
    }
    O.Runs += double(Plan.looks()[std::min(Look, Plan.looks().size() - 1)].New);
    O.Claims += C.Differs;
    O.RightSign += C.Differs && (C.Shift > 0) == (Change > 0);
    if (C.Range) {
      ++WithRange;
      O.Covered += C.Range->Low <= std::log1p(Change) &&
                   std::log1p(Change) <= C.Range->High;
    }
  }
  O.Claims /= Series;
  O.RightSign /= Series;
  O.Covered /= WithRange;
  O.Runs /= Series;
  return O;
}

} // namespace

// 600 series: with an error of 1 %, more than 2.5 % come in 1 of 1000 tests.
TEST(Stopping, ClaimsNothingWhereNothingChanged) {
  for (const Draw &Noise :
       {Draw([](std::mt19937_64 &R) { return normal(R, 0.02); }),
        Draw(twoSpeeds), Draw(heavyTail)}) {
    const Outcome O = simulate(30, Noise, 0, 0.005, 600);
    EXPECT_LE(O.Claims, 0.025);
    EXPECT_GE(O.Covered, 0.92);
  }
}

TEST(Stopping, FindsThreePercentInRunsThatVaryByTwo) {
  const Outcome O = simulate(
      30, [](std::mt19937_64 &R) { return normal(R, 0.02); }, 0.03, 0.005, 300);
  EXPECT_GE(O.RightSign, 0.9);
  EXPECT_EQ(O.RightSign, O.Claims);
  EXPECT_GE(O.Covered, 0.9);
  EXPECT_LE(O.Runs, 25);
}

TEST(Stopping, FindsLargeChangesSoon) {
  const Outcome O = simulate(
      30, [](std::mt19937_64 &R) { return normal(R, 0.02); }, -0.2, 0.005, 50);
  EXPECT_EQ(O.RightSign, 1);
  EXPECT_LE(O.Runs, 8);
}

TEST(Stopping, StopsSoonWhereRunsHardlyVary) {
  const Outcome O = simulate(
      30, [](std::mt19937_64 &R) { return normal(R, 0.001); }, 0, 0.01, 50);
  EXPECT_LE(O.Runs, 8);
}

TEST(Stopping, OneLookIsTheRankSumTest) {
  // p = 2 / C(10, 5), 2 / C(8, 4): the smallest that 5 and 4 runs can have.
  const StoppingPlan Five({{5, 5}}), Four({{4, 4}});
  const std::vector<double> Low = {1, 2, 3, 4, 5}, High = {6, 7, 8, 9, 10};
  const RunsCompared C = Five.compare(0, Low, High);
  EXPECT_TRUE(C.Differs);
  EXPECT_NEAR(C.P, 2.0 / 252, 0.001);
  EXPECT_EQ(C.Shift, 5);
  EXPECT_FALSE(Four.compare(0, Low, High).Differs);
  // scipy.stats.mannwhitneyu(method="exact") of these: U = 3, p = 0.0556.
  const RunsCompared D = Five.compare(0, {1, 2, 3, 4, 8}, {5, 6, 7, 9, 10});
  EXPECT_FALSE(D.Differs);
  EXPECT_NEAR(D.P, 0.0556, 0.003);
  // Many runs: the normal approximation.
  const StoppingPlan Many({{40, 40}});
  std::vector<double> A, B;
  for (int I = 0; I < 40; ++I) {
    A.push_back(I);
    B.push_back(I + 12.5);
  }
  EXPECT_TRUE(Many.compare(0, A, B).Differs);
  EXPECT_FALSE(Many.compare(0, A, A).Differs);
  EXPECT_NEAR(Many.compare(0, A, A).P, 1, 1e-9);
}

TEST(Stopping, ASideMayBeStored) {
  const StoppingPlan Plan(looksAgainst(12, 20));
  std::vector<double> Base(12), New(20);
  for (size_t I = 0; I < 12; ++I)
    Base[I] = double(I);
  for (size_t I = 0; I < 20; ++I)
    New[I] = double(I) + 100;
  EXPECT_EQ(Plan.lookAt(12, 5), std::optional<size_t>(0));
  EXPECT_EQ(Plan.lookAt(12, 3), std::nullopt);
  EXPECT_TRUE(Plan.compare(1, Base, New).Differs);
}

TEST(Trials, SpreadIgnoresOutliers) {
  EXPECT_NEAR(spread({98, 99, 100, 101, 102}), 0.0148, 0.001);
  EXPECT_NEAR(spread({98, 99, 100, 101, 900}), 0.0148, 0.001);
}

TEST(Trials, RunsNeededFindTheChange) {
  const size_t Runs = runsNeeded(0.02, 0.03);
  const StoppingPlan Plan({{Runs, Runs}});
  std::mt19937_64 Random(3);
  int Found = 0;
  for (int I = 0; I < 200; ++I) {
    std::vector<double> A, B;
    for (size_t K = 0; K < Runs; ++K) {
      A.push_back(normal(Random, 0.02));
      B.push_back(normal(Random, 0.02) + std::log(1.03));
    }
    Found += Plan.compare(0, A, B).Differs;
  }
  EXPECT_GE(Found, 170);
}
