// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "analysis/comparison/Baseline.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

RunSummary run(const test::Training &P) {
  trace::Timeline T = test::simulateTraining(P);
  return summarise("t.pftrace", T, llvm::cantFail(analyse(T)));
}

CheckResult outcome(const Baseline &B, std::vector<RunSummary> New,
                    const CheckLimits &Limits = {}) {
  return llvm::cantFail(analysis::check(B, New, Limits));
}

/// The printing site's.
BaselineSite &copyOf(Baseline &B) {
  for (BaselineSite &S : B.Sites)
    if (S.Call == "cudaMemcpy")
      return S;
  llvm_unreachable("no copy");
}

} // namespace

TEST(Baseline, HoldsWhatWaitsAndItsNeighbours) {
  Baseline B = makeBaseline({run({})});
  EXPECT_EQ(B.Device, "Simulated GPU");
  EXPECT_EQ(B.StepMedians.size(), 1u);
  size_t Waiting = 0;
  for (const BaselineSite &S : B.Sites)
    Waiting += !S.Wait.empty();
  EXPECT_EQ(Waiting, 1u);
  EXPECT_GT(B.Sites.size(), 3u);
  EXPECT_FALSE(copyOf(B).Wait.empty());
}

TEST(Baseline, AStallThatGrewFailsBeyondTheLimitOnly) {
  RunSummary New = run({});
  Baseline B = makeBaseline({New});
  EXPECT_TRUE(outcome(B, {New}).Failures.empty());
  const int64_t Stall = copyOf(B).Exposed[0], Step = B.StepMedians[0];
  ASSERT_GT(Stall, 0);
  copyOf(B).Exposed = {0};
  CheckResult R = outcome(B, {New});
  ASSERT_EQ(R.Failures.size(), 1u);
  EXPECT_EQ(R.Failures[0].Rule, CheckRule::MoreStall);
  EXPECT_EQ(R.Failures[0].Place.Line, 88u);
  EXPECT_EQ(R.Failures[0].New, Stall);
  CheckLimits Limits;
  Limits.MoreStall = 1.01 * double(Stall) / double(Step);
  EXPECT_TRUE(outcome(B, {New}, Limits).Failures.empty());
}

TEST(Baseline, AStallThatGrewByLessThanTheStepShrankIsReportedOnly) {
  RunSummary New = run({});
  Baseline B = makeBaseline({New});
  const int64_t Stall = copyOf(B).Exposed[0], Step = B.StepMedians[0];
  copyOf(B).Exposed = {0};
  B.RunsVary = 0;
  B.StepMedians = {Step + 2 * Stall};
  CheckResult R = outcome(B, {New});
  EXPECT_TRUE(R.Passed);
  ASSERT_EQ(R.Outweighed.size(), 1u);
  EXPECT_EQ(R.Outweighed[0].Rule, CheckRule::MoreStall);
  // The steps are shorter by less than that, or perhaps by chance.
  B.StepMedians = {Step + Stall / 2};
  EXPECT_FALSE(outcome(B, {New}).Passed);
  B.StepMedians = {Step + 2 * Stall};
  B.Noise = {1, 22};
  EXPECT_TRUE(outcome(B, {New}).Outweighed.empty());
}

TEST(Baseline, WithOneRunASideKnownVariationIsNotEnough) {
  test::Training P;
  RunSummary New = run(P);
  Baseline B = makeBaseline({New});
  B.StepMedians[0] = int64_t(double(B.StepMedians[0]) / 1.08);
  B.RunsVary = 0.1; // 8 % slower, and runs differ by 10.
  CheckResult R = outcome(B, {New});
  EXPECT_TRUE(R.Failures.empty());
  ASSERT_EQ(R.Doubtful.size(), 1u);
  EXPECT_EQ(R.Doubtful[0].Rule, CheckRule::Slowdown);
  EXPECT_EQ(R.RunsVary, 0.1);
  B.RunsVary = 0;
  EXPECT_EQ(outcome(B, {New}).Failures.size(), 1u);
}

TEST(Baseline, WhatOtherRunsVaryMakesSingleRunsComparable) {
  RunSummary New = run({});
  Baseline B = makeBaseline({New});
  B.RunsVary = 0.4;
  B.StepMedians[0] = int64_t(double(B.StepMedians[0]) / 1.2);
  EXPECT_EQ(outcome(B, {New}).Doubtful.size(), 1u);
  EXPECT_FALSE(outcome(B, {New}).Power);
  // Given now, or stored in the baseline.
  const RunSpread Quiet{0.02, 22}, Loud{0.1, 22};
  CheckResult R = llvm::cantFail(analysis::check(B, {New}, {}, Quiet));
  ASSERT_EQ(R.Failures.size(), 1u);
  EXPECT_LT(*R.Failures[0].P, 0.005);
  B.Noise = Loud;
  R = outcome(B, {New});
  EXPECT_TRUE(R.Failures.empty());
  EXPECT_TRUE(R.Passed);
  ASSERT_EQ(R.Doubtful.size(), 1u);
  ASSERT_TRUE(R.Power);
  EXPECT_GT(R.Power->Visible, 0.2);
  EXPECT_GT(R.Power->RunsNeeded.value_or(0), 20u);
  CheckLimits Strict;
  Strict.Strict = true;
  EXPECT_FALSE(outcome(B, {New}, Strict).Passed);
}

