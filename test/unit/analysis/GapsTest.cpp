// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of a GPU that idles: how much of it is a wait's doing, and what
// caused the rest.
#include "Simulator.h"

#include "analysis/Analysis.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

/// The cause that left the GPU idle longest.
Cause worst(const Result &R) {
  return Cause(std::max_element(R.Gaps.begin(), R.Gaps.end(),
                                [](const CauseTotal &A, const CauseTotal &B) {
                                  return A.Total < B.Total;
                                }) -
               R.Gaps.begin());
}

int64_t exposed(const Result &R) {
  return R.Gaps[unsigned(Cause::ExposedWait)].Total;
}

} // namespace

TEST(Gaps, AShortWaitIsNotToBlameForASlowHost) {
  // .item() in a slow Python loop: the wait takes a microsecond, the call a few
  // more; what keeps the GPU idle is the interpreter.
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Forward =
      S.site(1, "function", 40, "forward", "train.py", "forward");
  S.launch(Null, 20'000);
  int64_t Calls = 0;
  for (int I = 0; I < 10; ++I) {
    S.enter(HostKind::Range, Forward);
    S.work(20'400);
    int64_t Before = S.Now;
    S.synchronizeDevice(); // About a microsecond, and 3 to return.
    Calls += S.Now - Before;
    S.work(150'000);
    S.launch(Null, 20'000);
    S.leave();
  }
  EXPECT_LT(S.TrueWait, 30'000);
  Timeline T = S.finish();
  Result R = llvm::cantFail(analyse(T));
  EXPECT_GT(exposed(R), 0);
  EXPECT_LE(exposed(R), Calls);
  EXPECT_EQ(worst(R), Cause::HostBusy);
  EXPECT_GT(R.Gaps[unsigned(Cause::HostBusy)].Total, 10 * 140'000);
}

TEST(Gaps, AHostInACallThatQueuesNothingIsBusy) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 1'000);
  S.work(100'000);
  S.call("cudaMalloc", 500'000);
  S.launch(Null, 1'000);
  Timeline T = S.finish();
  EXPECT_EQ(worst(llvm::cantFail(analyse(T))), Cause::HostBusy);
}

TEST(Gaps, LaunchingMayTakeLongerThanTheWork) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  for (int I = 0; I < 50; ++I)
    S.launch(Null, 500);
  Timeline T = S.finish();
  EXPECT_EQ(worst(llvm::cantFail(analyse(T))), Cause::LaunchBound);
}

TEST(Gaps, AThreadThatCameLateWasBusy) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 10'000);
  S.work(900'000);
  uint32_t Other = S.B.addThread(1001, "worker");
  S.B.addHost(HostKind::Api, Other, S.Now, S.Now + 2'500,
              S.B.T.Strings.intern("cudaLaunchKernel"), None, 999);
  S.B.addOp(Null, 0, S.Now + 4'000, S.Now + 14'000, 999);
  Timeline T = S.finish();
  Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(worst(R), Cause::HostBusy);
}

TEST(Gaps, TwoWaitsShareAGapByWhatEachHeldUp) {
  // The first holds up the host for little, the second for long.
  Simulator S;
  uint32_t A = S.stream(13, StreamFlag::NonBlocking);
  uint32_t B = S.stream(14, StreamFlag::NonBlocking);
  S.launch(A, 10'000);
  S.launch(B, 10'500);
  S.C.Return = 500;
  S.work(8'000); // A ends in a moment.
  S.synchronizeStream(A);
  S.C.Return = 60'000;
  S.synchronizeStream(B);
  S.launch(A, 100'000);
  Timeline T = S.finish();
  Result R = llvm::cantFail(analyse(T));
  ASSERT_EQ(R.Devices[0].Gaps.size(), 1u);
  const Gap &Idle = R.Devices[0].Gaps[0];
  int64_t Sum = 0;
  for (const ExposedPart &P : R.Stalls.Parts[0])
    Sum += P.Length;
  EXPECT_EQ(Sum, R.Stalls.exposedIn(0, 0));
  EXPECT_GT(Sum, 50'000);
  EXPECT_LE(Sum, Idle.End - Idle.Start);
  EXPECT_EQ(R.WaitDrains, 1u);
}

TEST(Gaps, PartsFollowEachOtherAndFillTheGap) {
  test::Training P;
  for (int64_t Kernel : {500, 5'000, 50'000}) {
    P.KernelNs = Kernel;
    Timeline T = test::simulateTraining(P);
    Result R = llvm::cantFail(analyse(T));
    const std::vector<Gap> &Gaps = R.Devices[0].Gaps;
    std::vector<int64_t> At;
    for (const Gap &G : Gaps)
      At.push_back(G.Start);
    forEachGapPart(R, T.begin(), T.end(), [&](const GapPart &Part) {
      EXPECT_EQ(Part.Start, At[Part.Gap]);
      EXPECT_LT(Part.Start, Part.End);
      At[Part.Gap] = Part.End;
    });
    for (size_t I = 0; I < Gaps.size(); ++I)
      EXPECT_EQ(At[I], Gaps[I].End);
  }
}
