// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over spans of time.
#include "analysis/common/Windows.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Window;

TEST(Overlap, OfWindowsThatAreDisjoint) {
  const std::vector<Window> All{{0, 10}, {20, 30}, {40, 50}};
  EXPECT_EQ(overlap(All, 0, 50), 30);
  EXPECT_EQ(overlap(All, 10, 20), 0);
  EXPECT_EQ(overlap(All, 25, 45), 10);
  EXPECT_EQ(overlap(All, 60, 70), 0);
  EXPECT_EQ(overlap(std::vector<Window>(), 0, 10), 0);
}

TEST(Overlap, WindowsThatTouchAreJoined) {
  std::vector<Window> All;
  for (const Window &W :
       {Window{0, 10}, Window{2, 5}, Window{10, 12}, Window{20, 21}})
    append(All, W);
  ASSERT_EQ(All.size(), 2u);
  EXPECT_EQ(All[0].End, 12);
  EXPECT_EQ(overlap(All, 0, 100), 13);
}
