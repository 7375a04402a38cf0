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
  EXPECT_EQ(rankName(R.All[0]), "0"); // By number.
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

TEST(Ranks, DoubtsAreSaid) {
  RankSummary A = rank(1, training(50'000), "a.pftrace"),
              B = rank(1, training(50'000), "b.pftrace");
  A.Info.Ranks = 4;
  Ranks R = compareRanks({A, B});
  ASSERT_EQ(R.Doubts.size(), 2u);
  EXPECT_EQ(R.Doubts[0], "Both a.pftrace and b.pftrace are from rank 1: are "
                         "they from the same run?");
  EXPECT_EQ(R.Doubts[1],
            "The run had 4 ranks; this report has 1. Missing: 0, 2, 3.");
  EXPECT_EQ(rankName(rank(std::nullopt, {}, "dir/x.pftrace")), "x.pftrace");
  EXPECT_TRUE(compareRanks({rank(0, {}), rank(1, {})}).Doubts.empty());
}

TEST(Ranks, SomeWithoutANumberMayBeOfDifferentRuns) {
  RankSummary A = rank(0, {}, "a.json"),
              B = rank(std::nullopt, {}, "b.pftrace"), C = rank(1, {});
  A.Info.Ranks = 128;
  Ranks R = compareRanks({A, B});
  EXPECT_TRUE(R.MayDiffer);
  ASSERT_EQ(R.Doubts.size(), 1u);
  EXPECT_TRUE(llvm::StringRef(R.Doubts[0])
                  .starts_with("Only 1 of these 2 recordings has a rank "
                               "number, so they may be from different runs."));
  // Nor do the ranks of a run disagree about its size.
  C.Info.Ranks = 8;
  R = compareRanks({A, C});
  ASSERT_EQ(R.Doubts.size(), 1u);
  EXPECT_TRUE(
      llvm::StringRef(R.Doubts[0])
          .starts_with("Some of these recordings are from a run with 8 ranks, "
                       "others from one with 128, so they may be"));
  C.Info.Ranks = 128;
  EXPECT_FALSE(compareRanks({A, C}).MayDiffer);
}

TEST(Ranks, TheFirstMissingRanksAreListed) {
  std::vector<RankSummary> All;
  for (int64_t Number : {0, 4, 5, 9}) {
    All.push_back(rank(Number, {}, std::to_string(Number)));
    All.back().Info.Ranks = 14;
  }
  EXPECT_EQ(compareRanks(All).Doubts[0],
            "The run had 14 ranks; this report has 4. Missing: 1, 2, 3, 6, 7, "
            "8, 10, 11, and others.");
}

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
