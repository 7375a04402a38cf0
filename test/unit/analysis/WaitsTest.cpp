// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules whose waits are known by construction.
#include "Simulator.h"

#include "analysis/Analysis.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

struct Found {
  Timeline T;
  std::vector<Wait> Waits;
  int64_t total() const {
    int64_t Sum = 0;
    for (const Wait &W : Waits)
      Sum += W.length();
    return Sum;
  }
  std::string call(size_t I) const {
    return T.Strings[T.Host.Name[Waits[I].Call]].str();
  }
};

Found find(Simulator &S) {
  Found F;
  F.T = S.finish();
  F.Waits = findWaits(F.T, attribute(F.T)).Waits;
  return F;
}

} // namespace

TEST(Waits, CopyBackWaitsForTheKernelsBeforeIt) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  for (int I = 0; I < 3; ++I)
    S.launch(Null, 100'000);
  S.readBack(Null);
  Found F = find(S);
  ASSERT_EQ(F.Waits.size(), 1u);
  EXPECT_EQ(F.call(0), "cudaMemcpy");
  EXPECT_EQ(F.total(), S.TrueWait);
  EXPECT_GT(S.TrueWait, 290'000);
}

TEST(Waits, WorkThatWasQueuedBeforeTheRecordingIsWaitedFor) {
  for (bool HasLaunches : {true, false}) {
    Simulator S;
    uint32_t Stream = S.stream(7, StreamFlag::Null);
    Stage Kernel;
    Kernel.Kind = OpKind::Kernel;
    const uint32_t Stage = S.B.addStage(Kernel);
    // Two kernels of earlier launches, and a call that returns after them.
    S.B.addOp(Stream, Stage, -500'000, 300'000, 0);
    S.B.addOp(Stream, Stage, 301'000, 700'000, 0);
    S.call("cudaDeviceSynchronize", 705'000);
    // The next one finds the GPU idle.
    S.call("cudaDeviceSynchronize", 3'000);
    if (HasLaunches)
      S.launch(Stream, 10'000);
    Found F = find(S);
    ASSERT_EQ(F.Waits.size(), 1u);
    EXPECT_EQ(F.Waits[0].Start, 0);
    EXPECT_EQ(F.Waits[0].End, 700'000);
    EXPECT_TRUE(F.Waits[0].Certain);
  }
}

TEST(Waits, WorkWithoutALaunchThatRunsOnIsNotWaitedFor) {
  Simulator S;
  uint32_t Stream = S.stream(7, StreamFlag::Null);
  const uint32_t Stage = S.B.addStage({});
  S.B.addOp(Stream, Stage, -500'000, 100'000, 0);
  S.B.addOp(Stream, Stage, 101'000, 900'000, 0);
  S.call("cudaDeviceSynchronize", 705'000); // 605 us after the first.
  S.launch(Stream, 10'000);
  EXPECT_TRUE(find(S).Waits.empty());
}

TEST(Waits, ItsOwnCopyIsNotPartOfTheWait) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 100'000);
  S.readBack(Null, /*CopyNs=*/5'000'000);
  Found F = find(S);
  ASSERT_EQ(F.Waits.size(), 1u);
  EXPECT_EQ(F.total(), S.TrueWait);
  EXPECT_LT(F.total(), 110'000);
}

TEST(Waits, CopyWithAnIdleGpuDoesNotWait) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 10'000);
  S.work(100'000);
  S.readBack(Null, 1'000'000);
  EXPECT_TRUE(find(S).Waits.empty());
}

TEST(Waits, LegacyStreamWaitsForBlockingStreamsOnly) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Free = S.stream(13, StreamFlag::NonBlocking);
  S.launch(Free, 20'000'000);
  S.readBack(Null);
  EXPECT_TRUE(find(S).Waits.empty());

  Simulator Blocking;
  Null = Blocking.stream(7, StreamFlag::Null);
  uint32_t Created = Blocking.stream(13, StreamFlag::Blocking);
  Blocking.launch(Created, 20'000'000);
  Blocking.readBack(Null);
  Found F = find(Blocking);
  ASSERT_EQ(F.Waits.size(), 1u);
  EXPECT_EQ(F.total(), Blocking.TrueWait);
  EXPECT_EQ(F.Waits[0].Scope, WaitScope::Legacy);
}

TEST(Waits, CopyOnABlockingStreamWaitsForTheLegacyStream) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Created = S.stream(13, StreamFlag::Blocking);
  S.launch(Null, 3'000'000);
  S.readBack(Created);
  Found F = find(S);
  ASSERT_EQ(F.Waits.size(), 1u);
  EXPECT_EQ(F.total(), S.TrueWait);
}

TEST(Waits, AsynchronousCopyToPinnedMemoryDoesNotWait) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 1'000'000);
  S.readBackAsync(Null);
  EXPECT_TRUE(find(S).Waits.empty());
}

TEST(Waits, DeviceSynchronizeAndFreeWaitForEveryStream) {
  for (const char *Call : {"cudaDeviceSynchronize", "cudaFree"}) {
    Simulator S;
    uint32_t Null = S.stream(7, StreamFlag::Null);
    uint32_t Free = S.stream(13, StreamFlag::NonBlocking);
    S.launch(Null, 100'000);
    S.launch(Free, 900'000);
    S.synchronizeDevice(Call);
    Found F = find(S);
    ASSERT_EQ(F.Waits.size(), 1u) << Call;
    EXPECT_EQ(F.total(), S.TrueWait);
    EXPECT_EQ(F.Waits[0].Scope, WaitScope::Device);
  }
}

TEST(Waits, FreeThatReturnsWhileTheGpuWorksDidNotWait) {
  Simulator S; // cudaFree(nullptr), or memory of cudaMallocAsync.
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 1'000'000);
  S.call("cudaFree", 300'000);
  EXPECT_TRUE(find(S).Waits.empty());
}

TEST(Waits, WorkThatHappensToEndDuringAShortCallIsNoEvidence) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 10'000); // Ends 14 us after the start.
  S.call("cudaFree", 15'000);
  EXPECT_TRUE(find(S).Waits.empty());
}

TEST(Waits, SlowCallsThatNeverWaitAreNotBlamed) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 1'000'000);
  S.call("cudaMallocHost", 17'000'000);
  EXPECT_TRUE(find(S).Waits.empty());
}

TEST(Waits, StreamSynchronizeWaitsForTheStreamOfItsRecord) {
  Simulator S;
  uint32_t A = S.stream(13, StreamFlag::NonBlocking);
  uint32_t B = S.stream(14, StreamFlag::NonBlocking);
  S.launch(A, 500'000);
  S.launch(B, 3'000'000);
  S.synchronizeStream(A);
  Found F = find(S);
  ASSERT_EQ(F.Waits.size(), 1u);
  EXPECT_EQ(F.total(), S.TrueWait);
  EXPECT_LT(F.total(), 510'000);
  EXPECT_EQ(F.Waits[0].Scope, WaitScope::Stream);
}

TEST(Waits, EventSynchronizeWaitsForTheWorkThatEndedLast) {
  Simulator S;
  uint32_t A = S.stream(13, StreamFlag::NonBlocking);
  S.launch(A, 500'000);
  int64_t Mark = S.mark(A);
  S.launch(A, 3'000'000);
  S.synchronizeEvent(Mark);
  Found F = find(S);
  ASSERT_EQ(F.Waits.size(), 1u);
  EXPECT_EQ(F.total(), S.TrueWait);
}

TEST(Waits, LaunchBlockedByAFullQueueIsNotAWait) {
  test::Costs C;
  C.QueueLimit = 10;
  Simulator S(C);
  uint32_t Null = S.stream(7, StreamFlag::Null);
  for (int I = 0; I < 50; ++I)
    S.launch(Null, 100'000);
  EXPECT_FALSE(S.B.T.Overheads.empty());
  EXPECT_TRUE(find(S).Waits.empty());
}

TEST(BlockedCalls, AreCountedOncePerInstant) {
  test::Costs C;
  C.QueueLimit = 10;
  Simulator S(C);
  uint32_t Null = S.stream(7, StreamFlag::Null);
  for (int I = 0; I < 50; ++I)
    S.launch(Null, 100'000);
  int64_t Sum = 0;
  for (const Overhead &O : S.B.T.Overheads)
    Sum += O.End - O.Start;
  // Another thread, at the same time, and what is not a full queue.
  const Overhead First = S.B.T.Overheads[0];
  S.B.T.Overheads.push_back(
      {First.Start + 10, First.End - 10, OverheadKind::QueueFull, 2000});
  S.B.T.Overheads.push_back({0, 1'000, OverheadKind::ModuleLoad, 1000});
  Timeline T = S.finish();
  const BlockedCalls All = findBlockedCalls(T, {T.begin(), T.end()});
  EXPECT_GT(Sum, 3'000'000);
  EXPECT_EQ(All.Time, Sum);
  EXPECT_EQ(All.Count, T.Overheads.size() - 1);
  const int64_t Middle = (First.Start + First.End) / 2;
  EXPECT_EQ(findBlockedCalls(T, {First.Start, Middle}).Time,
            Middle - First.Start);
  EXPECT_EQ(findBlockedCalls(T, {0, 100}).Count, 0u);
  const Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(R.Blocked.Time, Sum);
  EXPECT_EQ(R.Waited, 0);
}

TEST(Waits, NestedDriverCallsAreNotCountedTwice) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 1'000'000);
  int64_t Start = S.Now;
  S.readBack(Null);
  S.B.addHost(HostKind::Driver, 0, Start + 100, S.Now - 100,
              S.B.T.Strings.intern("cuMemcpyDtoH_v2"));
  Found F = find(S);
  ASSERT_EQ(F.Waits.size(), 1u);
  EXPECT_EQ(F.call(0), "cudaMemcpy");
}

TEST(Waits, BelongToTheInnermostSiteAroundThem) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Outer = S.site(1, "other", 10, "cublasDestroy");
  uint32_t Inner = S.site(2, "sync", 20, "cudaDeviceSynchronize");
  S.launch(Null, 100'000);
  S.enter(HostKind::Site, Outer);
  S.synchronizeDevice();
  S.launch(Null, 100'000);
  S.enter(HostKind::Site, Inner);
  S.synchronizeDevice();
  S.leave();
  S.leave();
  S.launch(Null, 100'000);
  S.synchronizeDevice();
  Found F = find(S);
  ASSERT_EQ(F.Waits.size(), 3u);
  EXPECT_EQ(F.Waits[0].Site, Outer);
  EXPECT_EQ(F.Waits[1].Site, Inner);
  EXPECT_EQ(F.Waits[2].Site, None);
}

TEST(Waits, AreUnknownWithoutGpuWork) {
  Simulator S;
  S.call("cudaDeviceSynchronize", 1'000'000);
  EXPECT_TRUE(find(S).Waits.empty());
}

namespace {

/// A machine on which this call was measured.
catalogue::Semantics measured(const char *Call, bool Waited,
                              const catalogue::Facts &With = {}) {
  catalogue::Observation O;
  O.Call = Call;
  O.Known = With;
  O.Blocked = {Waited, Waited, Waited, Waited};
  catalogue::Semantics Here;
  Here.Observations.push_back(O);
  return Here;
}

WaitList find(const Timeline &T, const catalogue::Semantics &Here) {
  return findWaits(T, attribute(T), &Here);
}

} // namespace

TEST(Waits, ByTheCatalogueAFreeNeedsEvidence) {
  Simulator S;
  S.launch(S.stream(7, StreamFlag::Null), 15'000);
  S.synchronizeDevice("cudaFree");
  ASSERT_GT(S.TrueWait, 0);
  Timeline T = S.finish();
  EXPECT_TRUE(findWaits(T, attribute(T)).Waits.empty());
  // Measured on the machine, it needs none.
  WaitList List = find(T, measured("cudaFree", true));
  ASSERT_EQ(List.Waits.size(), 1u);
  EXPECT_EQ(List.Waits[0].length(), S.TrueWait);
  EXPECT_EQ(List.Waits[0].Scope, WaitScope::Device);
}

TEST(Waits, WhatWasMeasuredNotToWaitDoesNot) {
  Simulator S;
  S.launch(S.stream(7, StreamFlag::Null), 3'000'000);
  S.synchronizeDevice("cudaFree");
  Timeline T = S.finish();
  EXPECT_EQ(findWaits(T, attribute(T)).Waits.size(), 1u);
  EXPECT_TRUE(find(T, measured("cudaFree", false)).Waits.empty());
}

TEST(Waits, ACopyIsAskedForWithItsArguments) {
  using namespace catalogue;
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 3'000'000);
  S.readBack(Null);
  Timeline T = S.finish();
  Facts ToHost = catalogue::direction(values::DtoH);
  Facts Pageable = destination(values::Pageable);
  Facts Pinned = destination(values::Pinned);
  EXPECT_EQ(findWaits(T, attribute(T)).Waits.size(), 1u);
  EXPECT_TRUE(
      find(T, measured("cudaMemcpy", false, ToHost & Pageable)).Waits.empty());
  EXPECT_EQ(
      find(T, measured("cudaMemcpy", false, ToHost & Pinned)).Waits.size(), 1u);
}
