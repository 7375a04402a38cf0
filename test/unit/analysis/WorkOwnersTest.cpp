// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that work for the ranges of another one, and threads that do not.
#include "Simulator.h"

#include "analysis/Analysis.h"
#include <gtest/gtest.h>
#include <random>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

/// The simulator, with calls of further threads at any time, and operators.
struct Schedule {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint64_t NextId = 1'000'000;

  uint32_t thread(llvm::StringRef Name) { return S.B.addThread(-1, Name); }
  void call(uint32_t Thread, int64_t At, int64_t Ns = 2'000) {
    S.B.addHost(HostKind::Api, Thread, At, At + Ns,
                S.B.T.Strings.intern("cudaGetDevice"), None, 0);
  }
  void launch(uint32_t Thread, int64_t At, int64_t GpuNs = 1'000) {
    S.B.addHost(HostKind::Api, Thread, At, At + 2'000,
                S.B.T.Strings.intern("cudaLaunchKernel"), None, ++NextId);
    S.B.addOp(Null, 0, At + 4'000, At + 4'000 + GpuNs, NextId);
  }
  uint32_t range(llvm::StringRef Name) {
    return S.B.userRange(0, S.B.T.Strings.intern(Name));
  }
};

struct Loop {
  unsigned Steps = 20, Forward = 8, Backward = 40;
  bool InRange = true; ///< The backward pass is in a range of its own.
  bool Links = false, HelperHasRange = false;
  const char *Domain = ""; ///< Of the helper's range.
};

