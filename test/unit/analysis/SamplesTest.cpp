// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected values are scipy's (1.17): stats.t.
#include "analysis/comparison/Samples.h"

#include <gtest/gtest.h>

using namespace autoprof::analysis;

TEST(Samples, StudentsTMatchesKnownValues) {
  EXPECT_NEAR(studentP(2.5, 4), 0.06676654481, 1e-10);
  EXPECT_NEAR(studentP(-0.3, 17.4), 0.76773160839, 1e-10);
  EXPECT_NEAR(studentQuantile(0.01, 2), 9.92484320, 1e-7);
  EXPECT_NEAR(studentQuantile(0.05, 9.3), 2.25108222, 1e-7);
}
