// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The replay against a model that can really leave the wait out.
#include "GainOf.h"
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "analysis/common/Statistics.h"
#include "analysis/decisions/Decisions.h"

#include <gtest/gtest.h>
#include <random>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

/// A program of random calls on three streams.
void randomProgram(Simulator &S, unsigned Seed) {
  std::mt19937 Random(Seed);
  auto Below = [&](unsigned N) { return Random() % N; };
  uint32_t Streams[] = {S.stream(7, StreamFlag::Null),
                        S.stream(13, StreamFlag::Blocking),
                        S.stream(14, StreamFlag::NonBlocking)};
  uint32_t Copy = S.site(0x1, "copy", 10, "cudaMemcpy");
  uint32_t Sync = S.site(0x2, "sync", 20, "cudaDeviceSynchronize");
  for (unsigned I = 0; I < 200; ++I) {
    uint32_t Stream = Streams[Below(3)];
    switch (Below(12)) {
    case 0:
      S.enter(HostKind::Site, Copy);
      S.readBack(Stream);
      S.leave();
      break;
    case 1:
      S.enter(HostKind::Site, Sync);
      S.synchronizeDevice();
      S.leave();
      break;
    case 2:
      S.synchronizeStream(Stream);
      break;
    case 3:
      S.readBackAsync(Stream);
      break;
    case 4:
      S.work(Below(100'000));
      break;
    default:
      S.launch(Stream, 500 + Below(60'000));
      S.work(Below(3'000));
    }
  }
  S.call("cudaGetLastError", 100); // The end of the program is in the trace.
}

int64_t sumOf(const std::vector<Wait> &Waits) {
  int64_t Sum = 0;
  for (const Wait &W : Waits)
    Sum += W.length();
  return Sum;
}

} // namespace

TEST(WhatIf, RandomSchedulesKeepTheInvariants) {
  for (unsigned Seed = 0; Seed < 200; ++Seed) {
    SCOPED_TRACE(Seed);
    Simulator S;
    randomProgram(S, Seed);
    int64_t TrueWait = S.TrueWait;
    Timeline T = S.finish();
    Attribution A = attribute(T);
    WaitList Waits = findWaits(T, A);
    EXPECT_EQ(sumOf(Waits.Waits), TrueWait);

    Replay Player(T, A, Waits);
    ASSERT_EQ(Player.obstacle(), "");
    EXPECT_EQ(Player.end({}, {false, false, false}), T.end());
    EXPECT_EQ(Player.end({}, {true, true, false}), T.end());

    Result R = llvm::cantFail(analyse(T));
    int64_t Sum = R.Devices[0].Busy, Exposed = 0;
    for (const CauseTotal &C : R.Gaps)
      Sum += C.Total;
    EXPECT_EQ(Sum, R.Devices[0].span());
    for (const SiteRow &Row : R.Sites) {
      Exposed += *Row.Exposed;
      EXPECT_LE(0, Row.Gained->Low);
      EXPECT_LE(Row.Gained->Low, Row.Gained->High);
    }
    EXPECT_EQ(Exposed, R.Gaps[unsigned(Cause::ExposedWait)].Total);
  }
}

TEST(WhatIf, PredictsTheGainOfDeferringTheLoss) {
  // Launch-bound, in between, GPU-bound.
  for (int64_t Kernel : {500, 2'000, 5'000, 20'000, 100'000}) {
    SCOPED_TRACE(Kernel);
    test::Training P;
    P.Steps = 50;
    P.KernelNs = Kernel;
    Timeline T = test::simulateTraining(P);
    Result R = analyse(T, Steps());
    const SiteRow *Print = nullptr;
    for (const SiteRow &Row : R.Sites)
      if (Row.Call == "cudaMemcpy")
        Print = &Row;
    ASSERT_TRUE(Print);
    int64_t Whole = test::trainingEnd(P, false);
    int64_t Truth = Whole - test::trainingEnd(P, true);
    EXPECT_GT(Truth, 0);
    EXPECT_LE(Print->Gained->Low, Truth);
    EXPECT_GE(Print->Gained->High, Truth);
    // And the interval says something: it is narrow.
    EXPECT_LE(Print->Gained->High - Print->Gained->Low, Whole * 8 / 100);
  }
}

TEST(WhatIf, TheTruthIsInTheIntervalForRandomSchedules) {
  int64_t Width = 0, Whole = 0;
  for (unsigned Seed = 0; Seed < 200; ++Seed) {
    for (llvm::StringRef Call : {"cudaMemcpy", "cudaDeviceSynchronize"}) {
      SCOPED_TRACE(Call.str() + " " + std::to_string(Seed));
      Simulator Recorded, Without;
      randomProgram(Recorded, Seed);
      Without.Dropped = Call.str();
      randomProgram(Without, Seed);
      int64_t Truth = Recorded.end() - Without.end();
      Timeline T = Recorded.finish();
      Attribution A = attribute(T);
      WaitList Waits = findWaits(T, A);
      uint32_t Group = None;
      for (const Wait &W : Waits.Waits)
        if (T.Strings[T.Host.Name[W.Call]] == Call)
          Group = groupOf(T, A, W.Call);
      if (Group == None)
        continue;
      Gain Found = test::gainOf(Replay(T, A, Waits), {Edit::Remove, {Group}});
      // Single launches and pauses take a little longer or shorter than
      // typical.
      int64_t Slack = T.end() / 400;
      EXPECT_LE(Found.Low, Truth + Slack);
      EXPECT_GE(Found.High, Truth - Slack);
      Width += Found.High - Found.Low;
      Whole += T.end();
    }
  }
  EXPECT_LT(Width, Whole * 2 / 100);
}

TEST(WhatIf, LongWaitWithABusyGpuGainsNothing) {
  test::Training P;
  P.KernelNs = 2'000'000;
  P.Steps = 30;
  Timeline T = test::simulateTraining(P);
  Result R = llvm::cantFail(analyse(T));
  EXPECT_GT(R.Waited, R.Span * 95 / 100);
  const SiteRow &Print = R.Sites[0];
  EXPECT_EQ(Print.Call, "cudaMemcpy");
  EXPECT_LT(Print.Gained->High, R.Span / 100);
  EXPECT_EQ(Print.Judged.Kind, Verdict::NotWorthIt);
}

namespace {

/// Two threads that take turns: one waits for its work and then hands over to
/// the other, `Rounds` times.
Timeline takingTurns(unsigned Rounds, bool Waits) {
  Simulator S;
  uint32_t A = S.stream(13, StreamFlag::NonBlocking);
  uint32_t Other = S.addThread();
  S.Dropped = Waits ? "" : "cudaStreamSynchronize";
  for (unsigned I = 0; I < Rounds; ++I) {
    S.launch(A, 100'000);
    S.synchronizeStream(A);
    S.work(20'000);
    int64_t At = S.Now;
    S.runThread(Other);
    S.Now = At + 1'000;
    S.launch(A, 100'000);
    S.work(10'000);
    At = S.Now;
    S.runThread(0);
    S.Now = At + 1'000;
  }
  return S.finish();
}

} // namespace

TEST(WhatIf, ThreadsThatTakeTurnsAreInTheInterval) {
  Timeline T = takingTurns(20, true);
  int64_t Truth = T.end() - takingTurns(20, false).end();
  EXPECT_GT(Truth, 0);
  Attribution A = attribute(T);
  WaitList Waits = findWaits(T, A);
  Replay Player(T, A, Waits);
  EXPECT_TRUE(Player.hasSeveralThreads());
  Gain Found = test::gainOf(Player, Plan::withoutWaits());
  EXPECT_LE(Found.Low, Truth);
  EXPECT_GE(Found.High, Truth);
  // Had each thread gone on by itself, the other one would still be late.
  EXPECT_EQ(Player.end({}, {false, false, true}), T.end());
  EXPECT_LT(Found.Low, Found.High);
}

// They may fill the GPU, or leave room for each other: the recording shows
// neither.
TEST(WhatIf, KernelsThatNeverOverlappedMayStayApart) {
  constexpr int64_t Kernel = 100'000, Rounds = 40;
  Simulator S;
  const uint32_t Streams[] = {S.stream(13, StreamFlag::NonBlocking),
                              S.stream(14, StreamFlag::NonBlocking)};
  for (int64_t I = 0; I < Rounds; ++I)
    for (uint32_t Stream : Streams) {
      S.launch(Stream, Kernel);
      S.synchronizeStream(Stream);
      S.work(20'000);
    }
  const Timeline T = S.finish();
  const int64_t Idle = T.end() - T.begin() - 2 * Rounds * Kernel;
  const Attribution A = attribute(T);
  const WaitList Waits = findWaits(T, A);
  const Gain Found = test::gainOf(Replay(T, A, Waits), Plan::withoutWaits());
  EXPECT_LE(Found.Low, Idle);
  EXPECT_GT(Found.Low, Idle / 2);
  EXPECT_GT(Found.High, Idle + Rounds * Kernel * 3 / 4);
}

TEST(WhatIf, PostponingIsAWaitOneRoundLater) {
  test::Training P;
  P.Steps = 50;
  for (int64_t Kernel : {2'000, 20'000, 100'000}) {
    SCOPED_TRACE(Kernel);
    P.KernelNs = Kernel;
    Timeline T = test::simulateTraining(P);
    Attribution A = attribute(T);
    WaitList Waits = findWaits(T, A);
    Replay Player(T, A, Waits);
    uint32_t Group = groupOf(T, A, Waits.Waits.front().Call);
    for (bool High : {false, true}) {
      int64_t Removed = Player.end({Edit::Remove, {Group}}, {High, High}),
              Async = Player.end({Edit::MakeAsync, {Group}}, {High, High}),
              Postponed = Player.end({Edit::Postpone, {Group}}, {High, High});
      // The further the CPU is ahead, the longer the pauses may be.
      int64_t Slack =
          High ? 0
               : int64_t(T.Ops.size()) * Pauses::longerWith(Pauses::DeepQueue);
      EXPECT_LE(Removed, Async + Slack);
      EXPECT_LE(Async, Postponed + Slack);
      EXPECT_LT(Postponed, T.end());
    }
  }
}

TEST(WhatIf, WorkFromBeforeTheRecordingIsNoObstacle) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.work(50'000);
  S.launch(Null, 10'000);
  S.B.addOp(Null, 0, 1'000, 20'000, 0);
  S.synchronizeDevice();
  S.launch(Null, 10'000);
  Timeline T = S.finish();
  Attribution A = attribute(T);
  WaitList Waits = findWaits(T, A);
  Replay Player(T, A, Waits);
  EXPECT_EQ(Player.obstacle(), "");
  EXPECT_EQ(Player.end({}, {}), T.end());
}

namespace {

/// A loop that reads a number back with an operator, in which the CPU works for
/// 30 us outside of calls; with `Launches` the operator also launches a kernel.
/// The CPU works for `StepNs` more in each step.
Timeline readingBack(bool Reads, int64_t KernelNs, int64_t StepNs,
                     bool Launches = false) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Item =
      S.site(0x1, OperatorKind, 0, "aten::item > aten::_local_scalar_dense");
  std::vector<OperatorRun> Operators;
  for (unsigned I = 0; I < 30; ++I) {
    S.work(StepNs);
    for (unsigned K = 0; K < 5; ++K)
      S.launch(Null, KernelNs);
    if (!Reads)
      continue;
    const int64_t Start = S.Now;
    S.work(10'000);
    S.enter(HostKind::Site, Item);
    S.work(5'000);
    if (Launches)
      S.launch(Null, 2'000);
    S.readBack(Null);
    S.leave();
    S.work(15'000);
    Operators.push_back({Start, S.Now, S.B.T.Strings.intern("aten::item")});
  }
  S.call("cudaGetLastError", 100);
  Timeline T = S.finish();
  T.Threads[0].Operators = std::move(Operators);
  T.Info.Mode.clear(); // Another profiler recorded it.
  T.Info.Source.Producer = "the PyTorch profiler";
  return T;
}

/// Of the one row that waits.
const SiteRow *waitingRow(const Result &R) {
  for (const SiteRow &Row : R.Sites)
    if (Row.Waits)
      return &Row;
  return nullptr;
}

} // namespace

TEST(WhatIf, RemovingAReadBackSavesItsOperator) {
  // CPU-bound: the step takes what the CPU takes.
  const Timeline T = readingBack(true, 8'000, 100'000);
  const int64_t Truth = T.end() - readingBack(false, 8'000, 100'000).end();
  const Result R = analyse(T, Steps());
  const SiteRow *Item = waitingRow(R);
  ASSERT_TRUE(Item);
  // 30 us outside of calls, and the copy's own call.
  EXPECT_GE(Item->Gained->Low, 30 * 30'000);
  const auto Expected = gainOfRemoving(R, uint32_t(Item - R.Sites.data()));
  ASSERT_TRUE(Expected && Expected->Recorded);
  EXPECT_LE(Expected->Saved.Low, Truth + T.end() / 100);
  EXPECT_GE(Expected->Saved.High, Truth - T.end() / 100);
  EXPECT_TRUE(Expected->isWorthIt());
}

TEST(WhatIf, ABusyGpuHidesTheOperator) {
  const Timeline T = readingBack(true, 100'000, 10'000);
  const Result R = analyse(T, Steps());
  const SiteRow *Item = waitingRow(R);
  ASSERT_TRUE(Item);
  // What the CPU does while the GPU idles is in the exposed stall and after
  // it; the GPU's work is not shorter for it.
  const int64_t Busy = R.Devices[0].Busy;
  const auto Expected = gainOfRemoving(R, uint32_t(Item - R.Sites.data()));
  ASSERT_TRUE(Expected);
  EXPECT_LE(Expected->Saved.High, R.Span - Busy);
}

TEST(WhatIf, AnOperatorThatAlsoLaunchesStays) {
  const Timeline T = readingBack(true, 8'000, 100'000, /*Launches=*/true);
  const Result R = analyse(T, Steps());
  const SiteRow *Item = waitingRow(R);
  ASSERT_TRUE(Item);
  // The CPU's time in the operator remains.
  EXPECT_LT(Item->Gained->Low, 30 * 30'000);
}

TEST(WhatIf, ALibraryThatLeavesItsResultReadsNothingBack) {
  for (llvm::StringRef Call : {"cublasDdot", "thrust::reduce"}) {
    SCOPED_TRACE(Call.str());
    Simulator S;
    uint32_t Null = S.stream(7, StreamFlag::Null);
    uint32_t Loop = S.site(0x11, "loop", 12, "for");
    uint32_t Site = S.site(0x12, "other", 20, Call);
    for (unsigned Step = 0; Step < 60; ++Step) {
      S.enter(HostKind::Range, Loop);
      S.launch(Null, 20'000);
      S.enter(HostKind::Site, Site);
      S.launch(Null, 5'000);
      S.readBack(Null, 2'000);
      S.leave();
      S.work(10'000);
      S.leave();
    }
    Timeline T = S.finish();
    Result R = llvm::cantFail(analyse(T));
    ASSERT_FALSE(R.Sites.empty());
    EXPECT_EQ(R.Sites[0].Call, Call);
    const auto &Mild = R.WhatIfs.Mild, &Strong = R.WhatIfs.Strong;
    ASSERT_TRUE(Mild && Strong);
    EXPECT_GT(Strong->Saved.Low, 0);
    if (Call == "cublasDdot")
      EXPECT_EQ(Mild->Saved.High, Strong->Saved.High);
    else
      EXPECT_LT(Mild->Saved.High, Strong->Saved.High);
  }
}

TEST(WhatIf, AnObjectThatIsCreatedOnceSavesItsAllocation) {
  Timeline T = test::simulateTemporary(),
           After = test::simulateTemporary(/*Once=*/true);
  Result R = llvm::cantFail(analyse(T)),
         Better = llvm::cantFail(analyse(After));
  ASSERT_FALSE(R.Sites.empty());
  EXPECT_EQ(R.Sites[0].Call, "thrust::device_vector::device_vector");
  // Its destructor goes with it.
  ASSERT_EQ(R.WhatIfs.Changes.Members.size(), 1u);
  EXPECT_EQ(R.WhatIfs.Changes.Members[0].Changed.Kind, Remedy::Allocate);
  const auto Steps = int64_t(R.InSteps->Count);
  const Gain Once{R.WhatIfs.Mild->Saved.Low / Steps,
                  R.WhatIfs.Mild->Saved.High / Steps};
  const int64_t Truth = median(R.Steps.times()) - median(Better.Steps.times());
  EXPECT_GT(Truth, 35'000);
  EXPECT_GE(Once.High, Truth - 1'000);
  EXPECT_LE(Once.Low, Truth);
  // At most the work on the GPU remains, and a launch.
  EXPECT_GE(Once.Low, Truth - 10'000);
}

TEST(WhatIf, CreatingAndDestroyingIsOneChange) {
  // The destructor waits, too, and is the more expensive one.
  Timeline T = test::simulateTemporary(/*Once=*/false, /*FreeWaits=*/true);
  const Result R = llvm::cantFail(analyse(T));
  size_t Changes = 0;
  for (const SiteRow &Row : R.Sites)
    Changes += Row.Judged.Kind == Verdict::MakeAsync;
  EXPECT_EQ(Changes, 1u);
  ASSERT_GE(R.Sites.size(), 2u);
  EXPECT_EQ(R.Sites[1].Judged.Kind, Verdict::NotWorthIt);
  EXPECT_EQ(R.Sites[1].Judged.Why, Grounds::IncludedInPartner);
  EXPECT_EQ(R.Sites[1].Judged.Instead, R.Sites[0].Call);
  EXPECT_EQ(R.Sites[0].Promised.By, Remedy::Allocate);
}
