// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Statistics.h"

#include <gtest/gtest.h>

using namespace autoprof::analysis;

TEST(Statistics, QuantilesInterpolate) {
  EXPECT_EQ(quantile({}, 0.5), 0);
  EXPECT_EQ(quantile({7}, 0.95), 7);
  EXPECT_EQ(median({4, 1, 3, 2}), 3); // 2.5, rounded away from zero.
  EXPECT_EQ(median({30, 10, 20}), 20);
  EXPECT_EQ(quantile({0, 10, 20, 30, 40}, 0.95), 38);
}
