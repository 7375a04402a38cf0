// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the CPU was in the gaps that it caused: the calls around that time, and
// how long it was.
#include "Simulator.h"

#include "analysis/Analysis.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

/// The row that left the GPU idle longest.
const BusyRow &worst(const Result &R) {
  return *std::max_element(
      R.Busy.begin(), R.Busy.end(),
      [](const BusyRow &A, const BusyRow &B) { return A.Idle < B.Idle; });
}

} // namespace

TEST(BusyHost, IsNamedByTheCallsAroundIt) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Loop = S.site(1, "loop", 30, "for");
  uint32_t Launch = S.site(2, "launch", 41, "forward");
  uint32_t Read = S.site(3, "copy", 47, "cudaMemcpy");
  constexpr int64_t Work = 1'900'000;
  constexpr unsigned Steps = 20;
  for (unsigned I = 0; I < Steps; ++I) {
    S.enter(HostKind::Range, Loop);
    S.enter(HostKind::Site, Launch);
    S.launch(Null, 100'000);
    S.leave();
    S.enter(HostKind::Site, Read);
    S.readBack(Null);
    S.leave();
    S.work(Work);
    S.leave();
  }
  Timeline T = S.finish();
  Result R = llvm::cantFail(analyse(T));
  const BusyRow &Row = worst(R);
  EXPECT_EQ(Row.Before, (CallPlace{Read, None, false}));
  EXPECT_EQ(Row.After, (CallPlace{Launch, None, false}));
  EXPECT_EQ(Row.Call, None);
  ASSERT_TRUE(R.InSteps);
  EXPECT_EQ(R.InSteps->Limit, Regime::CpuBound);
  const auto Count = int64_t(R.InSteps->Count);
  EXPECT_EQ(Row.Count, R.InSteps->Count);
  // And entering and leaving sites and ranges.
  EXPECT_GE(Row.Cpu, (Count - 1) * Work);
  EXPECT_LE(Row.Cpu, Count * (Work + 500));
  // The GPU is idle all of that time; the first part of it is the wait's.
  EXPECT_LT(Row.Idle, Row.Cpu);
  EXPECT_GE(Row.Idle,
            Row.Cpu - R.InSteps->Gaps[unsigned(Cause::ExposedWait)].Total);
  EXPECT_LE(Row.Idle, R.InSteps->Gaps[unsigned(Cause::HostBusy)].Total);
}

TEST(BusyHost, WorkThatTheGpuCoversIsNotNamed) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  for (int I = 0; I < 10; ++I) {
    S.launch(Null, 500'000);
    S.work(100'000);
  }
  Timeline T = S.finish();
  EXPECT_TRUE(llvm::cantFail(analyse(T)).Busy.empty());
}

TEST(BusyHost, ACallWithoutAPlaceIsNamedByItsKernel) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 1'000, "gemm_128");
  S.work(300'000);
  S.call("cudaEventRecord", 1'000);
  S.work(900'000);
  S.launch(Null, 1'000, "relu");
  Timeline T = S.finish();
  Result R = llvm::cantFail(analyse(T));
  const BusyRow &Row = worst(R);
  EXPECT_EQ(Row.Before.Site, None);
  EXPECT_EQ(T.Strings[Row.Before.Name], "cudaEventRecord");
  EXPECT_FALSE(Row.Before.IsKernel);
  EXPECT_EQ(T.Strings[Row.After.Name], "relu");
  EXPECT_TRUE(Row.After.IsKernel);
  EXPECT_EQ(Row.Idle, 900'000);
}

TEST(BusyHost, APlaceIsBorrowedFromTheRangeAroundTheCallOnly) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Before = S.site(1, "function", 12, "setup", "train.cu", "setup");
  uint32_t After = S.site(2, "function", 40, "step", "train.cu", "step");
  S.enter(HostKind::Range, Before);
  S.launch(Null, 1'000, "fill");
  S.leave();
  S.launch(Null, 1'000, "scale"); // In no range, next to one.
  S.work(500'000);
  S.enter(HostKind::Range, After);
  S.launch(Null, 1'000, "gemm");
  S.leave();
  Timeline T = S.finish();
  const Result R = llvm::cantFail(analyse(T));
  const BusyRow &Row = worst(R);
  EXPECT_EQ(Row.Before.Site, None);
  EXPECT_EQ(T.Strings[Row.Before.Name], "scale");
  EXPECT_EQ(Row.After.Site, After);
  EXPECT_FALSE(Row.After.isOwn());
  EXPECT_EQ(T.Strings[Row.After.Name], "gemm");
}

TEST(BusyHost, TimeInACallIsNamedByTheCall) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Alloc = S.site(1, "alloc", 12, "cudaMalloc");
  S.launch(Null, 1'000);
  S.work(50'000);
  S.enter(HostKind::Site, Alloc);
  S.call("cudaMalloc", 500'000);
  S.leave();
  S.launch(Null, 1'000);
  Timeline T = S.finish();
  const Result R = llvm::cantFail(analyse(T));
  const BusyRow &Row = worst(R);
  ASSERT_NE(Row.Call, None);
  EXPECT_EQ(T.Strings[Row.Call], "cudaMalloc");
  EXPECT_EQ(Row.Before.Site, Alloc);
  EXPECT_EQ(Row.After, Row.Before);
  EXPECT_EQ(Row.Idle, 500'000);
  EXPECT_EQ(Row.Cpu, 500'000);
}

TEST(BusyHost, AThreadThatTakesOverWasNotBusyBefore) {
  // The backward pass of a framework: another thread launches it, and has
  // waited for the whole forward pass.
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Backward = S.addThread();
  S.runThread(Backward);
  S.launch(Null, 1'000, "grad");
  S.runThread(0);
  S.work(10'000'000);
  S.launch(Null, 100'000, "loss");
  const int64_t Handed = S.Now;
  S.runThread(Backward);
  S.Now = Handed + 250'000;
  S.launch(Null, 1'000, "grad");
  Timeline T = S.finish();
  Result R = llvm::cantFail(analyse(T));
  auto Row = llvm::find_if(R.Busy, [&T](const BusyRow &Row) {
    return Row.Call == None && T.Strings[Row.After.Name] == "grad";
  });
  ASSERT_NE(Row, R.Busy.end());
  EXPECT_EQ(T.Strings[Row->Before.Name], "loss");
  EXPECT_EQ(Row->Cpu, 250'000);
  // From where the loss is computed.
  EXPECT_EQ(Row->Idle, 250'000 + S.C.Launch - S.C.Latency - 100'000);
}

TEST(BusyHost, SeveralGpusCountTheirIdleTimeAndTheCpuOnce) {
  Simulator S;
  uint32_t A = S.stream(7, StreamFlag::Null, 0);
  uint32_t B = S.stream(8, StreamFlag::Null, 1);
  uint32_t Site = S.site(1, "launch", 12, "both");
  auto Both = [&] {
    S.enter(HostKind::Site, Site);
    S.launch(A, 1'000);
    S.launch(B, 1'000);
    S.leave();
  };
  Both();
  S.work(600'000);
  Both();
  Timeline T = S.finish();
  const Result R = llvm::cantFail(analyse(T));
  const BusyRow &Row = worst(R);
  EXPECT_EQ(Row.Count, 1u);
  EXPECT_GE(Row.Cpu, 600'000);
  EXPECT_LE(Row.Cpu, 600'500);
  EXPECT_GT(Row.Idle, 1'100'000);
  EXPECT_LE(Row.Idle, 1'200'000);
}
