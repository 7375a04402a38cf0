// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole transfers, against a model in which the memory can really be pinned.
#include "GainOf.h"
#include "Simulator.h"

#include "analysis/Analysis.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

constexpr uint64_t MiB = 1024 * 1024;

struct Loop {
  Direction Dir = Direction::HtoD;
  uint64_t Bytes = 7 * MiB;
  MemoryKind Memory = MemoryKind::Pageable;
  bool Async = false, Copies = true;
  unsigned Kernels = 20;
  int64_t KernelNs = 20'000;
  unsigned Steps = 40;
};

Timeline simulate(const Loop &L) {
  Simulator S;
  const uint32_t Null = S.stream(7, StreamFlag::Null);
  const uint32_t For = S.site(0x11, "loop", 12, "for", "src/train.cu", "main"),
                 Site = S.site(0x12, "copy", 14,
                               L.Async ? "cudaMemcpyAsync" : "cudaMemcpy");
  for (unsigned Step = 0; Step < L.Steps; ++Step) {
    S.enter(HostKind::Range, For);
    if (L.Copies) {
      S.enter(HostKind::Site, Site);
      S.transfer(Null, L.Dir, L.Bytes, L.Memory, L.Async);
      S.leave();
    }
    for (unsigned K = 0; K < L.Kernels; ++K)
      S.launch(Null, L.KernelNs);
    S.leave();
  }
  return S.finish();
}

/// ns, of the steps that count.
int64_t timeOfSteps(const Loop &L) {
  const Timeline T = simulate(L);
  return llvm::cantFail(analyse(T)).InSteps->Span;
}

const WhatIfRow *answer(const Result &R, Edit Kind) {
  for (const WhatIfRow &Row : R.WhatIfs.Answers)
    if (Row.Kind == Kind && Row.Transfer != None)
      return &Row;
  return nullptr;
}

/// The truth lies in the interval, widened by what the simulated calls' own
/// overhead (Simulator::enter) and a pause make, and the interval has a width.
void expectContains(const PlanAnswer *Row, int64_t Before, int64_t After) {
  ASSERT_TRUE(Row);
  constexpr int64_t Slack = 4'000 * 36; // Steps that count.
  EXPECT_LT(Row->Saved.Low, Row->Saved.High);
  EXPECT_LE(Row->Saved.Low, Before - After + Slack);
  EXPECT_GE(Row->Saved.High, Before - After - Slack);
}

