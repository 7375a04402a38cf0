// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Selection.h"

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
