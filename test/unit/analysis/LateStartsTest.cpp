// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that were queued and started late: when that is said, and why.
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
  void oneLate(int64_t Pause, const std::function<void()> &Between = nullptr) {
    S.C.Pause = Usual;
    run(40);
    if (Between)
      Between();
    late(Pause);
    run(10);
  }
};

/// Of what was queued and started late; null: nothing.
const ReasonRow *late(const Result &R) {
  for (const ReasonRow &Row : R.Reasons)
    if (Row.Key.Kind == Cause::QueuedLate)
      return &Row;
  return nullptr;
}

} // namespace

TEST(LateStarts, APauseFarLongerThanUsualIsACauseOfItsOwn) {
  Schedule P;
  P.oneLate(300'000);
  Timeline T = P.S.finish();
  Result R = llvm::cantFail(analyse(T));
  const ReasonRow *Late = late(R);
  ASSERT_TRUE(Late);
  EXPECT_EQ(Late->Key.Why, LateReason::Unknown);
  EXPECT_EQ(Late->Key.Call, None);
  EXPECT_EQ(Late->Run.Total, 300'000);
  EXPECT_EQ(Late->Run.Count, 1u);
  // No launch is to blame, and nothing is said of the CPU.
  EXPECT_EQ(R.Gaps[unsigned(Cause::LaunchBound)].Total, 0);
  EXPECT_EQ(R.Gaps[unsigned(Cause::HostBusy)].Total, 0);
  EXPECT_TRUE(R.Busy.empty());
  EXPECT_EQ(R.Drains, 0u);
}

TEST(LateStarts, PausesUpToTheFloorAreTheDevicesOwn) {
  Schedule P;
  P.oneLate(LateStarts::ShortestLimit);
  Timeline T = P.S.finish();
  Result R = llvm::cantFail(analyse(T));
  EXPECT_FALSE(late(R));
  EXPECT_EQ(R.Gaps[unsigned(Cause::BackToBack)].Total,
            LateStarts::ShortestLimit + 49 * Usual);
}

TEST(LateStarts, AnEventThatTheStreamWaitsForIsNamed) {
  Schedule P;
  uint32_t Site = P.S.site(1, "sync", 88, "cudaStreamWaitEvent");
  P.oneLate(300'000, [&] {
    P.S.enter(HostKind::Site, Site);
    const int64_t Start = P.S.Now;
    P.S.Now += 1'000;
    P.S.B.addHost(HostKind::Api, 0, Start, P.S.Now,
                  P.S.B.T.Strings.intern("cudaStreamWaitEvent"), None, 999'999);
    P.S.B.addSync({Start, 1'000, SyncType::StreamWaitEvent, 7, 1}, 999'999);
    P.S.leave();
  });
  Timeline T = P.S.finish();
  Result R = llvm::cantFail(analyse(T));
  const ReasonRow *Late = late(R);
  ASSERT_TRUE(Late);
  EXPECT_EQ(Late->Key.Why, LateReason::Event);
  EXPECT_EQ(Late->Key.Site, Site);
  ASSERT_NE(Late->Key.Call, None);
  EXPECT_EQ(T.Strings[Late->Key.Call], "cudaStreamWaitEvent");
}

TEST(LateStarts, AnEventOfAnotherStreamOrOfEarlierWorkIsNot) {
  for (bool Earlier : {false, true}) {
    Schedule P;
    P.oneLate(300'000, [&] {
      P.S.B.addSync({Earlier ? 10 : P.S.Now, 100, SyncType::StreamWaitEvent,
                     Earlier ? 7u : 8u, 1},
                    0);
      P.S.work(1'000);
    });
    Timeline T = P.S.finish();
    Result R = llvm::cantFail(analyse(T));
    ASSERT_TRUE(late(R));
    EXPECT_EQ(late(R)->Key.Why, LateReason::Unknown);
  }
}

TEST(LateStarts, ACopyWhoseCallIsStillAtWorkIsNamedByIt) {
  Schedule P;
  P.S.C.Pause = Usual;
  P.run(4);
  // The call moves pageable memory, long after the kernels are done.
  const int64_t End = P.S.end();
  const int64_t Start = P.S.Now;
  Stage Copy;
  Copy.Name = P.S.B.T.Strings.intern("Memcpy HtoD (Pageable -> Device)");
  Copy.Kind = OpKind::Copy;
  Copy.Dir = Direction::HtoD;
  Copy.Source = MemoryKind::Pageable;
  P.S.B.addOp(P.S.B.queue(0, 1, 7), P.S.B.addStage(Copy), End + 400'000,
              End + 500'000, 999'999);
  P.S.B.addHost(HostKind::Api, 0, Start, End + 500'000,
                P.S.B.T.Strings.intern("cudaMemcpyAsync"), None, 999'999);
  Timeline T = P.S.finish();
  Result R = llvm::cantFail(analyse(T));
  ASSERT_TRUE(late(R));
  EXPECT_EQ(late(R)->Key.Why, LateReason::Copying);
  EXPECT_EQ(T.Strings[late(R)->Key.Call], "cudaMemcpyAsync");
}

TEST(LateStarts, TheLimitFollowsTheRecordingsOwnPauses) {
  // A device that takes 5 us between operations: 10 times that is its limit.
  for (int64_t Pause : {45'000, 55'000}) {
    Schedule P;
    P.S.C.Pause = 5'000;
    P.run(40);
    P.late(Pause);
    P.S.C.Pause = 5'000;
    P.run(10);
    Timeline T = P.S.finish();
    EXPECT_EQ(late(llvm::cantFail(analyse(T))) != nullptr, Pause > 50'000);
  }
}
