// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is concluded from samples, with calls whose times are made up.
#include "calibrate/Sampling.h"

#include "calibrate/Bench.h"

#include <gtest/gtest.h>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;

namespace {

constexpr int64_t Us = 1'000, Ms = 1'000'000;

/// A call that takes `OwnNs` by itself, and waits for the kernel on the streams
/// in `For`.
struct Call {
  int64_t OwnNs;
  std::array<bool, NumBehind> For = {};
  unsigned Samples = 0;
  Sample operator()(Queued Q) {
    ++Samples;
    bool Waits = Q.Work && For[unsigned(*Q.Work)];
    int64_t Ns = Waits ? Q.Ns + OwnNs : OwnNs;
    return {Ns, true, Q.Work && Ns >= Q.Ns};
  }
};

} // namespace

TEST(Sampling, ACallThatWaitsForItsStream) {
  Call C{5 * Us, {true, false, false, false}};
  Observation O = observe({}, C);
  EXPECT_EQ(O.IdleNs, 5 * Us);
  EXPECT_EQ(O.BehindNs[0], QueuedNs + 4 * 5 * Us + 5 * Us);
  EXPECT_EQ(O.Blocked[0], true);
  EXPECT_EQ(O.Blocked[1], false);
  EXPECT_FALSE(O.Slow);
}

TEST(Sampling, ACallThatIsLongerThanTheWorkDoesNotPassForAWait) {
  Call C{40 * Ms};
  Observation O = observe({}, C);
  for (unsigned I = 0; I < NumBehind; ++I)
    EXPECT_EQ(O.Blocked[I], false);
  EXPECT_TRUE(O.Slow);
}

TEST(Sampling, AQuickCallIsNotSlow) {
  Call C{20 * Us};
  EXPECT_FALSE(observe({}, C).Slow);
}

TEST(Sampling, ALongCallThatWaitsIsNotMerelySlow) {
  Call C{2 * Ms, {true, false, false, false}};
  Observation O = observe({}, C);
  EXPECT_EQ(O.Blocked[0], true);
  EXPECT_FALSE(O.Slow);
}

TEST(Sampling, OneSampleOfAWaitIsEnough) {
  Call Waits{5 * Us, {true, true, true, true}}, Not{5 * Us};
  observe({}, Waits);
  observe({}, Not);
  EXPECT_EQ(Waits.Samples, 1 + 3 + 4u);
  EXPECT_EQ(Not.Samples, 1 + 3 + 8u);
}

TEST(Sampling, NoiseThatLooksLikeAWaitOnceIsNone) {
  unsigned N = 0;
  auto Noisy = [&](Queued Q) -> Sample {
    // The machine was busy with something else for 70 ms.
    bool Hiccup = Q.Work && N++ == 0;
    return {Hiccup ? 70 * Ms : 2 * Us, true, Hiccup};
  };
  Observation O = observe({}, Noisy);
  EXPECT_EQ(O.Blocked[0], false);
  EXPECT_EQ(O.BehindNs[0], 2 * Us);
}

TEST(Sampling, EndsWithTheFirstSampleThatFails) {
  unsigned N = 0;
  Observation O =
      observe({}, [&](Queued) -> Sample { return {Us, ++N < 6, false}; });
  EXPECT_EQ(N, 6u);
  EXPECT_TRUE(O.IdleNs.has_value());
  EXPECT_FALSE(O.BehindNs[0].has_value());
}
