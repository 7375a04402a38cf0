// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/Diff.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;

namespace {

struct Recorded {
  Timeline T;
  Result R;
  explicit Recorded(const test::Training &P)
      : T(test::simulateTraining(P)), R(llvm::cantFail(analyse(T))) {}
};

const SiteChange *change(const Difference &D, llvm::StringRef Call) {
  for (const SiteChange &C : D.Sites)
    if ((C.Base ? C.Base : C.New)->Call == Call)
      return &C;
  return nullptr;
}

} // namespace

TEST(Diff, FindsTheSiteThatNoLongerWaits) {
  test::Training P;
  P.KernelNs = 5'000;
  Recorded Print(P);
  P.Print = false;
  Recorded Deferred(P);
  Difference D = compare({Print.T, Print.R}, {Deferred.T, Deferred.R});
  const SiteChange *Copy = change(D, "cudaMemcpy");
  ASSERT_TRUE(Copy);
  EXPECT_TRUE(Copy->Base);
  EXPECT_FALSE(Copy->New);
  EXPECT_GT(*Copy->BaseWait, 30'000);
  EXPECT_EQ(*Copy->NewWait, 0);
  ASSERT_TRUE(D.Step);
  EXPECT_TRUE(D.Step->Significant);
  EXPECT_LT(D.Step->Change, -0.1);
  EXPECT_GE(D.Step->Change, D.Step->Range.Low);
  EXPECT_LE(D.Step->Change, D.Step->Range.High);
}

TEST(Diff, TheSameRunTwiceHasNoChange) {
  Recorded Base({}), New({});
  Difference D = compare({Base.T, Base.R}, {New.T, New.R});
  ASSERT_TRUE(D.Step);
  EXPECT_TRUE(D.Step->Enough);
  EXPECT_FALSE(D.Step->Significant);
  EXPECT_EQ(D.Step->Change, 0);
  for (const SiteChange &C : D.Sites) {
    ASSERT_TRUE(C.Base && C.New);
    EXPECT_EQ(C.BaseWait, C.NewWait);
  }
}

TEST(Diff, FewStepsAreTooFewToTell) {
  test::Training P;
  P.Steps = 6;
  Recorded Base(P);
  P.KernelNs *= 2;
  Recorded New(P);
  Difference D = compare({Base.T, Base.R}, {New.T, New.R});
  ASSERT_TRUE(D.Step);
  EXPECT_FALSE(D.Step->Enough);
  EXPECT_FALSE(D.Step->Significant);
}

TEST(Diff, WithoutStepsThereIsNoStepTime) {
  test::Simulator S;
  S.launch(S.stream(7, StreamFlag::Null), 1'000);
  S.synchronizeDevice();
  Timeline T = S.finish();
  Result R = llvm::cantFail(analyse(T));
  Difference D = compare({T, R}, {T, R});
  EXPECT_FALSE(D.Step);
  EXPECT_FALSE(D.PerStep);
}

TEST(Diff, StepsOfDifferentRangesAreNotCompared) {
  Recorded Base({}), New({});
  New.R.Steps.Site = 77;
  EXPECT_FALSE(compare({Base.T, Base.R}, {New.T, New.R}).Step);
  // The base's range is in the new trace, too.
  alignSteps(Base.R, New.T, New.R);
  EXPECT_TRUE(compare({Base.T, Base.R}, {New.T, New.R}).Step);
  New.R.Steps.FromGpu = false;
  EXPECT_FALSE(compare({Base.T, Base.R}, {New.T, New.R}).Step);
}
