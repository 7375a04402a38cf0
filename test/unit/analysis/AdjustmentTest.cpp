// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Series of simulated runs whose processes differ in what a launch costs: what
// is claimed where nothing differs, and how much more is found where it does.
#include "analysis/comparison/Adjustment.h"
#include "analysis/comparison/Trials.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace autoprof::analysis;

namespace {

using Random = std::mt19937_64;
using Draw = std::function<double(Random &)>;

double normal(Random &R, double Sd) {
  return std::normal_distribution<double>(0, Sd)(R);
}

/// What launches cost varies by 12 %, and runs by 6 %, as on an H200 machine.
/// `Explained` of the variance of runs is that of launches.
struct Machine {
  double Explained;
  Draw Noise = [](Random &R) { return normal(R, 1); };
  Draw Cost = [](Random &R) { return normal(R, 1); };

  CovariateRun run(Random &R, double Change) const {
    const double C = Cost(R);
    return {0.06 * (std::sqrt(Explained) * C +
                    std::sqrt(1 - Explained) * Noise(R)) +
                std::log1p(Change),
            0.12 * C};
  }
};

struct Outcome {
  double Claims = 0, UnadjustedClaims = 0; ///< Shares of the series.
  double Covered = 0; ///< Intervals that hold the true change, at the end.
};

/// Each way stops at its first claim, as compare does.
Outcome simulate(const Machine &M, double Change, int Series) {
  constexpr size_t Most = 20;
  const StoppingPlan Plan(alternatingLooks(Most));
  Random R(11);
  Outcome O;
  for (int S = 0; S < Series; ++S) {
    std::vector<CovariateRun> Base, New;
    std::vector<double> BaseValues, NewValues;
    for (size_t I = 0; I < Most; ++I) {
      Base.push_back(M.run(R, 0));
      New.push_back(M.run(R, Change));
      BaseValues.push_back(Base.back().Value);
      NewValues.push_back(New.back().Value);
    }
    RunsCompared Adjusted, Plain;
    for (size_t L = 0; L < Plan.looks().size() && !Adjusted.Differs; ++L)
      Adjusted = compareAdjusted(Plan, L, Base, New).Compared;
    for (size_t L = 0; L < Plan.looks().size() && !Plain.Differs; ++L)
      Plain = Plan.compare(L, BaseValues, NewValues);
    O.Claims += Adjusted.Differs;
    O.UnadjustedClaims += Plain.Differs;
    O.Covered += Adjusted.Range->Low <= std::log1p(Change) &&
                 std::log1p(Change) <= Adjusted.Range->High;
  }
  O.Claims /= Series;
  O.UnadjustedClaims /= Series;
  O.Covered /= Series;
  return O;
}

double heavyTail(Random &R) {
  return 0.4 * std::student_t_distribution<double>(2)(R);
}
double twoKinds(Random &R) { return (R() % 2 ? 0.9 : -0.9) + normal(R, 0.3); }

/// Runs that alternate; their times follow the cost of a launch with `Slope`.
Trials machineRuns(size_t Count, double Slope, double NewTime, double NewCost) {
  Trials T;
  T.MostRuns = Count;
  Random R(3);
  for (size_t I = 0; I < 2 * Count; ++I) {
    Trial One;
    One.IsNew = I % 4 == 1 || I % 4 == 2;
    const double Cost = normal(R, 0.1);
    One.LaunchCost =
        std::llround(3500 * std::exp(Cost) * (One.IsNew ? NewCost : 1));
    One.Time = std::llround(281000 * std::exp(Slope * Cost + normal(R, 0.01)) *
                            (One.IsNew ? NewTime : 1));
    T.Runs.push_back(One);
  }
  return T;
}

} // namespace

