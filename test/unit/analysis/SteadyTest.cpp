// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/Analysis.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

const SiteRow *row(const Result &R, llvm::StringRef Call) {
  for (const SiteRow &Row : R.Sites)
    if (Row.Call == Call)
      return &Row;
  return nullptr;
}

/// Time in which an operation ran, from scratch.
int64_t busyBetween(const Timeline &T, int64_t From, int64_t To) {
  int64_t Busy = 0, Done = From;
  for (uint32_t I = 0; I < T.Ops.size(); ++I) { // Sorted by start.
    int64_t Start = std::max(T.Ops.Start[I], Done);
    int64_t End = std::min(T.Ops.End[I], To);
    Busy += std::max<int64_t>(0, End - Start);
    Done = std::max(Done, End);
  }
  return Busy;
}

Result analysed(const test::Training &P) {
  Timeline T = test::simulateTraining(P);
  return llvm::cantFail(analyse(T));
}

} // namespace

TEST(Steady, BusyTimeAndCausesSumUpToTheStepsTime) {
  test::Training P;
  for (unsigned Steps : {3, 4, 30})
    for (int64_t Kernel : {500, 5'000, 50'000})
      for (bool Print : {true, false}) {
        P.Steps = Steps;
        P.KernelNs = Kernel;
        P.Print = Print;
        Timeline T = test::simulateTraining(P);
        Result R = llvm::cantFail(analyse(T));
        ASSERT_TRUE(R.InSteps);
        const Steady &S = *R.InSteps;
        ASSERT_EQ(S.Count, R.Steps.measured());
        if (R.Steps.WarmUp) {
          int64_t Times = 0;
          for (int64_t Time : R.Steps.times())
            Times += Time;
          EXPECT_EQ(S.Span, Times);
        }
        int64_t Sum = S.Busy;
        for (const CauseTotal &C : S.Gaps)
          Sum += C.Total;
        EXPECT_EQ(Sum, S.Span);
        int64_t To = T.Ops.End[R.Steps.toOp()];
        EXPECT_EQ(S.Busy, busyBetween(T, To - S.Span, To));
      }
}

TEST(Steady, RowsSumUpToTheStepsWaitsAndStalls) {
  test::Training P;
  for (int64_t Kernel : {500, 5'000, 50'000}) {
    P.KernelNs = Kernel;
    Result R = analysed(P);
    int64_t Wait = 0, Exposed = 0;
    for (const SiteRow &Row : R.Sites) {
      Wait += Row.Steps->Wait;
      Exposed += Row.Steps->Exposed;
      EXPECT_LE(Row.Steps->Wait, *Row.Wait);
      EXPECT_LE(Row.Steps->Exposed, *Row.Exposed);
      EXPECT_LE(0, Row.Gained->Low);
      EXPECT_LE(Row.Gained->Low, Row.Gained->High);
    }
    EXPECT_EQ(Wait, R.InSteps->Waited);
    EXPECT_EQ(Exposed, R.InSteps->exposed());
    EXPECT_GT(Wait, 0);
  }
}

