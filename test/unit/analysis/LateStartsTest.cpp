// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that were queued and started late.
#include "Simulator.h"

#include "analysis/Analysis.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

constexpr int64_t Usual = 1'000, Kernel = 20'000;

/// Queued kernels that follow each other after the usual pause, but one.
struct Schedule {
  Simulator S;
  uint32_t Stream = S.stream(7, StreamFlag::NonBlocking);

  void run(int N) {
    for (int I = 0; I < N; ++I)
      S.launch(Stream, Kernel);
  }
  void late(int64_t Pause) {
    S.C.Pause = Pause;
    run(1);
    S.C.Pause = Usual;
  }
  void oneLate(int64_t Pause) {
    S.C.Pause = Usual;
    run(40);
    late(Pause);
    run(10);
  }
};

const CauseTotal &late(const Result &R) {
  return R.Gaps[unsigned(Cause::QueuedLate)];
}

} // namespace

TEST(LateStarts, ALongPauseIsACauseOfItsOwn) {
  Schedule P;
  P.oneLate(300'000);
  Timeline T = P.S.finish();
  Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(late(R).Total, 300'000);
  EXPECT_EQ(late(R).Count, 1u);
  // No launch is to blame, and nothing is said of the CPU.
  EXPECT_EQ(R.Gaps[unsigned(Cause::LaunchBound)].Total, 0);
  EXPECT_EQ(R.Gaps[unsigned(Cause::HostBusy)].Total, 0);
  EXPECT_TRUE(R.Busy.empty());
  EXPECT_EQ(R.Drains, 0u);
}

TEST(LateStarts, ShorterPausesAreTheDevicesOwn) {
  Schedule P;
  P.oneLate(LongestPause);
  Timeline T = P.S.finish();
  Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(late(R).Count, 0u);
  EXPECT_EQ(R.Gaps[unsigned(Cause::BackToBack)].Total,
            LongestPause + 49 * Usual);
}
