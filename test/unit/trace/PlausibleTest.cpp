// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times that cannot be, one at a time in a loop that is known; and what looks
// like them and is right.
#include "trace/import/Collected.h"

#include <gtest/gtest.h>

using namespace autoprof::trace;

namespace {

constexpr int64_t Ms = 1'000'000, Second = 1'000 * Ms, Day = 86'400 * Second;
/// Not 0, as profilers have it.
constexpr int64_t Zero = 1'600'000'000 * Second;

/// `Steps` times 1 ms: a launch, its kernel of 0.5 ms, and a wait for it.
struct Loop {
  Collected C;
  uint32_t Queue, Stage, Thread;
  uint64_t LastId = 0;

  explicit Loop(unsigned Steps = 20) {
    Thread = C.Builder.addThread(1, "");
    Queue = C.Builder.queue(0, 1, 7);
    Stage = C.Builder.addStage({});
    for (unsigned I = 0; I < Steps; ++I) {
      const int64_t Start = I * Ms;
      launch(Start, Start + 10'000, Ms / 2);
      call("cudaStreamSynchronize", Start + 50'000, Ms / 2);
    }
  }
  void call(const char *Name, int64_t Start, int64_t Ns, uint64_t Id = 0,
            HostRole Role = HostRole::Api) {
    C.Host.push_back({Zero + Start, Zero + Start + Ns, Id,
                      C.Builder.T.Strings.intern(Name), Thread, Role});
  }
  void op(int64_t Start, int64_t Ns, uint64_t Id) {
    C.Ops.push_back({Zero + Start, Zero + Start + Ns, Id, Queue, Stage});
  }
  void launch(int64_t At, int64_t Start, int64_t Ns) {
    call("cudaLaunchKernel", At, 5'000, ++LastId);
    op(Start, Ns, LastId);
  }
  HostRow &launchOf(size_t Step) { return C.Host[2 * Step]; }

  /// How many rows are left out; the trace must then be as long as the loop.
  uint64_t leftOut(int64_t Longest = 21 * Ms) {
    const Timeline T = C.finish();
    EXPECT_LE(T.end() - T.begin(), Longest);
    return T.Unread.EventsInvalid;
  }
};

} // namespace

TEST(Plausible, ALoopIs) {
  EXPECT_EQ(Loop().leftOut(), 0u);
  EXPECT_EQ(Loop(0).leftOut(), 0u);
  EXPECT_EQ(Loop(1).leftOut(), 0u);
}

TEST(Plausible, AnOperationAtZeroIsNot) {
  for (size_t Step : {0, 7, 19}) {
    Loop L;
    L.C.Ops[Step].Start = L.C.Ops[Step].End = 0;
    EXPECT_EQ(L.leftOut(), 1u);
  }
  Loop Short(2);
  Short.C.Ops[1].Start = Short.C.Ops[1].End = 0;
  EXPECT_EQ(Short.leftOut(), 1u);
}

TEST(Plausible, ACallAtZeroIsNot) {
  Loop L;
  L.launchOf(0).Start = L.launchOf(0).End = 0;
  EXPECT_EQ(L.leftOut(), 1u);
}

TEST(Plausible, WhatIsDaysAwayIsNot) {
  for (int64_t Away : {-3000 * Day, -3 * Day, 3 * Day, 3000 * Day})
    for (HostRole Role : {HostRole::Range, HostRole::Operator, HostRole::Api}) {
      Loop L;
      L.call("a", Away, 5'000, 0, Role);
      L.call("b", Away + Ms, 5'000, 0, Role);
      EXPECT_EQ(L.leftOut(), 2u);
    }
}

TEST(Plausible, AnEndBeyondAllOthersIsNot) {
  for (size_t Step : {0, 10, 19}) {
    Loop Ops, Calls;
    Ops.C.Ops[Step].End = Zero + 20 * Day;
    EXPECT_EQ(Ops.leftOut(), 1u);
    Calls.launchOf(Step).End = Zero + 20 * Day;
    EXPECT_EQ(Calls.leftOut(), 1u);
    Loop Operators;
    Operators.call("aten::add", int64_t(Step) * Ms, 20 * Day, 0,
                   HostRole::Operator);
    EXPECT_EQ(Operators.leftOut(), 1u);
  }
}

TEST(Plausible, OtherRecordsFarOutsideAreNot) {
  Loop L;
  L.C.Overheads.push_back({0, 5, OverheadKind::Other, -1});
  L.C.Overheads.push_back(
      {Zero + Ms, Zero + 3 * Day, OverheadKind::QueueFull, -1});
  L.C.Overheads.push_back(
      {Zero + Ms, Zero + 2 * Ms, OverheadKind::QueueFull, -1});
  const Timeline T = L.C.finish();
  EXPECT_EQ(T.Unread.EventsInvalid, 2u);
  EXPECT_EQ(T.Overheads.size(), 1u);
}

TEST(Plausible, SeveralAtOnceAreNot) {
  Loop L(400);
  L.C.Ops[3].Start = L.C.Ops[3].End = 0;
  L.launchOf(70).End += 100 * Day;
  L.launchOf(90).Start = L.launchOf(90).End = Zero + 40 * Day;
  EXPECT_EQ(L.leftOut(401 * Ms), 3u);
}

TEST(Plausible, StartUpAndItsPausesAre) {
  // Ten minutes of loading in front of 20 ms of work.
  Loop L;
  for (int64_t At : {600, 599, 400, 399})
    L.launch(-At * Second, -At * Second + 9'000, 5'000);
  EXPECT_EQ(L.leftOut(601 * Second), 0u);
  // The first call creates the context.
  Loop First;
  First.call("cudaMalloc", -15 * Second, 15 * Second - Ms);
  EXPECT_EQ(First.leftOut(16 * Second), 0u);
  // A range around all of it, and one around the loading.
  Loop Ranges(2000);
  Ranges.call("main", -300 * Second, 303 * Second, 0, HostRole::Range);
  Ranges.call("load", -299 * Second, 298 * Second, 0, HostRole::Range);
  EXPECT_EQ(Ranges.leftOut(304 * Second), 0u);
}

TEST(Plausible, ALongLastKernelThatWasWaitedForIs) {
  Loop L;
  L.launch(20 * Ms, 20 * Ms + 9'000, 30 * Second);
  L.call("cudaDeviceSynchronize", 21 * Ms, 30 * Second);
  EXPECT_EQ(L.leftOut(31 * Second), 0u);
  // At the end of a short trace, and nobody waited.
  Loop Short;
  Short.launch(20 * Ms, 20 * Ms + 9'000, 2 * Second);
  EXPECT_EQ(Short.leftOut(3 * Second), 0u);
}

TEST(Plausible, BranchesOfAGraphAre) {
  Loop L(40);
  L.call("cudaGraphLaunch", 40 * Ms, 9'000, 1'000);
  L.op(41 * Ms, 20 * Ms, 1'000);
  for (int I = 0; I < 8; ++I)
    L.op((42 + I) * Ms, Ms / 2, 1'000);
  EXPECT_EQ(L.leftOut(62 * Ms), 0u);
}

TEST(Plausible, ProcessesThatShareAStreamNumberAre) {
  // The calls of each have numbers of their own.
  Loop L;
  for (int64_t I = 0; I < 20; ++I) {
    L.call("cudaLaunchKernel", I * Ms + 20'000, 5'000, 100 - I);
    L.op(I * Ms + 100'000, Ms / 4, 100 - I);
  }
  EXPECT_EQ(L.leftOut(), 0u);
}
