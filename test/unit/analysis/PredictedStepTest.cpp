// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the replay says of a step where the mean gain, the pauses of a short
// queue, or the fear of a hand-over would mislead.
#include "GainOf.h"
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "analysis/common/Statistics.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

/// A loop of `Kernels` launches and a loss that is printed; printing every
/// tenth loss takes much longer.
Timeline train(unsigned Kernels) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Loop = S.site(0x11, "loop", 12, "for");
  uint32_t Print = S.site(0x13, "copy", 88, "cudaMemcpy");
  for (unsigned Step = 0; Step < 60; ++Step) {
    S.enter(HostKind::Range, Loop);
    for (unsigned K = 0; K < Kernels; ++K)
      S.launch(Null, 40'000);
    S.enter(HostKind::Site, Print);
    S.readBack(Null);
    S.leave();
    S.work(Step % 10 == 5 ? 400'000 : 10'000);
    S.leave();
  }
  S.synchronizeDevice();
  return S.finish();
}

const WhatIfRow *removal(const Result &R) {
  for (const WhatIfRow &Row : R.WhatIfs.Answers)
    if (Row.Kind == Edit::Remove && Row.Rows.size() == 1)
      return &Row;
  return nullptr;
}

} // namespace

TEST(PredictedStep, MayHaveLongerPausesInADeepQueue) {
  const unsigned Kernels = 20;
  Result R = llvm::cantFail(analyse(train(Kernels)));
  const WhatIfRow *Row = removal(R);
  ASSERT_TRUE(Row);
  int64_t Longest = Kernels * Pauses::longerWith(Pauses::DeepQueue);
  // Not the whole of it, as some were queued before.
  const int64_t Width =
      (Row->Saved.High - Row->Saved.Low) / int64_t(R.InSteps->Count);
  EXPECT_GT(Width, Longest / 3);
  EXPECT_LT(Width, Longest + 10'000);
}

namespace {

/// Two threads, each with a stream; `Pause` ns outside of calls before each
/// launch. The first one waits for its work.
Gain gainOfTwoThreads(int64_t Pause) {
  Simulator S;
  uint32_t A = S.stream(13, StreamFlag::NonBlocking),
           B = S.stream(14, StreamFlag::NonBlocking);
  uint32_t Other = S.addThread();
  for (unsigned Left = 150; Left;) {
    // The other one is done first, whatever the first one does.
    uint32_t Next =
        S.clockOf(Other) < std::min<int64_t>(S.clockOf(0), 1'200'000) ? Other
                                                                      : 0;
    S.runThread(Next);
    S.launch(Next ? B : A, Next ? 2'000 : 10'000);
    if (!Next) {
      S.synchronizeStream(A);
      --Left;
    }
    S.work(Pause);
  }
  Timeline T = S.finish();
  Attribution At = attribute(T);
  WaitList Waits = findWaits(T, At);
  return test::gainOf(Replay(T, At, Waits), Plan::withoutWaits());
}

} // namespace

TEST(PredictedStep, OfAThreadThatIsNeverIdleWaitsForNoOther) {
  Gain Busy = gainOfTwoThreads(300), Idle = gainOfTwoThreads(8'000);
  EXPECT_GT(Busy.Low, Busy.High * 8 / 10);
  EXPECT_LT(Idle.Low, Idle.High * 75 / 100);
}
