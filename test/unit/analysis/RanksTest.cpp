// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/Ranks.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

RunSummary rank(std::optional<int64_t> Number, const test::Training &P,
                const std::string &Path = "r.pftrace") {
  trace::Timeline T = test::simulateTraining(P);
  RunSummary S = summarise(Path, T, llvm::cantFail(analyse(T)));
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
  EXPECT_EQ(R.Steps[0].Number, R.All[0].R.Steps.WarmUp + 1);
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
  RunSummary A = rank(0, training(50'000)), B = rank(1, training(90'000));
  int64_t WaitA = *A.R.Sites[0].Wait, WaitB = *B.R.Sites[0].Wait;
  ASSERT_GT(WaitB, WaitA);
  uint64_t Count = A.R.Sites[0].Count + B.R.Sites[0].Count;
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
  RunSummary A = rank(0, training(50'000)), B = rank(1, training(50'000));
  for (SiteRow &Row : B.R.Sites)
    Row.Wait = Row.Exposed = std::nullopt;
  Ranks R = compareRanks({A, B});
  EXPECT_EQ(R.Sites[0].Wait, std::nullopt);
  EXPECT_EQ(R.Sites[0].MostWait, std::nullopt);
}

TEST(Ranks, NoneAtAll) { EXPECT_TRUE(compareRanks({}).Steps.empty()); }

TEST(Ranks, DoubtsAreSaid) {
  RunSummary A = rank(1, training(50'000), "a.pftrace"),
             B = rank(1, training(50'000), "b.pftrace");
  A.Info.Ranks = 4;
  Ranks R = compareRanks({A, B});
  ASSERT_EQ(R.Doubts.size(), 2u);
  EXPECT_EQ(R.Doubts[0], "Both a.pftrace and b.pftrace are of rank 1: are they "
                         "of one run?");
  EXPECT_EQ(R.Doubts[1], "The run had 4 ranks; here are 1.");
  EXPECT_EQ(rankName(rank(std::nullopt, {}, "dir/x.pftrace")), "x.pftrace");
  EXPECT_TRUE(compareRanks({rank(0, {}), rank(1, {})}).Doubts.empty());
}
