// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Ranks.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::report;

namespace {

RankSummary rank(std::optional<int64_t> Number, const std::string &Path,
                 std::optional<int64_t> Ranks = std::nullopt) {
  RankSummary S;
  S.Path = Path;
  S.Info.Rank = Number;
  S.Info.Ranks = Ranks;
  return S;
}

/// The one doubt begins like this.
void expectDoubt(const std::vector<RankSummary> &All, llvm::StringRef Start) {
  const std::vector<std::string> Doubts = rankDoubts(All);
  ASSERT_EQ(Doubts.size(), 1u);
  EXPECT_TRUE(llvm::StringRef(Doubts[0]).starts_with(Start)) << Doubts[0];
}

} // namespace

TEST(RankDoubts, NameTwoFilesOfOneRank) {
  const std::vector<std::string> Doubts =
      rankDoubts({rank(1, "a.pftrace", 4), rank(1, "b.pftrace")});
  ASSERT_EQ(Doubts.size(), 2u);
  EXPECT_EQ(Doubts[0], "Both a.pftrace and b.pftrace are from rank 1: are "
                       "they from the same run?");
  EXPECT_EQ(Doubts[1],
            "The run had 4 ranks; this report has 1. Missing: 0, 2, 3.");
  EXPECT_EQ(rankName(rank(std::nullopt, "dir/x.pftrace")), "x.pftrace");
  EXPECT_TRUE(rankDoubts({rank(0, "a"), rank(1, "b")}).empty());
}

TEST(RankDoubts, SomeWithoutANumberMayBeOfDifferentRuns) {
  expectDoubt({rank(0, "a.json", 128), rank(std::nullopt, "b.pftrace")},
              "Only 1 of these 2 recordings has a rank number, so they may be "
              "from different runs.");
  // Nor do the ranks of a run disagree about its size.
  expectDoubt({rank(0, "a", 128), rank(1, "b", 8)},
              "Some of these recordings are from a run with 8 ranks, others "
              "from one with 128, so they may be");
}

TEST(RankDoubts, ListTheFirstMissingRanks) {
  std::vector<RankSummary> All;
  for (int64_t Number : {0, 4, 5, 9})
    All.push_back(rank(Number, std::to_string(Number), 14));
  expectDoubt(All, "The run had 14 ranks; this report has 4. Missing: 1, 2, 3, "
                   "6, 7, 8, 10, 11, and others.");
}
