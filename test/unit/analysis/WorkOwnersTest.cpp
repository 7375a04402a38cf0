// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that work for the ranges of another one, and threads that do not.
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "analysis/common/WorkOwners.h"
#include <gtest/gtest.h>

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

} // namespace

TEST(WorkOwners, ABackwardPassBelongsToTheRangeAroundIt) {
  for (bool Links : {false, true}) {
    Loop P;
    P.Links = Links;
    Timeline T = train(P);
    Result R = llvm::cantFail(analyse(T));
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
  EXPECT_EQ(rowOf(R, "hook").Gpu, 20 * 1'000);
  EXPECT_EQ(rowOf(R, "backward").Gpu, 20 * 40 * 1'000);
}

TEST(WorkOwners, RangesOfALibraryAreNotTheThreadsOwn) {
  Loop P;
  P.HelperHasRange = true;
  P.Domain = "NCCL";
  EXPECT_EQ(WorkOwners(train(P)).ownerAt(1, 500'000), 0u);
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
