// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "analysis/comparison/Diff.h"

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
  RunSummary summary() const { return summarise("t.pftrace", T, R); }
};

Difference compare(const Recorded &Base, const Recorded &New) {
  return analysis::compare({Base.summary()}, {New.summary()});
}

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
  Difference D = compare(Print, Deferred);
  const SiteChange *Copy = change(D, "cudaMemcpy");
  ASSERT_TRUE(Copy);
  EXPECT_TRUE(Copy->Base);
  EXPECT_FALSE(Copy->New);
  EXPECT_GT(*Copy->BaseWait, 30'000);
  EXPECT_EQ(*Copy->NewWait, 0);
  ASSERT_TRUE(D.Step);
  EXPECT_EQ(D.Step->Basis, StepBasis::OneRun);
  EXPECT_FALSE(D.Step->Significant);
  EXPECT_EQ(D.Step->P, 1);
  EXPECT_LT(D.Step->Change, -0.1);
}

TEST(Diff, TheSameRunTwiceHasNoChange) {
  Recorded Base({}), New({});
  Difference D = compare(Base, New);
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
  Difference D = compare(Base, New);
  ASSERT_TRUE(D.Step);
  EXPECT_FALSE(D.Step->Enough);
  EXPECT_FALSE(D.Step->Significant);
}

TEST(Diff, WithoutStepsThereIsNoStepTime) {
  test::Simulator S;
  S.launch(S.stream(7, StreamFlag::Null), 1'000);
  S.synchronizeDevice();
  Timeline T = S.finish();
  RunSummary R = summarise("t", T, llvm::cantFail(analyse(T)));
  Difference D = analysis::compare({R}, {R});
  EXPECT_FALSE(D.Step);
  EXPECT_FALSE(D.PerStep);
}

TEST(Diff, StepsOfDifferentRangesAreNotCompared) {
  Recorded Base({}), New({});
  New.R.Steps.Site = 77;
  EXPECT_FALSE(compare(Base, New).Step);
  // The base's range is in the new trace, too.
  alignSteps(Base.R.Steps.Site, New.T, New.R);
  EXPECT_TRUE(compare(Base, New).Step);
  New.R.Steps.FromGpu = false;
  EXPECT_FALSE(compare(Base, New).Step);
}

TEST(Diff, ARecordingThatEndsEarlyDoesNotSayThatASiteNoLongerWaits) {
  test::Training P;
  P.Steps = 40;
  Recorded Base(P);
  P.Steps = 5;
  P.Print = false;
  Recorded New(P);
  // In order: it is a fact that it did not run.
  EXPECT_EQ(change(compare(Base, New), "cudaMemcpy")->InNew, Presence::NotRun);
  // The base first waits there in step 1, and the new one has 5.
  RunSummary Cut = New.summary();
  Cut.CutOff = true;
  RunSummary Late = Base.summary();
  EXPECT_EQ(change(analysis::compare({Late}, {Cut}), "cudaMemcpy")->InNew,
            Presence::NotRun);
  for (SiteRow &Row : Late.R.Sites) {
    if (Row.Waits)
      EXPECT_EQ(Row.FirstIn, Row.Call == "cudaDeviceSynchronize" ? 41u : 1u);
    Row.FirstIn = 6;
  }
  Difference D = analysis::compare({Late}, {Cut});
  const SiteChange *Copy = change(D, "cudaMemcpy");
  EXPECT_EQ(Copy->InNew, Presence::NotReached);
  EXPECT_FALSE(Copy->NewWait);
  // What ran, and never waited in the other one, was reached.
  EXPECT_EQ(change(D, "forward")->InNew, Presence::Ran);
  // The other way round it is the base that did not get there.
  D = analysis::compare({Cut}, {Late});
  EXPECT_EQ(change(D, "cudaMemcpy")->InBase, Presence::NotReached);
}

TEST(Diff, OfSeveralRunsTheirVariationCounts) {
  // Kernels of 50 us, give or take 10 % from run to run.
  auto Run = [](int64_t KernelNs) {
    test::Training P;
    P.KernelNs = KernelNs;
    return Recorded(P).summary();
  };
  Difference D = analysis::compare({Run(45'000), Run(50'000), Run(55'000)},
                                   {Run(48'000), Run(53'000), Run(58'000)});
  ASSERT_TRUE(D.Step);
  EXPECT_TRUE(D.Step->ofRuns());
  EXPECT_FALSE(D.Step->RunsVary);
  EXPECT_FALSE(D.Step->Significant);
  EXPECT_GT(D.Step->Visible, 0.2);
  EXPECT_EQ(D.Step->BaseCount, 3 * 18u);
  // The same means, closer together.
  D = analysis::compare({Run(49'900), Run(50'000), Run(50'100)},
                        {Run(52'900), Run(53'000), Run(53'100)});
  EXPECT_TRUE(D.Step->Significant);
  EXPECT_GT(D.Step->Range.Low, 0.04);
  // One run on a side cannot tell, however much the steps differ.
  D = analysis::compare({Run(50'000)}, {Run(53'000)});
  EXPECT_EQ(D.Step->P, 1);
  EXPECT_FALSE(D.Step->Significant);
  EXPECT_TRUE(D.Step->RunsVary);
}

TEST(Diff, StepsAndSitesAreFoundInARenamedFile) {
  test::Training P;
  Recorded Base(P);
  P.File = "src/loop.cu";
  Recorded New(P);
  ASSERT_NE(Base.R.Steps.Site, New.R.Steps.Site);
  Difference D = compare(Base, New);
  ASSERT_TRUE(D.Step);
  EXPECT_EQ(D.Step->Change, 0);
  const SiteChange *Copy = change(D, "cudaMemcpy");
  ASSERT_TRUE(Copy->Base && Copy->New);
  EXPECT_EQ(Copy->Guess, "its file was src/train.cu");
  EXPECT_EQ(Copy->BaseWait, Copy->NewWait);
}

TEST(Diff, KernelsAreRankedByTheirPartOfTheStepsChange) {
  test::Training P;
  P.Jitter = 0.01;
  Recorded Base(P);
  P.KernelNs += 5'000; // 20 of them: 100 us a step.
  P.Seed = 2;
  Recorded New(P);
  Difference D = compare(Base, New);
  ASSERT_FALSE(D.Parts.empty());
  const PartChange &First = D.Parts[0];
  EXPECT_TRUE(First.IsKernel);
  EXPECT_EQ(First.Name, "forward(float const*, int)");
  EXPECT_EQ(First.BaseCount, 20);
  EXPECT_EQ(First.NewCount, 20);
  EXPECT_NEAR(First.NewTime - First.BaseTime, 100'000, 10'000);
  EXPECT_NEAR(First.OfStep, D.Step->Change, 0.02);
}
