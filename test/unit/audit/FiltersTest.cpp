// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Filters.h"

#include <gtest/gtest.h>

using namespace autoprof::audit;

TEST(NameGlobs, TheLastGlobThatFitsDecides) {
  NameGlobs All("autoprof-*");
  EXPECT_TRUE(All.contains("autoprof-sync-in-loop"));
  EXPECT_FALSE(All.contains("bugprone-x"));
  NameGlobs Some("autoprof-*, -autoprof-copy-*\nautoprof-copy-synchronous");
  EXPECT_TRUE(Some.contains("autoprof-sync-in-loop"));
  EXPECT_FALSE(Some.contains("autoprof-copy-async-pageable"));
  EXPECT_TRUE(Some.contains("autoprof-copy-synchronous"));
  EXPECT_FALSE(NameGlobs("").contains("autoprof-sync-in-loop"));
  // A dot is a dot.
  EXPECT_FALSE(NameGlobs("autoprof.sync").contains("autoprof-sync"));
}

TEST(LineFilter, TakesLinesOfFilesByTheirEnds) {
  auto F = LineFilter::parse(
      R"([{"name": "a.cu", "lines": [[2, 3], [7, 7]]}, {"name": "b.h"}])");
  ASSERT_TRUE(bool(F)) << toString(F.takeError());
  EXPECT_TRUE(F->contains({"/x/a.cu", 2, 1, 0}));
  EXPECT_FALSE(F->contains({"/x/a.cu", 4, 1, 0}));
  EXPECT_TRUE(F->contains({"/x/a.cu", 7, 1, 0}));
  EXPECT_TRUE(F->contains({"/x/b.h", 99, 1, 0}));
  EXPECT_FALSE(F->contains({"/x/c.cu", 2, 1, 0}));
  EXPECT_TRUE(LineFilter().contains({"/x/c.cu", 2, 1, 0}));
}

TEST(LineFilter, SaysHowToWriteIt) {
  for (const char *Wrong :
       {"", "7", "[7]", "[{}]", R"([{"name": "a", "lines": [[1]]}])",
        R"([{"name": "a", "lines": [["x", 2]]}])"}) {
    auto F = LineFilter::parse(Wrong);
    ASSERT_FALSE(bool(F)) << Wrong;
    EXPECT_NE(toString(F.takeError()).find("write the line filter as"),
              std::string::npos);
  }
}
