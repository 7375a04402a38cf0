// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Analysis.h"
#include "report/recording/page/TimelineData.h"

#include "../trace/Simulator.h"

#include <gtest/gtest.h>

using namespace autoprof;
using report::choosePart;
using report::TimelinePart;

namespace {

/// A training of `Steps` steps, with the steps that the analysis finds.
struct Trained {
  trace::Timeline T;
  analysis::Result R;
  explicit Trained(unsigned Steps) {
    test::Training P;
    P.Steps = Steps;
    T = test::simulateTraining(P);
    R = llvm::cantFail(analysis::analyse(T));
  }
  TimelinePart part(size_t MaxEvents) const {
    return choosePart({"a.pftrace", T, R}, MaxEvents);
  }
  /// What begins in a part.
  size_t events(const TimelinePart &P) const {
    size_t Sum = 0;
    for (const std::vector<int64_t> *Starts : {&T.Host.Start, &T.Ops.Start})
      for (int64_t Start : *Starts)
        Sum += Start >= P.Start && Start < P.End;
    return Sum;
  }
};

} // namespace

TEST(TimelinePart, IsTheWholeRecordingWhereItFits) {
  const Trained Run(20);
  const TimelinePart P = Run.part(1'000'000);
  EXPECT_EQ(P.Start, Run.T.begin());
  EXPECT_EQ(P.End, Run.T.end());
  EXPECT_LT(P.ViewTo - P.ViewFrom, P.End - P.Start);
}

TEST(TimelinePart, IsWholeStepsAroundATypicalOne) {
  const Trained Run(100);
  const TimelinePart P = Run.part(1'000);
  EXPECT_LE(Run.events(P), 1'000u);
  EXPECT_GT(Run.events(P), 800u);
  EXPECT_NE(P.Caption.find("of 100, around step"), std::string::npos)
      << P.Caption;
  bool Starts = false, Ends = false;
  for (const analysis::Step &S : Run.R.Steps.List) {
    Starts |= S.Start == P.Start;
    Ends |= S.End == P.End;
  }
  EXPECT_TRUE(Starts && Ends);
}

TEST(TimelinePart, IsTheBeginningOfAStepThatIsTooLong) {
  const Trained Run(20);
  const TimelinePart P = Run.part(30);
  EXPECT_LE(Run.events(P), 30u);
  EXPECT_EQ(P.Caption.rfind("the beginning of step", 0), 0u) << P.Caption;
}

TEST(TimelinePart, LiesAroundTheCostliestWaitWithoutSteps) {
  Trained Run(20);
  Run.R.Steps = {};
  const TimelinePart P = Run.part(100);
  EXPECT_LE(Run.events(P), 100u);
  const auto &Stall = Run.R.Stalls.OfWait;
  const auto Most =
      size_t(std::max_element(Stall.begin(), Stall.end()) - Stall.begin());
  EXPECT_LT(P.Start, Run.R.Waits[Most].Start);
  EXPECT_GT(P.End, Run.R.Waits[Most].End);
}

// In a recording of single steps nobody knows how long they took.
TEST(TimelinePart, DoesWithoutStepTimes) {
  Trained Run(20);
  for (analysis::Step &S : Run.R.Steps.List)
    S.TimeKnown = false;
  const TimelinePart P = Run.part(200);
  EXPECT_LT(P.Start, P.End);
  EXPECT_EQ(P.Caption.find("median"), std::string::npos) << P.Caption;
}

TEST(TimelinePart, OfNothingIsEmpty) {
  const trace::Timeline T;
  const analysis::Result R;
  const TimelinePart P = choosePart({"a.pftrace", T, R}, 100);
  EXPECT_EQ(P.Start, P.End);
}