/// A training loop whose backward pass another thread launches.
Timeline train(const Loop &P) {
  Schedule Of;
  Simulator &S = Of.S;
  uint32_t Step = Of.range("step"), Backward = Of.range("backward"),
           Hook = S.B.userRange(S.B.T.Strings.intern(P.Domain),
                                S.B.T.Strings.intern("hook"));
  uint32_t Engine = Of.thread("autograd");
  for (unsigned I = 0; I < P.Steps; ++I) {
    S.enter(HostKind::Range, Step);
    for (unsigned K = 0; K < P.Forward; ++K) {
      S.launch(Of.Null, 1'000);
      S.work(10'000);
    }
    if (P.InRange)
      S.enter(HostKind::Range, Backward);
    S.work(20'000); // The other thread wakes up.
    for (unsigned K = 0; K < P.Backward; ++K) {
      if (P.Links)
        S.B.T.Threads[Engine].Links.push_back({S.Now, 0});
      if (P.HelperHasRange && K == 3)
        S.B.addHost(HostKind::Range, Engine, S.Now, S.Now + 9'000,
                    S.B.T.Strings.intern("hook"), Hook);
      Of.launch(Engine, S.Now + 6'000);
      S.work(10'000);
    }
    S.work(20'000);
    if (P.InRange)
      S.leave();
    for (unsigned K = 0; K < 4; ++K)
      S.launch(Of.Null, 1'000);
    S.leave();
  }
  return S.finish();
}

const RangeRow &rowOf(const Result &R, llvm::StringRef Name) {
  for (const RangeRow &Row : R.Ranges)
    if (Row.Name == Name)
      return Row;
  static const RangeRow Missing;
  ADD_FAILURE() << Name.str();
  return Missing;
}

/// ns of the CPU's idle time by the name of its range; "": in none.
int64_t idleIn(const Timeline &T, const Result &R, llvm::StringRef Range) {
  int64_t Sum = 0;
  for (const ReasonRow &Row : R.Reasons)
    if ((Row.Key.Kind == Cause::HostBusy ||
         Row.Key.Kind == Cause::LaunchBound) &&
        (Row.Key.Site == None ? "" : T.Sites[Row.Key.Site].Function) == Range)
      Sum += Row.Run.Total;
  return Sum;
}

} // namespace

TEST(WorkOwners, ABackwardPassBelongsToTheRangeAroundIt) {
  for (bool Links : {false, true}) {
    Loop P;
    P.Links = Links;
    Timeline T = train(P);
    Result R = llvm::cantFail(analyse(T));
    EXPECT_EQ(idleIn(T, R, ""), 0);
    EXPECT_GT(idleIn(T, R, "backward"), 20 * 40 * 4'000);
    // 40 kernels of 1 us in each; in the step also those of the main thread.
    EXPECT_EQ(rowOf(R, "backward").Gpu, 20 * 40 * 1'000);
    EXPECT_EQ(rowOf(R, "step").Gpu, 20 * (8 + 40 + 4) * 1'000);
    EXPECT_EQ(rowOf(R, "step").GpuSelf, 20 * (8 + 4) * 1'000);
  }
}

TEST(WorkOwners, TheInnermostOpenRangeGetsIt) {
  Loop P;
  P.InRange = false;
  Timeline T = train(P);
  Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(idleIn(T, R, ""), 0);
  EXPECT_EQ(rowOf(R, "step").Gpu, 20 * (8 + 40 + 4) * 1'000);
}

TEST(WorkOwners, LinksTellItOfAThreadWithRangesToo) {
  // As DistributedDataParallel does: its hooks run in the engine's thread.
  Loop P;
  P.HelperHasRange = true;
  Timeline Unlinked = train(P);
  EXPECT_EQ(WorkOwners(Unlinked).ownerAt(1, 500'000), None);
  P.Links = true;
  Timeline T = train(P);
  EXPECT_EQ(WorkOwners(T).ownerAt(1, 500'000), 0u);
  Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(idleIn(T, R, ""), 0);
  EXPECT_EQ(rowOf(R, "hook").Gpu, 20 * 1'000);
  EXPECT_EQ(rowOf(R, "backward").Gpu, 20 * 40 * 1'000);
}

TEST(WorkOwners, RangesOfALibraryAreNotTheThreadsOwn) {
  Loop P;
  P.HelperHasRange = true;
  P.Domain = "NCCL";
  std::vector<Handover> Found = findHandovers(train(P));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Helper, 1u);
}

TEST(WorkOwners, LinksChangeTheOwner) {
  // Two threads train, one engine serves both.
  Schedule Of;
  uint32_t Other = Of.thread("second"), Engine = Of.thread("autograd");
  for (int64_t I = 0; I < 4; ++I)
    Of.S.B.T.Threads[Engine].Links.push_back({1'000 * I, I % 2 ? Other : 0});
  Of.call(0, 0);
  Timeline T = Of.S.finish();
  WorkOwners Owners(T);
  EXPECT_EQ(Owners.ownerAt(Engine, 0), 0u);
  EXPECT_EQ(Owners.ownerAt(Engine, 1), Other);
  EXPECT_EQ(Owners.ownerAt(Engine, 1'000), Other);
  EXPECT_EQ(Owners.ownerAt(Engine, 1'001), 0u);
  EXPECT_EQ(Owners.ownerAt(Engine, 99'000), Other);
  EXPECT_EQ(Owners.ownerAt(0, 500), None);
}

TEST(WorkOwners, APoolOfThreadsWorksForTheOneThatWaits) {
  Schedule Of;
  uint32_t Step = Of.range("step");
  std::vector<uint32_t> Pool = {Of.thread("a"), Of.thread("b")};
  for (unsigned I = 0; I < 20; ++I) {
    Of.S.enter(HostKind::Range, Step);
    for (unsigned K = 0; K < 12; ++K)
      Of.S.launch(Of.Null, 1'000);
    for (unsigned K = 0; K < 20; ++K, Of.S.work(10'000))
      Of.launch(Pool[K % 2], Of.S.Now + 3'000);
    Of.S.launch(Of.Null, 1'000);
    Of.S.leave();
  }
  Timeline T = Of.S.finish();
  std::vector<Handover> Found = findHandovers(T);
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0].Helper, Pool[0]);
  EXPECT_EQ(Found[1].Helper, Pool[1]);
  EXPECT_EQ(Found[1].Owner, 0u);
}

TEST(WorkOwners, AThreadThatIsBusyAllTheTimeWorksForItself) {
  // A prefetcher, beside a main thread that is silent for most of each step.
  for (int64_t Silence : {50'000, 500'000, 5'000'000}) {
    Schedule Of;
    uint32_t Step = Of.range("step");
    uint32_t Loader = Of.thread("prefetch");
    for (unsigned I = 0; I < 30; ++I) {
      Of.S.enter(HostKind::Range, Step);
      for (unsigned K = 0; K < 40; ++K)
        Of.S.launch(Of.Null, 1'000);
      Of.S.work(Silence);
      Of.S.leave();
    }
    for (int64_t At = 1'000; At < Of.S.Now; At += 7'000)
      Of.call(Loader, At);
    EXPECT_TRUE(findHandovers(Of.S.finish()).empty()) << Silence;
  }
}

TEST(WorkOwners, WhereTheMainThreadIsHardlyEverBusyNothingIsKnown) {
  // No call of the other thread happens to meet one of the main thread.
  Schedule Of;
  uint32_t Step = Of.range("step");
  uint32_t Loader = Of.thread("prefetch");
  for (unsigned I = 0; I < 20; ++I) {
    Of.S.enter(HostKind::Range, Step);
    Of.S.launch(Of.Null, 1'000);
    for (unsigned K = 0; K < 50; ++K, Of.S.work(200'000))
      Of.call(Loader, Of.S.Now + 10'000);
    Of.S.leave();
  }
  EXPECT_TRUE(findHandovers(Of.S.finish()).empty());
}

TEST(WorkOwners, AThreadThatCopiesAheadWorksForItself) {
  // Once in each step, for a short time, wherever the main thread then is.
  std::mt19937 Random(1);
  for (bool WhileSilent : {false, true}) {
    Schedule Of;
    uint32_t Step = Of.range("step");
    uint32_t Loader = Of.thread("pin memory");
    for (unsigned I = 0; I < 100; ++I) {
      Of.S.enter(HostKind::Range, Step);
      for (unsigned K = 0; K < 40; ++K)
        Of.S.launch(Of.Null, 1'000);
      int64_t At = Of.S.Now + int64_t(Random() % 1'500'000) -
                   (WhileSilent ? 0 : 100'000);
      for (int64_t K = 0; K < 4; ++K)
        Of.call(Loader, At + K * 5'000);
      Of.S.work(2'000'000);
      Of.S.leave();
    }
    EXPECT_TRUE(findHandovers(Of.S.finish()).empty()) << WhileSilent;
  }
}

TEST(WorkOwners, TwoThreadsWithRangesWorkForThemselves) {
  Schedule Of;
  uint32_t Step = Of.range("step"), Other = Of.range("evaluate");
  uint32_t Second = Of.thread("second");
  for (unsigned I = 0; I < 20; ++I) {
    Of.S.enter(HostKind::Range, Step);
    for (unsigned K = 0; K < 20; ++K)
      Of.S.launch(Of.Null, 1'000);
    int64_t From = Of.S.Now;
    for (unsigned K = 0; K < 20; ++K, Of.S.work(5'000))
      Of.launch(Second, Of.S.Now + 1'000);
    Of.S.B.addHost(HostKind::Range, Second, From, Of.S.Now,
                   Of.S.B.T.Strings.intern("evaluate"), Other);
    Of.S.leave();
  }
  Timeline T = Of.S.finish();
  EXPECT_TRUE(findHandovers(T).empty());
  Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(rowOf(R, "step").Gpu, 20 * 20 * 1'000);
}

TEST(WorkOwners, ThreadsThatTakeTurnsAtAnyPlaceWorkForThemselves) {
  // As Python's lock makes two busy threads do, every few milliseconds.
  std::mt19937 Random(7);
  Schedule Of;
  uint32_t Step = Of.range("step");
  uint32_t Second = Of.thread("second");
  unsigned Left = 150;
  for (unsigned I = 0; I < 200; ++I) {
    Of.S.enter(HostKind::Range, Step);
    for (unsigned K = 0; K < 300; ++K) {
      Of.S.launch(Of.Null, 1'000);
      Of.S.work(5'000);
      if (--Left)
        continue;
      Left = 100 + Random() % 400;
      for (unsigned N = 0; N < 300; ++N, Of.S.work(7'000))
        Of.call(Second, Of.S.Now + 2'000);
    }
    Of.S.leave();
  }
  EXPECT_TRUE(findHandovers(Of.S.finish()).empty());
}

TEST(WorkOwners, IndependentThreadsAreNeverClaimed) {
  // Bursts of calls and pauses of random lengths, on each thread for itself.
  for (unsigned Seed = 0; Seed < 400; ++Seed) {
    std::mt19937 Random(Seed);
    Schedule Of;
    auto Below = [&Random](int64_t N) { return int64_t(Random() % N); };
    uint32_t Step = Of.range("step");
    uint32_t Second = Of.thread("second");
    const int64_t MeanPause = 1'000 << Below(14), Burst = 1 + Below(60);
    const int64_t OtherPause = 1'000 << Below(14), OtherBurst = 1 + Below(60);
    for (unsigned I = 0; I < 60; ++I) {
      Of.S.enter(HostKind::Range, Step);
      for (int64_t K = 0; K < Burst; ++K, Of.S.work(Below(10'000)))
        Of.S.launch(Of.Null, 500);
      Of.S.work(Below(2 * MeanPause));
      Of.S.leave();
    }
    for (int64_t At = Below(100'000); At < Of.S.Now;
         At += Below(2 * OtherPause))
      for (int64_t K = 0; K < OtherBurst; ++K, At += 2'000 + Below(10'000))
        Of.call(Second, At);
    EXPECT_TRUE(findHandovers(Of.S.finish()).empty()) << Seed;
  }
}

TEST(WorkOwners, RandomBackwardPassesAreFound) {
  for (unsigned Seed = 0; Seed < 100; ++Seed) {
    std::mt19937 Random(Seed);
    Loop P;
    P.Steps = 6 + Random() % 30;
    P.Forward = 4 + Random() % 60;
    P.Backward = 10 + Random() % 120;
    P.InRange = Random() % 2;
    std::vector<Handover> Found = findHandovers(train(P));
    ASSERT_EQ(Found.size(), 1u) << Seed;
    EXPECT_EQ(Found[0].Helper, 1u);
    EXPECT_EQ(Found[0].Owner, 0u);
  }
}
