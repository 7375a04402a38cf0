// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits of a step, and what capturing it would bring, of schedules whose
// answers are known.
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "analysis/common/Statistics.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

/// `Kernels` of `KernelNs` each, launched 8 us apart: the CPU is the limit.
struct Loop {
  int Steps = 40, Kernels = 20;
  int64_t KernelNs = 2'000;
  int64_t Between = 5'500; ///< ns outside of calls before each launch.
  int64_t Prepare = 0;     ///< ns outside of calls before each step.
  bool ReadsBack = false;
  bool ReadsAfter = false;     ///< Reads back where the range has ended.
  bool Validates = false;      ///< ... after a kernel that no step launches.
  const char *Extra = nullptr; ///< A call in the middle of the step.

  Result run() const {
    Simulator S;
    const uint32_t Stream = S.stream(7, StreamFlag::NonBlocking);
    const uint32_t Range = S.site(1, "loop", 10, "for");
    const uint32_t Read = S.site(2, "copy", 20, "cudaMemcpy");
    for (int I = 0; I < Steps; ++I) {
      S.enter(HostKind::Range, Range);
      S.work(Prepare);
      for (int K = 0; K < Kernels; ++K) {
        S.work(Between);
        S.launch(Stream, KernelNs, "kernel" + std::to_string(K));
        if (Extra && K == Kernels / 2)
          S.call(Extra, 3'000);
      }
      if (ReadsBack) {
        S.enter(HostKind::Site, Read);
        S.readBack(Stream);
        S.leave();
      }
      S.leave();
      if (Validates)
        S.launch(Stream, KernelNs, "validate");
      if (ReadsAfter) {
        S.enter(HostKind::Site, Read);
        S.readBack(Stream);
        S.leave();
      }
    }
    const Timeline T = S.finish();
    return llvm::cantFail(analyse(T));
  }
};

bool has(const Capture &C, Obstacle Why) {
  return llvm::any_of(C.Blockers,
                      [Why](const CaptureBlocker &B) { return B.Why == Why; });
}

} // namespace

