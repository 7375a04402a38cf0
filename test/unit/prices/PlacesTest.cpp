// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prices/Places.h"

#include <gtest/gtest.h>

using namespace autoprof::prices;

namespace {

Place place(uint64_t Id, std::string File, unsigned Line, unsigned Column,
            std::string Call = "cudaMemcpy") {
  return {Id, std::move(File), Line, Column, "train", std::move(Call)};
}

} // namespace

TEST(Places, IdsAreSixteenDigits) {
  EXPECT_EQ(parseId("0x00000000000000ff"), 0xFFu);
  for (const char *Wrong :
       {"", "0xff", "00000000000000ff", "0x00000000000000fg"})
    EXPECT_EQ(parseId(Wrong), 0u) << Wrong;
}

TEST(Places, FilesAreTheSameUpToTheRoot) {
  EXPECT_TRUE(mayBeSameFile("src/a.cu", "src/a.cu"));
  EXPECT_TRUE(mayBeSameFile("/home/x/src/a.cu", "src/a.cu"));
  EXPECT_TRUE(mayBeSameFile("a.cu", "src/a.cu"));
  EXPECT_FALSE(mayBeSameFile("data.cu", "a.cu"));
  EXPECT_FALSE(mayBeSameFile("src/a.cu", "lib/a.cu"));
  EXPECT_FALSE(mayBeSameFile("", "a.cu"));
}

TEST(Places, TheIdDecidesWhereverTheCallIsNow) {
  const std::vector<Place> Audited{place(1, "a.cu", 10, 3),
                                   place(2, "a.cu", 20, 3)};
  const PlaceIndex Index(Audited);
  const std::optional<Match> Found = Index.find(place(2, "a.cu", 10, 3));
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Index, 1u);
  EXPECT_FALSE(Found->ByPlace);
}

TEST(Places, WithoutAnIdTheOnlyCallOfTheLineFits) {
  const std::vector<Place> Audited{
      place(1, "src/a.cu", 10, 3), place(2, "src/a.cu", 10, 30, "cudaFree"),
      place(3, "src/a.cu", 20, 3), place(4, "src/a.cu", 20, 40)};
  const PlaceIndex Index(Audited);
  std::optional<Match> Found = Index.find(place(0, "/x/src/a.cu", 10, 0));
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Index, 0u);
  EXPECT_TRUE(Found->ByPlace);
  // Two calls on one line are none.
  unsigned Candidates = 0;
  EXPECT_FALSE(Index.find(place(0, "src/a.cu", 20, 0), &Candidates));
  EXPECT_EQ(Candidates, 2u);
  EXPECT_FALSE(Index.find(place(0, "src/a.cu", 11, 0), &Candidates));
  EXPECT_EQ(Candidates, 0u);
  EXPECT_FALSE(Index.find(place(0, "", 0, 0)));
}

TEST(Places, AMacrosArgumentIsOneCall) {
  const std::vector<Place> Audited{place(1, "a.cu", 10, 3),
                                   place(1, "a.cu", 10, 3)};
  EXPECT_TRUE(PlaceIndex(Audited).find(place(0, "a.cu", 10, 0)));
}

TEST(Places, ACallWithAnUnknownIdIsInTheSameFunction) {
  const std::vector<Place> Audited{place(1, "a.cu", 10, 3)};
  const PlaceIndex Index(Audited);
  Place Recorded = place(7, "b/a.cu", 10, 3);
  EXPECT_TRUE(Index.find(Recorded));
  Recorded.Function = "test";
  EXPECT_FALSE(Index.find(Recorded));
}
