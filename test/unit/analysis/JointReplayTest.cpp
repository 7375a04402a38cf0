// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The joint replay against jobs that can really leave the wait out.
#include "Job.h"

#include "analysis/common/Statistics.h"
#include "analysis/ranks/Together.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

struct Recordings {
  std::vector<Timeline> Timelines;
  std::vector<Result> Results;
  std::vector<RankRecording> All;

  explicit Recordings(std::vector<Timeline> Given)
      : Timelines(std::move(Given)) {
    for (const Timeline &T : Timelines)
      Results.push_back(llvm::cantFail(analyse(T)));
    for (size_t I = 0; I < Timelines.size(); ++I)
      All.push_back({Timelines[I], Results[I]});
  }
};

Together replayed(const test::Job &J) {
  Recordings R(test::simulateJob(J));
  std::optional<Together> Found = replayTogether(R.All);
  EXPECT_TRUE(Found.has_value());
  return Found ? *Found : Together();
}

int64_t medianStep(const test::Job &J, int Dropped) {
  Recordings R(test::simulateJob(J, Dropped));
  return median(R.Results[0].Steps.times());
}

/// What really is saved per step.
int64_t truth(const test::Job &J, int Dropped) {
  return medianStep(J, -1) - medianStep(J, Dropped);
}

void expectAround(const PlanAnswer &G, int64_t Truth) {
  constexpr int64_t Slack = 3'000; // A pause, and the way back of a call.
  EXPECT_LE(G.Saved.Low, Truth + Slack);
  EXPECT_GE(G.Saved.High, Truth - Slack);
  // And the interval says something.
  EXPECT_LE(G.Saved.High - G.Saved.Low, 10'000);
}

/// Rank 1 reads the loss in every step and then prints for 100 us.
test::Job oneReads() {
  test::Job J;
  J.Ranks.resize(2);
  J.Ranks[1].Reads = true;
  return J;
}

} // namespace