TEST(Limits, OfALaunchBoundLoop) {
  const Result R = Loop().run();
  ASSERT_TRUE(R.Limits);
  // 20 * (5.5 + 2.5) us and 0.2 for the loop; without launches 20 * 5.5; with
  // nothing on the CPU the GPU's 20 * (2 + 1).
  EXPECT_EQ(median(R.Steps.times()), 160'200);
  EXPECT_EQ(R.Limits->FreeLaunches.Low, 110'200);
  EXPECT_EQ(R.Limits->FreeLaunches.High, 110'200);
  EXPECT_GE(R.Limits->InfiniteCpu.Low, 40'000);
  EXPECT_LE(R.Limits->InfiniteCpu.High, 75'000);
  EXPECT_EQ(R.Limits->NoWaits.Low, 160'200);
  EXPECT_EQ(R.Limits->HiddenCopies.High, 160'200);
}

// Each kernel ends during the next one's launch and 2 us before that arrives;
// of queued kernels, one follows the other within about 1 us.
TEST(Limits, DoNotIncludePausesOfSlowLaunches) {
  Loop L;
  L.KernelNs = 6'000;
  const Result R = L.run();
  ASSERT_TRUE(R.Limits);
  EXPECT_EQ(median(R.Steps.times()), 160'200);
  EXPECT_LE(R.Limits->FreeLaunches.Low, 20 * 7'000);
  EXPECT_GE(R.Limits->FreeLaunches.Low, 20 * 6'500);
  EXPECT_LE(R.Limits->InfiniteCpu.Low, R.Limits->FreeLaunches.Low);
}

TEST(Limits, OfCopies) {
  Loop L;
  L.ReadsBack = true;
  const Result R = L.run();
  ASSERT_TRUE(R.Limits);
  EXPECT_LT(R.Limits->HiddenCopies.High, median(R.Steps.times()));
  EXPECT_LT(R.Limits->NoWaits.High, median(R.Steps.times()));
}

TEST(Capture, OfALaunchBoundLoopTakesTheGpusTime) {
  const Result R = Loop().run();
  ASSERT_TRUE(R.AsGraph);
  // 20 kernels of 2 us.
  EXPECT_LE(R.AsGraph->Whole.Low, 40'000);
  EXPECT_GE(R.AsGraph->Whole.High, 43'000);
  EXPECT_LE(R.AsGraph->Whole.High, 60'000);
  EXPECT_EQ(R.AsGraph->Same, 1);
  EXPECT_TRUE(R.AsGraph->Blockers.empty());
  EXPECT_FALSE(R.AsGraph->Part);
}

TEST(Capture, DoesNotMakeTheHostsOtherWorkFaster) {
  Loop L;
  L.Prepare = 500'000;
  const Result R = L.run();
  EXPECT_GE(R.AsGraph->Whole.Low, 460'000);
  EXPECT_LE(R.AsGraph->Whole.High, 560'000);
}

TEST(Capture, NamesWhatStandsInTheWay) {
  Loop L;
  L.ReadsBack = true;
  L.Extra = "cudaMalloc";
  const Result R = L.run();
  ASSERT_TRUE(R.AsGraph);
  const Capture &C = *R.AsGraph;
  EXPECT_TRUE(has(C, Obstacle::Synchronizes));
  EXPECT_TRUE(has(C, Obstacle::Allocates));
  EXPECT_FALSE(has(C, Obstacle::LegacyStream));
  for (const CaptureBlocker &B : C.Blockers)
    EXPECT_EQ(B.Count, R.Steps.measured());
  ASSERT_TRUE(C.Part);
  EXPECT_GE(C.Part->Low, C.Whole.Low);
  EXPECT_EQ(C.PartOps, 11u); // Up to the allocation.
  EXPECT_LT(C.Part->Low, median(R.Steps.times()));
}

TEST(Capture, OfAPartIsNotTheWholeStep) {
  auto Run = [](bool Inside) {
    Simulator S;
    const uint32_t Stream = S.stream(7, StreamFlag::NonBlocking);
    const uint32_t Range = S.site(1, "loop", 10, "for");
    for (int I = 0; I < 20; ++I) {
      S.enter(HostKind::Range, Range);
      for (int K = 0; K < 20; ++K) {
        S.work(5'500);
        S.launch(Stream, 2'000);
        if (Inside && K == 18)
          S.synchronizeStream(Stream);
      }
      S.synchronizeStream(Stream);
      S.leave();
    }
    const Timeline T = S.finish();
    return llvm::cantFail(analyse(T));
  };
  EXPECT_FALSE(Run(false).AsGraph->Part);
  const Result R = Run(true);
  ASSERT_TRUE(R.AsGraph->Part);
  EXPECT_EQ(R.AsGraph->PartOps, 19u);
  // The last launch remains, and the wait before it.
  const StepRange Whole = R.AsGraph->Whole, Part = *R.AsGraph->Part;
  EXPECT_GE(Part.Low, Whole.Low);
  EXPECT_GE(Part.High, Whole.High);
  EXPECT_LE(Part.High - Whole.High, 20'000);
}

TEST(Capture, KnowsTheLegacyStreamAndOtherThreads) {
  Simulator S;
  const uint32_t Stream = S.stream(7, StreamFlag::Null);
  const uint32_t Range = S.site(1, "loop", 10, "for");
  for (int I = 0; I < 20; ++I) {
    S.enter(HostKind::Range, Range);
    for (int K = 0; K < 5; ++K) {
      S.work(9'000);
      S.launch(Stream, 1'000 + 10 * (I % 2), I % 4 ? "a" : "b");
    }
    S.leave();
  }
  const Timeline T = S.finish();
  const Result R = llvm::cantFail(analyse(T));
  ASSERT_TRUE(R.AsGraph);
  EXPECT_TRUE(has(*R.AsGraph, Obstacle::LegacyStream));
  EXPECT_FALSE(has(*R.AsGraph, Obstacle::OtherThread));
  EXPECT_NEAR(R.AsGraph->Same, 0.75, 0.06);
}

TEST(Capture, NamesAWaitAfterTheRange) {
  Loop L;
  L.ReadsAfter = true;
  const Result R = L.run();
  ASSERT_TRUE(R.AsGraph);
  EXPECT_TRUE(has(*R.AsGraph, Obstacle::Synchronizes));
}

TEST(Capture, WaitsForOtherWorkThanTheStepsDoNotCount) {
  Loop L;
  L.ReadsAfter = L.Validates = true;
  const Result R = L.run();
  ASSERT_TRUE(R.AsGraph);
  EXPECT_FALSE(has(*R.AsGraph, Obstacle::Synchronizes));
}