TEST(Steady, TheGainIsThatOfTheSteps) {
  for (int64_t Kernel : {2'000, 5'000, 20'000}) {
    SCOPED_TRACE(Kernel);
    test::Training P;
    P.KernelNs = Kernel;
    P.Steps = 60;
    Result R = analysed(P);
    // The warm-up's share taken off, as a difference of two runs.
    test::Training WarmUp = P;
    WarmUp.Steps = 6;
    auto Gain = [](const test::Training &P) {
      return test::trainingEnd(P, false) - test::trainingEnd(P, true);
    };
    int64_t Truth = Gain(P) - Gain(WarmUp);
    const SiteRow *Print = row(R, "cudaMemcpy");
    ASSERT_TRUE(Print);
    int64_t Slack = R.InSteps->Span / 100;
    EXPECT_LE(Print->Gained->Low, Truth + Slack);
    EXPECT_GE(Print->Gained->High,
              std::min(Truth, Print->Steps->Exposed) - Slack);
  }
}

TEST(Steady, StartUpDoesNotOutrankTheSteps) {
  // A wait before the loop that takes its time to return: the longest stall of
  // the run, and nothing that a step pays.
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Loop = S.site(1, "loop", 10, "for");
  uint32_t Start = S.site(2, "sync", 5, "cudaStreamSynchronize");
  uint32_t Read = S.site(3, "copy", 12, "cudaMemcpy");
  S.launch(Null, 100'000);
  S.enter(HostKind::Site, Start);
  S.C.Return = 87'000'000;
  S.synchronizeStream(Null);
  S.C.Return = 3'000;
  S.leave();
  for (int I = 0; I < 20; ++I) {
    S.enter(HostKind::Range, Loop);
    S.launch(Null, 100'000);
    S.enter(HostKind::Site, Read);
    S.readBack(Null);
    S.leave();
    S.work(10'000);
    S.leave();
  }
  Timeline T = S.finish();
  Result R = llvm::cantFail(analyse(T));
  ASSERT_GE(R.Sites.size(), 2u);
  EXPECT_EQ(R.Sites[0].Call, "cudaMemcpy");
  EXPECT_FALSE(R.Sites[0].isOutside());
  EXPECT_EQ(R.Sites[0].Steps->Waits, 18u);
  EXPECT_EQ(R.Sites[0].Judged.Kind, Verdict::Postpone);
  EXPECT_EQ(R.Sites[1].Call, "cudaStreamSynchronize");
  EXPECT_TRUE(R.Sites[1].isOutside());
  EXPECT_GE(*R.Sites[1].Exposed, 87'000'000);
  EXPECT_EQ(R.Sites[1].Steps->Wait, 0);
  // A step takes about 125 us; the run, 90 ms.
  EXPECT_LT(R.InSteps->Span, 3'000'000);
}

TEST(Steady, TellsTheRegimesApart) {
  test::Training P;
  P.Steps = 30;
  P.KernelNs = 500;
  EXPECT_EQ(analysed(P).InSteps->Limit, Regime::LaunchBound);
  P.Print = false;
  EXPECT_EQ(analysed(P).InSteps->Limit, Regime::LaunchBound);
  P.KernelNs = 5'000;
  EXPECT_EQ(analysed(P).InSteps->Limit, Regime::GpuBound);
  P.Print = true;
  EXPECT_EQ(analysed(P).InSteps->Limit, Regime::Between);
  P.KernelNs = 500'000;
  EXPECT_EQ(analysed(P).InSteps->Limit, Regime::GpuBound);
}

namespace {

/// 20 steps of one kernel, a copy (0: none), and host work.
Regime regimeOf(int64_t Kernel, int64_t Copy, int64_t Work) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Loop = S.site(1, "loop", 10, "for");
  for (int I = 0; I < 20; ++I) {
    S.enter(HostKind::Range, Loop);
    S.launch(Null, Kernel);
    if (Copy)
      S.readBack(Null, Copy);
    S.work(Work);
    S.leave();
  }
  Timeline T = S.finish();
  return llvm::cantFail(analyse(T)).InSteps->Limit;
}

} // namespace

TEST(Steady, TellsWhatElseLimitsTheSteps) {
  EXPECT_EQ(regimeOf(50'000, 0, 100'000), Regime::CpuBound);
  EXPECT_EQ(regimeOf(100'000, 0, 50'000), Regime::GpuBound);
  EXPECT_EQ(regimeOf(50'000, 200'000, 1'000), Regime::TransferBound);
  // Long copies, and longer kernels.
  EXPECT_NE(regimeOf(250'000, 200'000, 1'000), Regime::TransferBound);
}

namespace {

/// 20 steps of 20 kernels that are queued early and follow each other after
/// this pause.
Steady queuedSteps(int64_t Kernel, int64_t Pause) {
  Simulator S;
  uint32_t Stream = S.stream(7, StreamFlag::NonBlocking);
  uint32_t Loop = S.site(1, "loop", 10, "for");
  for (int I = 0; I < 20; ++I) {
    S.enter(HostKind::Range, Loop);
    for (int K = 0; K < 20; ++K) {
      S.C.Pause = K % 4 ? 1'000 : Pause;
      S.launch(Stream, Kernel);
    }
    S.leave();
  }
  Timeline T = S.finish();
  return *llvm::cantFail(analyse(T)).InSteps;
}

} // namespace

TEST(Steady, AGpuThatStartsQueuedWorkLateIsNotCalledGpuBound) {
  Steady S = queuedSteps(20'000, 300'000);
  EXPECT_LT(S.Busy, S.Span / 2);
  EXPECT_EQ(S.starved(), 0);
  EXPECT_GT(S.late(), S.Span / 2);
  EXPECT_EQ(S.Limit, Regime::HeldUp);
  // Every fourth kernel waits for less than a tenth of the time.
  S = queuedSteps(200'000, 70'000);
  EXPECT_GT(S.late(), S.Span / 20);
  EXPECT_LT(S.late(), S.Span / 10);
  EXPECT_EQ(S.Limit, Regime::Between);
}

TEST(Steady, ShortPausesBetweenShortKernelsAreTheGpusOwn) {
  Steady S = queuedSteps(10'000, 5'000);
  EXPECT_LT(S.Busy, S.Span * 9 / 10);
  EXPECT_EQ(S.late(), 0);
  EXPECT_EQ(S.Limit, Regime::GpuBound);
}

TEST(Steady, NeedsStepsWithGpuWork) {
  Simulator S;
  S.launch(S.stream(7, StreamFlag::Null), 1'000);
  S.synchronizeDevice();
  Timeline T = S.finish();
  Result R = llvm::cantFail(analyse(T));
  EXPECT_FALSE(R.InSteps);
  EXPECT_FALSE(R.Sites[0].Steps);
  EXPECT_FALSE(R.Sites[0].isOutside());
}

TEST(Steady, AStepWithoutGpuWorkLeavesABound) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Loop = S.site(1, "loop", 10, "for");
  for (int I = 0; I < 20; ++I) {
    S.enter(HostKind::Range, Loop);
    if (I % 4) {
      S.launch(Null, 50'000);
      S.readBack(Null);
    }
    S.work(30'000);
    S.leave();
  }
  Timeline T = S.finish();
  Result R = llvm::cantFail(analyse(T));
  ASSERT_TRUE(R.InSteps);
  const SiteRow *Read = row(R, "cudaMemcpy");
  ASSERT_TRUE(Read);
  EXPECT_EQ(Read->GainNote, "not every step launched GPU work");
  EXPECT_EQ(Read->Gained->Low, 0);
  EXPECT_LE(Read->Gained->High, Read->Steps->Exposed);
}
