// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which work of another stream an operation visibly waited for.
#include "analysis/replay/Order.h"

#include "trace/timeline/TimelineBuilder.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;

namespace {

/// Two streams of one device. Launches take 3 us.
struct Streams {
  TimelineBuilder B;
  uint32_t Main, Side, Thread, Kernel, LaunchName, WaitName;
  uint64_t Id = 0;

  Streams() {
    Main = B.queue(0, 1, 7);
    Side = B.queue(0, 1, 13);
    Thread = B.addThread(100, "main");
    Stage S;
    S.Name = B.T.Strings.intern("kernel");
    S.Kind = OpKind::Kernel;
    Kernel = B.addStage(S);
    LaunchName = B.T.Strings.intern("cudaLaunchKernel");
    WaitName = B.T.Strings.intern("cudaStreamWaitEvent");
  }
  /// A kernel that is launched at `At` and runs from `Start` to `End`.
  void launch(uint32_t Queue, int64_t At, int64_t Start, int64_t End) {
    B.addHost(HostKind::Api, Thread, At, At + 3'000, LaunchName, None, ++Id);
    B.addOp(Queue, Kernel, Start, End, Id);
  }
  void waitEvent(uint32_t Stream, int64_t At) {
    B.addHost(HostKind::Api, Thread, At, At + 1'000, WaitName, None, ++Id);
    B.addSync({At, 1'000, SyncType::StreamWaitEvent, Stream, 1}, Id);
  }
  /// By operation, in the order of their starts.
  std::vector<uint32_t> order() { return findVisibleOrder(B.finish()); }
};

/// Work on the main stream that is launched while the other stream runs until
/// 300 us, and begins at `Start`.
std::vector<uint32_t> orderOf(bool Waits, int64_t Start) {
  Streams S;
  S.launch(S.Main, 0, 10'000, 100'000);
  S.launch(S.Side, 5'000, 12'000, 300'000);
  if (Waits)
    S.waitEvent(7, 10'000);
  S.launch(S.Main, 15'000, Start, 400'000);
  return S.order();
}

using Order = std::vector<uint32_t>;

} // namespace

TEST(VisibleOrder, AnOperationBeginsWhenTheOtherStreamIsDone) {
  EXPECT_EQ(orderOf(/*Waits=*/true, 304'000), Order({None, None, 1}));
}

TEST(VisibleOrder, WithoutAWaitItIsChance) {
  EXPECT_EQ(orderOf(/*Waits=*/false, 304'000), Order({None, None, None}));
}

TEST(VisibleOrder, ALateStartHasAnotherReason) {
  EXPECT_EQ(orderOf(/*Waits=*/true, 330'000), Order({None, None, None}));
}

TEST(VisibleOrder, WorkOfItsOwnStreamExplainsTheStart) {
  Streams S;
  S.launch(S.Side, 0, 12'000, 90'000);
  S.launch(S.Main, 5'000, 13'000, 100'000);
  S.waitEvent(7, 10'000);
  S.launch(S.Main, 15'000, 101'000, 200'000);
  EXPECT_EQ(S.order(), Order({None, None, None}));
}

TEST(VisibleOrder, WorkLaunchedAfterTheWaitIsNotAwaited) {
  Streams S;
  S.launch(S.Main, 0, 10'000, 100'000);
  S.waitEvent(7, 5'000);
  S.launch(S.Side, 10'000, 20'000, 300'000);
  S.launch(S.Main, 15'000, 304'000, 400'000);
  EXPECT_EQ(S.order(), Order({None, None, None}));
}