TEST(Baseline, ALossOfTwentyPercentDoesNotPassInSilence) {
  auto Runs = [](int64_t Kernel, double Vary) {
    std::vector<RunSummary> Result;
    for (double Factor : {1.0, 1 + Vary, 1 + 2 * Vary}) {
      test::Training P;
      P.KernelNs = int64_t(double(Kernel) * Factor);
      Result.push_back(run(P));
    }
    return Result;
  };
  for (double Vary : {0.0, 0.01, 0.03}) {
    const CheckResult R =
        outcome(makeBaseline(Runs(50'000, Vary)), Runs(60'000, Vary));
    ASSERT_EQ(R.Failures.size(), 1u) << Vary;
    EXPECT_EQ(R.Failures[0].Rule, CheckRule::Slowdown);
  }
  const CheckResult R =
      outcome(makeBaseline(Runs(50'000, 0.15)), Runs(60'000, 0.15));
  EXPECT_TRUE(R.Failures.empty());
  ASSERT_EQ(R.Doubtful.size(), 1u);
  EXPECT_TRUE(R.Power->RunsNeeded);
}

TEST(Baseline, OfSeveralRunsMostMustWaitAtANewSite) {
  test::Training Print, Deferred;
  Deferred.Print = false;
  Baseline B = makeBaseline({run(Deferred), run(Deferred), run(Deferred)});
  CheckLimits Limits;
  Limits.Slowdown = 10;
  auto News = [&](const CheckResult &R) {
    return llvm::count_if(R.Failures, [](const CheckFinding &F) {
      return F.Rule == CheckRule::NewWait;
    });
  };
  EXPECT_EQ(
      News(outcome(B, {run(Print), run(Deferred), run(Deferred)}, Limits)), 0);
  EXPECT_EQ(News(outcome(B, {run(Print), run(Print), run(Deferred)}, Limits)),
            1);
}

TEST(Baseline, OneRankThatWaitsIsEnough) {
  auto Rank = [](int64_t Number, bool Print) {
    test::Training P;
    P.Print = Print;
    RunSummary S = run(P);
    S.Info.Rank = Number;
    S.Info.Ranks = 3;
    return S;
  };
  Baseline B = makeBaseline({Rank(0, false), Rank(1, false), Rank(2, false)});
  EXPECT_EQ(B.StepMedians.size(), 1u);
  CheckResult R = outcome(B, {Rank(1, false), Rank(0, true), Rank(2, false)});
  EXPECT_EQ(R.NewRuns, 1u);
  ASSERT_FALSE(R.Failures.empty());
  EXPECT_EQ(R.Failures[0].Rule, CheckRule::NewWait);
}

TEST(Baseline, UnusableRecordingsAreNamed) {
  test::Training P;
  P.Steps = 5;
  EXPECT_EQ(llvm::toString(checkUsable(run(P))),
            "t.pftrace has 4 steps after the warm-up, which is too few; record "
            "at least "
            "8");
  RunSummary S = run({});
  S.R.WaitsKnown = false;
  EXPECT_EQ(llvm::toString(checkUsable(S)),
            "t.pftrace has no GPU work, so its waits are unknown; record it "
            "with 'autoprof run --mode=full'");
}

TEST(Baseline, KnowsStepsFoundByRepetition) {
  auto Unmarked = [](int64_t Ns) {
    test::Simulator S;
    const uint32_t Null = S.stream(7, trace::StreamFlag::Null);
    const uint32_t Read = S.site(2, "copy", 20, "cudaMemcpy");
    for (int I = 0; I < 30; ++I) {
      for (const char *Kernel : {"a", "b", "c", "d", "e", "f", "g", "h"})
        S.launch(Null, Ns, Kernel);
      S.enter(trace::HostKind::Site, Read);
      S.readBack(Null);
      S.leave();
      S.work(50'000);
    }
    const trace::Timeline T = S.finish();
    return summarise("t.pftrace", T, llvm::cantFail(analyse(T)));
  };
  const RunSummary New = Unmarked(20'000);
  ASSERT_EQ(New.R.Steps.From, StepsFrom::Repetition);
  const Baseline B = makeBaseline({New});
  EXPECT_TRUE(outcome(B, {New}).Failures.empty());
  EXPECT_EQ(stepSiteIn(B, trace::Timeline()), New.R.Steps.Site);
  EXPECT_FALSE(outcome(B, {Unmarked(40'000)}).Failures.empty());
  // A program with a range of its own has other steps.
  llvm::Expected<CheckResult> Other = analysis::check(B, {run({})}, {});
  EXPECT_FALSE(Other);
  llvm::consumeError(Other.takeError());
}