catalogue::Semantics calibration() {
  catalogue::Semantics S;
  for (bool ToDevice : {true, false})
    for (uint64_t Bytes : {MiB, 16 * MiB, 64 * MiB}) {
      const int64_t Ns = Simulator::pinnedTime(Bytes);
      S.Machine.Copies.push_back({ToDevice, /*Pinned=*/true, int64_t(Bytes), 9,
                                  Ns, Ns, Ns, Ns + 5'000});
    }
  S.Machine.Pauses.push_back({/*ChangesEngine=*/true, 0, 60, 900, 1'000});
  return S;
}

} // namespace

TEST(Transfers, PriceTheWholeCopy) {
  const Loop L;
  const Timeline T = simulate(L);
  const Result R = llvm::cantFail(analyse(T));
  ASSERT_EQ(R.Transfers.size(), 1u);
  const TransferRow &Row = R.Transfers[0];
  EXPECT_EQ(Row.Dir, Direction::HtoD);
  EXPECT_EQ(Row.Memory, MemoryKind::Pageable);
  EXPECT_TRUE(Row.Blocks);
  EXPECT_EQ(Row.Run.Count, L.Steps);
  EXPECT_EQ(Row.Run.Bytes, L.Steps * L.Bytes);
  EXPECT_EQ(Row.Run.Gpu / L.Steps, int64_t(double(L.Bytes) / 14));
  // It waits for the kernels of the step before, but for a launch of them.
  EXPECT_NEAR(double(Row.Run.Waiting) / L.Steps, 350'000, 50'000);
  EXPECT_NEAR(double(Row.Run.Host - Row.Run.Waiting) / L.Steps,
              double(L.Bytes) / 14 + 70'000, 10'000);
  ASSERT_TRUE(Row.Steps);
  EXPECT_EQ(Row.Steps->Count, R.InSteps->Count);
  EXPECT_EQ(Row.Steps->Bytes, R.InSteps->Count * L.Bytes);
  EXPECT_LT(Row.Steps->Host, Row.Run.Host);
}

TEST(Transfers, PredictPinning) {
  const catalogue::Semantics Measured = calibration();
  for (Direction Dir : {Direction::HtoD, Direction::DtoH})
    for (uint64_t Bytes : {MiB, 7 * MiB, 32 * MiB})
      for (unsigned Kernels : {5, 40}) {
        SCOPED_TRACE(std::to_string(Bytes / MiB) + " MiB, " +
                     std::to_string(Kernels) + " kernels, " +
                     (Dir == Direction::HtoD ? "up" : "down"));
        Loop L;
        L.Dir = Dir;
        L.Bytes = Bytes;
        L.Kernels = Kernels;
        const Timeline T = simulate(L);
        const Result R = llvm::cantFail(analyse(T, "", &Measured));
        const int64_t Before = timeOfSteps(L);
        L.Memory = MemoryKind::Pinned;
        expectContains(answer(R, Edit::Pin), Before, timeOfSteps(L));
        L.Async = true;
        expectContains(answer(R, Edit::PinAsync), Before, timeOfSteps(L));
        L.Copies = false;
        expectContains(answer(R, Edit::RemoveTransfer), Before, timeOfSteps(L));
      }
}

TEST(Transfers, StateWhereTheRateComesFrom) {
  Loop L;
  L.Dir = Direction::DtoH; // No copy and kernel are queued together.
  const Timeline T = simulate(L);
  const Result BuiltIn = llvm::cantFail(analyse(T));
  ASSERT_TRUE(BuiltIn.Transfers[0].Pinned);
  EXPECT_EQ(BuiltIn.Transfers[0].Pinned->From, ConstantSource::BuiltIn);
  const catalogue::Semantics Measured = calibration();
  const Result Calibrated = llvm::cantFail(analyse(T, "", &Measured));
  EXPECT_EQ(Calibrated.Transfers[0].Pinned->From, ConstantSource::Calibration);
  EXPECT_EQ(Calibrated.Constants->Pauses[1], ConstantSource::Calibration);
  // The built-in interval is wide: it holds what was measured.
  const PinnedCopies::Estimate Narrow = *Calibrated.Transfers[0].Pinned,
                               Wide = *BuiltIn.Transfers[0].Pinned;
  EXPECT_LE(Wide.Short, Narrow.Long);
  EXPECT_GE(Wide.Long, Narrow.Short);
}

TEST(Transfers, TakeTheRateOfTheRecordingFirst) {
  Simulator S;
  const uint32_t Null = S.stream(7, StreamFlag::Null);
  for (unsigned I = 0; I < 10; ++I)
    S.transfer(Null, Direction::HtoD, 2 * MiB, MemoryKind::Pinned);
  const Timeline T = S.finish();
  const catalogue::Semantics Measured = calibration();
  const PinnedCopies Pinned(T, &Measured);
  const PinnedCopies::Estimate Up = Pinned.of(Direction::HtoD, 4 * MiB);
  EXPECT_EQ(Up.From, ConstantSource::Recording);
  EXPECT_LE(Up.Short, Simulator::pinnedTime(4 * MiB));
  EXPECT_GE(Up.Long, Simulator::pinnedTime(4 * MiB));
  // Nothing was copied the other way, and nothing nearly as large.
  EXPECT_EQ(Pinned.of(Direction::DtoH, 2 * MiB).From,
            ConstantSource::Calibration);
  EXPECT_EQ(Pinned.of(Direction::HtoD, 40 * MiB).From,
            ConstantSource::Calibration);
  EXPECT_EQ(Pinned.of(Direction::HtoD, 1024 * MiB).From,
            ConstantSource::BuiltIn);
}

TEST(Transfers, AskNothingOfSmallOnes) {
  Loop L;
  L.Bytes = 4;
  L.Dir = Direction::DtoH;
  const Timeline T = simulate(L);
  const Result R = llvm::cantFail(analyse(T));
  EXPECT_FALSE(answer(R, Edit::Pin));
  EXPECT_FALSE(answer(R, Edit::RemoveTransfer));
  EXPECT_EQ(R.Transfers.size(), 1u);
}

TEST(Transfers, DoNotPinWhatIsPinned) {
  Loop L;
  L.Memory = MemoryKind::Pinned;
  const Timeline T = simulate(L);
  const Result R = llvm::cantFail(analyse(T));
  EXPECT_FALSE(answer(R, Edit::Pin));
  // Not waiting for it is the answer of the site, and one is enough.
  EXPECT_FALSE(answer(R, Edit::PinAsync));
  const Attribution A = attribute(T);
  const WaitList Waits = findWaits(T, A);
  const PlanAnswer Async{test::gainOf(Replay(T, A, Waits, R.Steps),
                                      {Edit::MakeAsync, R.Sites[0].Group}),
                         std::nullopt};
  const int64_t Before = timeOfSteps(L);
  L.Async = true;
  expectContains(&Async, Before, timeOfSteps(L));
}

namespace {

/// A step that waits, and a collective at its end.
Timeline simulateRank(std::optional<int64_t> Ranks) {
  Simulator S;
  S.B.T.Info.Ranks = Ranks;
  const uint32_t Null = S.stream(7, StreamFlag::Null);
  const uint32_t For = S.site(0x11, "loop", 12, "for", "src/train.cu", "main"),
                 Site = S.site(0x12, "copy", 14, "cudaMemcpy");
  for (unsigned Step = 0; Step < 40; ++Step) {
    S.enter(HostKind::Range, For);
    for (unsigned K = 0; K < 5; ++K)
      S.launch(Null, 3'000);
    S.enter(HostKind::Site, Site);
    S.readBack(Null);
    S.leave();
    S.launch(Null, 10'000, "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
    S.leave();
  }
  return S.finish();
}

} // namespace

TEST(Collectives, OfSeveralRanksAreCounted) {
  const Timeline T = simulateRank(2);
  const Result R = llvm::cantFail(analyse(T));
  ASSERT_TRUE(R.Constants);
  EXPECT_EQ(R.Constants->Collectives, 40u);
}

TEST(Collectives, OfOneRankAreNot) {
  const Timeline T = simulateRank(1);
  const Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(R.Constants->Collectives, 0u);
}