// 500 series: with an error of 1 %, more than 2.5 % come in 1 of 500 tests.
TEST(Adjustment, ClaimsNothingWhereNothingChanged) {
  for (const Machine &M :
       {Machine{0}, Machine{0.93}, Machine{0.87, heavyTail, twoKinds},
        Machine{0.61, twoKinds, heavyTail}}) {
    const Outcome O = simulate(M, 0, 500);
    EXPECT_LE(O.Claims, 0.025);
    EXPECT_GE(O.Covered, 0.92);
  }
}

TEST(Adjustment, FindsMoreWhereLaunchesExplainRuns) {
  const Outcome Half = simulate({0.61}, 0.03, 200),
                Most = simulate({0.93}, 0.03, 200);
  EXPECT_GE(Half.Claims, Half.UnadjustedClaims + 0.1);
  EXPECT_GE(Half.Covered, 0.92);
  EXPECT_GE(Most.Claims, 0.95);
  EXPECT_LE(Most.UnadjustedClaims, 0.3);
  EXPECT_GE(Most.Covered, 0.92);
}

TEST(Adjustment, LosesLittleWhereTheyDoNot) {
  const Outcome O = simulate({0}, 0.06, 200);
  EXPECT_GE(O.Claims, O.UnadjustedClaims - 0.06);
}

TEST(Adjustment, KnowsCovariatesThatDiffer) {
  const std::vector<double> Low = {0.00, 0.01, 0.02, 0.03, 0.04, 0.05},
                            High = {0.40, 0.41, 0.42, 0.43, 0.44, 0.45};
  EXPECT_TRUE(differBeyondChance(Low, High));
  EXPECT_TRUE(differBeyondChance(High, Low));
  EXPECT_FALSE(differBeyondChance(Low, Low));
  // Apart, but near; and too few to be sure.
  EXPECT_FALSE(differBeyondChance(Low, {0.06, 0.07, 0.08, 0.09, 0.10, 0.11}));
  std::vector<double> Many, Shifted;
  for (int I = 0; I < 20; ++I) {
    Many.push_back(0.01 * I);
    Shifted.push_back(0.01 * I + 0.15);
  }
  EXPECT_TRUE(differBeyondChance(Many, Shifted));
}

TEST(Trials, AreAdjustedForLaunches) {
  Trials T = machineRuns(12, 0.8, 1.03, 1);
  const StoppingPlan Plan(T.looks());
  std::optional<TrialsJudged> J = judge(T, Plan);
  ASSERT_TRUE(J && J->Launch);
  EXPECT_TRUE(J->isAdjusted());
  EXPECT_TRUE(J->Differs);
  EXPECT_FALSE(J->Unadjusted.Differs);
  EXPECT_NEAR(J->Change, 0.03, 0.01);
  EXPECT_NEAR(double(J->NewTime) / double(J->BaseTime), 1.03, 0.015);
  EXPECT_NEAR(J->Launch->Slope, 0.8, 0.1);
  EXPECT_GE(J->Launch->Explained, 0.8);
  EXPECT_LE(*adjustedSpread(T), 0.03);

  T.New.Environment["CUDA_MODULE_LOADING"] = "EAGER";
  J = judge(T, Plan);
  EXPECT_EQ(J->Launch->Obstacle, LaunchAdjustment::Objection::Environments);
  EXPECT_FALSE(J->Differs);
  EXPECT_EQ(J->BaseTime, J->Unadjusted.BaseTime);

  // Not known of one run.
  T.Runs[5].LaunchCost.reset();
  J = judge(T, Plan);
  EXPECT_FALSE(J->Launch);
  EXPECT_EQ(adjustedSpread(T), std::nullopt);
}

TEST(Trials, AProgramThatMakesLaunchesDearerIsNotExcused) {
  const Trials T = machineRuns(8, 0.8, 1.6, 1.8);
  const std::optional<TrialsJudged> J = judge(T, StoppingPlan(T.looks()));
  ASSERT_TRUE(J && J->Launch);
  EXPECT_EQ(J->Launch->Obstacle, LaunchAdjustment::Objection::Cost);
  EXPECT_TRUE(J->Differs);
  EXPECT_NEAR(J->Change, 0.6, 0.2);
}
