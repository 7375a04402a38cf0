// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/ranks/Ranks.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

RankSummary rank(std::optional<int64_t> Number, const test::Training &P,
                 const std::string &Path = "r.pftrace") {
  trace::Timeline T = test::simulateTraining(P);
  RankSummary S = summariseRank(Path, T, llvm::cantFail(analyse(T)), {});
  S.Info.Rank = Number;
  return S;
}

test::Training training(int64_t KernelNs) {
  test::Training P;
  P.KernelNs = KernelNs;
  return P;
}

} // namespace

TEST(Ranks, TheSlowestRankOfEachStepIsNamed) {
  Ranks R = compareRanks({rank(2, training(50'000)), rank(0, training(60'000)),
                          rank(1, training(50'000))});
  ASSERT_EQ(R.All.size(), 3u);
  EXPECT_EQ(R.All[0].Info.Rank, 0); // By number.
  ASSERT_FALSE(R.Steps.empty());
  EXPECT_EQ(R.SlowestIn[0], R.Steps.size());
  EXPECT_EQ(R.SlowestIn[1] + R.SlowestIn[2], 0u);
  EXPECT_EQ(R.Steps[0].Number, R.All[0].Steps.WarmUp + 1);
  EXPECT_GT(R.Steps[0].Time, R.Steps[0].Median);
  EXPECT_EQ(R.Steps[0].Median, R.Steps[0].Fastest);
  EXPECT_NEAR(R.lag(), 0.19, 0.03); // 20 kernels of 60 against 50 us.
}

TEST(Ranks, StepsOfDifferentLengthsAreComparedAsFarAsBothGo) {
  test::Training Short = training(50'000);
  Short.Steps = 10;
  Ranks R = compareRanks({rank(0, training(50'000)), rank(1, Short)});
  ASSERT_FALSE(R.Steps.empty());
  EXPECT_EQ(R.Steps.back().Number, 10u);
}

TEST(Ranks, SitesAreSummedWithTheirSpread) {
  RankSummary A = rank(0, training(50'000)), B = rank(1, training(90'000));
  int64_t WaitA = *A.Sites[0].Wait, WaitB = *B.Sites[0].Wait;
  ASSERT_GT(WaitB, WaitA);
  uint64_t Count = A.Sites[0].Count + B.Sites[0].Count;
  Ranks R = compareRanks({A, B});
  ASSERT_FALSE(R.Sites.empty());
  const RankSite &S = R.Sites[0];
  EXPECT_EQ(S.Call, "cudaMemcpy");
  EXPECT_EQ(S.Place.Line, 88u);
  EXPECT_EQ(S.Ranks, 2u);
  EXPECT_EQ(S.Count, Count);
  EXPECT_EQ(S.Wait, WaitA + WaitB);
  EXPECT_EQ(S.LeastWait, WaitA);
  EXPECT_EQ(S.MostWait, WaitB);
  EXPECT_EQ(S.MostWaiting, 1u);
}

TEST(Ranks, ASiteThatOneRankNeverReachesHasNoWaitThere) {
  test::Training Quiet = training(50'000);
  Quiet.Print = false;
  Ranks R = compareRanks({rank(0, training(50'000)), rank(1, Quiet)});
  const RankSite *Copy = nullptr;
  for (const RankSite &S : R.Sites)
    if (S.Call == "cudaMemcpy")
      Copy = &S;
  ASSERT_TRUE(Copy);
  EXPECT_EQ(Copy->Ranks, 1u);
  EXPECT_EQ(Copy->LeastWait, 0);
  EXPECT_EQ(Copy->MostWaiting, 0u);
}

TEST(Ranks, WaitsThatOneRankDoesNotKnowAreUnknown) {
  RankSummary A = rank(0, training(50'000)), B = rank(1, training(50'000));
  for (RankSiteRow &Row : B.Sites)
    Row.Wait = Row.Exposed = std::nullopt;
  Ranks R = compareRanks({A, B});
  EXPECT_EQ(R.Sites[0].Wait, std::nullopt);
  EXPECT_EQ(R.Sites[0].MostWait, std::nullopt);
}

TEST(Ranks, NoneAtAll) { EXPECT_TRUE(compareRanks({}).Steps.empty()); }

TEST(Ranks, StepsThatAllHaveAreCompared) {
  RankSummary A = rank(0, training(50'000)), B = rank(1, training(60'000));
  ASSERT_EQ(A.Steps.First, 3u);
  A.Steps.First = 5;
  A.Steps.Times.erase(A.Steps.Times.begin(), A.Steps.Times.begin() + 2);
  Ranks R = compareRanks({A, B});
  ASSERT_EQ(R.Steps.size(), A.Steps.Times.size());
  EXPECT_EQ(R.Steps[1].Number, 6u);
  EXPECT_EQ(R.Steps[1].Fastest, A.Steps.Times[1]);
  EXPECT_EQ(R.Steps[1].Time, B.Steps.Times[3]);
  EXPECT_EQ(R.SlowestIn[1], R.Steps.size());
}

TEST(Ranks, OneThatIsFarFromTheOthersStandsOut) {
  std::vector<RankSummary> All;
  for (int64_t Number = 0; Number < 6; ++Number)
    All.push_back(rank(Number, training(Number == 4 ? 80'000 : 50'000)));
  Ranks R = compareRanks(All);
  ASSERT_FALSE(R.Outliers.empty());
  for (const Outlier &O : R.Outliers)
    EXPECT_EQ(O.Rank, 4u);
  auto Time = llvm::find_if(
      R.Outliers, [](const Outlier &O) { return O.Kind == Measure::StepTime; });
  ASSERT_NE(Time, R.Outliers.end());
  EXPECT_EQ(Time->Value, R.All[4].Steps.Median);
  EXPECT_EQ(Time->Median, R.All[0].Steps.Median);
  EXPECT_GT(Time->Z, 3.5);
  // Of four, nobody knows which are the odd ones.
  All.resize(4);
  EXPECT_TRUE(compareRanks(All).Outliers.empty());
}