TEST(JointReplay, ARanksWaitCostsTheJobWhatTheOthersWait) {
  const Together Found = replayed(oneReads());
  EXPECT_EQ(Found.Obstacle, "");
  EXPECT_EQ(Found.Collectives, 40u);
  ASSERT_EQ(Found.Sites.size(), 1u);
  const TogetherSite &Site = Found.Sites[0];
  EXPECT_EQ(Site.Place.Line, 88u);
  EXPECT_EQ(Site.Ranks, 1u);
  EXPECT_EQ(Site.Rank, 1);
  const int64_t Truth = truth(oneReads(), 1);
  EXPECT_GT(Truth, 100'000);
  expectAround(Site.OnAll, Truth);
}

TEST(JointReplay, ASlowerRankHidesTheGain) {
  test::Job J = oneReads();
  J.Ranks[0].KernelNs += 13'000; // 130 us per step.
  const Together Found = replayed(J);
  ASSERT_EQ(Found.Sites.size(), 1u);
  EXPECT_EQ(truth(J, 1), 0);
  EXPECT_EQ(Found.Sites[0].OnAll.Saved.High, 0);
}

TEST(JointReplay, ClocksOfRanksMayDiffer) {
  test::Job J = oneReads();
  J.Ranks[0].ClockNs = 5'000'000;
  const Together Found = replayed(J);
  EXPECT_EQ(Found.Obstacle, "");
  ASSERT_EQ(Found.Sites.size(), 1u);
  expectAround(Found.Sites[0].OnAll, truth(oneReads(), 1));
}

TEST(JointReplay, AWaitOnAllRanksIsGoneOnlyWhenItIsGoneOnAll) {
  test::Job J = oneReads();
  J.Ranks[0].Reads = true;
  J.Ranks[0].PrintNs = 60'000;
  const Together Found = replayed(J);
  ASSERT_EQ(Found.Sites.size(), 1u);
  const TogetherSite &Site = Found.Sites[0];
  EXPECT_EQ(Site.Ranks, 2u);
  EXPECT_EQ(Site.Rank, 1);
  const int64_t OnAll = truth(J, 2);
  EXPECT_GT(OnAll, truth(J, 1) + 50'000);
  expectAround(Site.OnAll, OnAll);
}

TEST(JointReplay, TheSecondOfTwoReadsWaitsForTheFirst) {
  test::Job J = oneReads();
  J.Ranks[1].ReadsAgain = true;
  const Together Found = replayed(J);
  ASSERT_FALSE(Found.Sites.empty());
  EXPECT_LT(Found.Sites[0].OnAll.middle(), 50'000);
  ASSERT_TRUE(Found.WithoutWaits);
  EXPECT_GT(Found.WithoutWaits->middle(), 100'000);
}

TEST(JointReplay, ThreeRanks) {
  test::Job J = oneReads();
  J.Ranks.push_back({});
  J.Ranks[2].KernelNs += 5'000; // Half of the gain is left.
  const Together Found = replayed(J);
  ASSERT_EQ(Found.Sites.size(), 1u);
  const int64_t Truth = truth(J, 1);
  EXPECT_GT(Truth, 50'000);
  EXPECT_LT(Truth, 80'000);
  expectAround(Found.Sites[0].OnAll, Truth);
}

TEST(JointReplay, UnrecordedGains) {
  Recordings R(test::simulateJob(oneReads()));
  const std::optional<Together> Found = replayTogether(R.All);
  ASSERT_TRUE(Found && Found->Sites.size() == 1);
  const std::optional<Estimate> &E = Found->Sites[0].OnAll.Unrecorded;
  ASSERT_TRUE(E.has_value());
  EXPECT_NEAR(double(E->Middle), double(truth(oneReads(), 1)), 12'000);
  EXPECT_LT(E->Low, E->Middle);
}

TEST(JointReplay, RefusesWhatDoesNotMatch) {
  test::Job Shorter = oneReads();
  Shorter.Steps = 39;
  std::vector<Timeline> Given = test::simulateJob(oneReads());
  Given[1] = std::move(test::simulateJob(Shorter)[1]);
  Recordings R(std::move(Given));
  for (Result &One : R.Results) { // Else the numbers of steps differ.
    One.InSteps.reset();
    One.Steps = {};
  }
  EXPECT_EQ(replayTogether(R.All)->Obstacle,
            "their numbers of collectives differ (40 and 39)");
}

TEST(JointReplay, RefusesTracesOfDifferentRuns) {
  // The same number of collectives, at other times.
  test::Job Slow = oneReads();
  Slow.Ranks[1].PrintNs = 400'000;
  std::vector<Timeline> Given = test::simulateJob(oneReads());
  Given[1] = std::move(test::simulateJob(Slow)[1]);
  Recordings R(std::move(Given));
  EXPECT_NE(replayTogether(R.All)->Obstacle.find("different runs"),
            std::string::npos);
}

TEST(JointReplay, NeedsAllRanks) {
  Recordings R(test::simulateJob(oneReads()));
  R.Timelines[0].Info.Ranks = R.Timelines[1].Info.Ranks = 4;
  EXPECT_EQ(replayTogether(R.All)->Obstacle,
            "the run had 4 ranks, and the traces of all are needed");
  R.Timelines[0].Info.Ranks = R.Timelines[1].Info.Ranks = 2;
  R.Timelines[0].Info.Rank = 1;
  EXPECT_EQ(replayTogether(R.All)->Obstacle, "two traces are of the same rank");
}

TEST(JointReplay, WithoutCollectivesThereIsNothingToReplay) {
  test::Training P;
  std::vector<Timeline> Given;
  Given.reserve(2);
  Given.push_back(test::simulateTraining(P));
  Given.push_back(test::simulateTraining(P));
  Recordings R(std::move(Given));
  EXPECT_FALSE(replayTogether(R.All).has_value());
}

TEST(JointReplay, WaitsInCollectives) {
  // Rank 0 waits while rank 1 reads and prints; rank 2, a little less.
  test::Job J = oneReads();
  J.Ranks.push_back({});
  J.Ranks[2].KernelNs += 5'000;
  const std::vector<CollectiveWait> Waits = replayed(J).Waits;
  ASSERT_EQ(Waits.size(), 3u);
  EXPECT_GT(Waits[0].Time, 100'000);
  EXPECT_EQ(Waits[0].Last, 1);
  EXPECT_EQ(Waits[0].LastTime, Waits[0].Time);
  EXPECT_EQ(Waits[1].Time, 0);
  EXPECT_LT(Waits[2].Time, Waits[0].Time - 40'000);
  EXPECT_GT(Waits[2].Time, 40'000);
}
