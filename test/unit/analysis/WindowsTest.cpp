// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recordings of parts of a run: what was not recorded is neither idle nor a
// stall, and steps that it touches have no time.
#include "Simulator.h"

#include "analysis/Analysis.h"

#include <gtest/gtest.h>
#include <limits>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

constexpr int64_t Forever = std::numeric_limits<int64_t>::max();
constexpr int64_t Kernel = 10'000, Pause = 5'000'000;

/// Parts of five steps, each with a wait behind it, between which a long time
/// passes unrecorded.
class Parts {
public:
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Loop = S.site(1, "loop", 10, "for");
  std::vector<Window> List;

  void step() {
    S.enter(HostKind::Range, Loop);
    S.launch(Null, Kernel);
    S.launch(Null, Kernel);
    S.synchronizeDevice();
    S.leave();
  }
  void part(unsigned Steps) {
    S.work(Pause);
    int64_t Start = S.Now;
    for (unsigned I = 0; I < Steps; ++I)
      step();
    List.push_back({Start, S.Now});
  }
  Timeline finish() {
    Timeline T = S.finish();
    T.Recorded.Limited = true;
    T.Recorded.List = List;
    return T;
  }
};

Result analysed(const Timeline &T) { return llvm::cantFail(analyse(T, "")); }

} // namespace

TEST(Windows, MissingTimeIsWhatLiesOutside) {
  Windows W;
  EXPECT_EQ(W.missing(0, 100), 0); // Not limited: all is there.
  W.Limited = true;
  EXPECT_EQ(W.missing(0, 100), 100);
  W.List = {{10, 20}, {50, Forever}};
  EXPECT_EQ(W.missing(10, 20), 0);
  EXPECT_EQ(W.missing(0, 60), 40);
  EXPECT_EQ(W.missing(60, 70), 0);
  EXPECT_EQ(W.missing(70, 60), 0);
}

TEST(Windows, WhatWasNotRecordedIsNoGap) {
  Parts P;
  P.part(5);
  P.part(5);
  Result R = analysed(P.finish());
  ASSERT_EQ(R.Devices.size(), 1u);
  EXPECT_EQ(R.Devices[0].Unknown.size(), 1u);
  for (const Gap &G : R.Devices[0].Gaps)
    EXPECT_LT(G.End - G.Start, Pause / 10);
  EXPECT_LT(R.Devices[0].span(), Pause);
  EXPECT_LT(R.Span, Pause);
  EXPECT_EQ(R.Recorded,
            P.List[0].End - P.List[0].Start + P.List[1].End - P.List[1].Start);
  ASSERT_TRUE(R.InSteps);
  EXPECT_LT(R.InSteps->HostTime, Pause);
  EXPECT_LT(R.InSteps->Span, Pause);
  EXPECT_LT(R.InSteps->exposed(), Pause / 10);
}

TEST(Windows, ThePauseWouldBeAGapInAWholeRecording) {
  Parts P;
  P.part(5);
  P.part(5);
  Result R = analysed(P.S.finish());
  EXPECT_GT(R.Devices[0].span(), Pause);
  EXPECT_TRUE(R.Devices[0].Unknown.empty());
}

TEST(Windows, FirstStepsOfPartsHaveNoTime) {
  Parts P;
  P.part(5);
  P.part(5);
  Result R = analysed(P.finish());
  ASSERT_EQ(R.Steps.List.size(), 10u);
  EXPECT_TRUE(R.Steps.FromGpu);
  for (size_t I = 0; I < 10; ++I)
    EXPECT_EQ(R.Steps.List[I].TimeKnown, I != 0 && I != 5) << I;
  EXPECT_EQ(R.Steps.WarmUp, 1u);
  EXPECT_EQ(R.Steps.times().size(), 8u);
  for (int64_t Time : R.Steps.times())
    EXPECT_LT(Time, Pause / 10);
}

TEST(Windows, AStepWhoseGpuWorkWasCutOffDoesNotCount) {
  Parts P;
  P.part(5);
  // The host's part of one more step was recorded, its kernels were not.
  P.S.enter(HostKind::Range, P.Loop);
  P.S.call("cudaLaunchKernel", 2'500);
  P.S.leave();
  P.List.back().End = P.S.Now;
  P.part(5);
  Result R = analysed(P.finish());
  EXPECT_EQ(R.Steps.List.size(), 10u);
  EXPECT_TRUE(R.Steps.FromGpu);
}

TEST(Windows, AStepThatIsPartlyRecordedDoesNotCount) {
  Parts P;
  P.part(6);
  P.List.back().End -= 1;
  EXPECT_EQ(analysed(P.finish()).Steps.List.size(), 5u);
}

TEST(Windows, OneStepHasNoTime) {
  Parts P;
  P.part(1);
  P.part(1);
  P.part(1);
  Result R = analysed(P.finish());
  EXPECT_EQ(R.Steps.List.size(), 3u);
  EXPECT_TRUE(R.Steps.times().empty());
}

TEST(Windows, SeveralPartsAreNotReplayed) {
  Parts P;
  P.part(5);
  P.part(5);
  Result R = analysed(P.finish());
  ASSERT_FALSE(R.Sites.empty());
  EXPECT_EQ(R.Sites[0].GainNote, "the run was recorded in several parts");
}
