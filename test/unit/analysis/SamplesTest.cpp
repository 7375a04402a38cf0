// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected values are scipy's (1.17): stats.t, stats.ttest_ind with
// equal_var=False.
#include "analysis/comparison/Samples.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace autoprof::analysis;

TEST(Samples, StudentsTMatchesKnownValues) {
  EXPECT_NEAR(studentP(2.5, 4), 0.06676654481, 1e-10);
  EXPECT_NEAR(studentP(-0.3, 17.4), 0.76773160839, 1e-10);
  EXPECT_NEAR(studentQuantile(0.01, 2), 9.92484320, 1e-7);
  EXPECT_NEAR(studentQuantile(0.05, 9.3), 2.25108222, 1e-7);
}

TEST(Samples, WelchMatchesKnownValues) {
  MeanChange C = *compareMeans({10.1, 10.4, 9.9, 10.2}, {11.0, 11.6, 10.9});
  EXPECT_NEAR(C.Difference, 1.0166667, 1e-6);
  EXPECT_NEAR(C.P, 0.0261579494, 1e-9);
  EXPECT_NEAR(C.Range.Low, 0.2325569727, 1e-8);
  EXPECT_NEAR(C.Range.High, 1.8007763607, 1e-8);
  EXPECT_NEAR(C.Visible, 1.4582804231, 1e-7);
}

TEST(Samples, OneNumberIsTakenToVaryLikeTheOthers) {
  EXPECT_FALSE(compareMeans({10}, {12}));
  // A prediction interval: the error is that of one more number.
  MeanChange C = *compareMeans({10}, {12, 13, 14});
  EXPECT_NEAR(C.Difference, 3, 1e-12);
  EXPECT_NEAR(C.P, studentP(3 / std::sqrt(1 + 1.0 / 3), 2), 1e-12);
  EXPECT_GT(C.P, 0.01);
}

TEST(Samples, EqualNumbersDoNotVary) {
  EXPECT_EQ(compareMeans({5, 5}, {5, 5})->P, 1);
  EXPECT_EQ(compareMeans({5, 5}, {6, 6})->P, 0);
}
