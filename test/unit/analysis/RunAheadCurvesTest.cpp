// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/waits/RunAhead.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

/// The curve's value at an instant, by the rules of RunAheadPoint.
RunAhead at(const RunAheadCurve &C, int64_t Time) {
  RunAhead R;
  for (const RunAheadPoint &P : C.Points) {
    if (P.Time > Time)
      break;
    R = {P.Depth, P.Lead - (P.Falling ? Time - P.Time : 0)};
  }
  return R;
}

/// Five kernels of 100 us, the first from 4 us on, without pauses.
Timeline fiveKernels() {
  test::Costs C;
  C.Pause = 0;
  Simulator S(C);
  uint32_t Null = S.stream(7, StreamFlag::Null);
  for (int I = 0; I < 5; ++I)
    S.launch(Null, 100'000);
  return S.finish();
}

/// The same, recorded from when the third one was launched.
Timeline fromTheThird() {
  Timeline T = fiveKernels();
  for (uint32_t Op : {0, 1})
    T.Ops.Launch[Op] = None;
  T.LaunchOrder.erase(T.LaunchOrder.begin(), T.LaunchOrder.begin() + 2);
  return T;
}

} // namespace

TEST(RunAheadCurves, CountWhatWasQueuedBeforeTheRecording) {
  const Timeline Whole = fiveKernels(), T = fromTheThird();
  const std::vector<RunAheadCurve> C =
      findRunAheadCurves(T, T.begin(), T.end());
  ASSERT_EQ(C.size(), 1u);
  for (int64_t Time : {12'500, 54'000, 104'000, 254'000, 503'999}) {
    const RunAhead Expected = sampleRunAhead(Whole, {{Time, 0}})[0],
                   Sample = sampleRunAhead(T, {{Time, 0}})[0];
    EXPECT_EQ(Sample.Depth, Expected.Depth) << Time;
    EXPECT_EQ(Sample.Lead, Expected.Lead) << Time;
    EXPECT_EQ(at(C[0], Time).Depth, Expected.Depth) << Time;
    EXPECT_EQ(at(C[0], Time).Lead, Expected.Lead) << Time;
  }
}

TEST(RunAheadCurves, LeaveOutLaunchesThatWereLostLater) {
  Timeline T = fiveKernels();
  T.Ops.Launch[2] = None;
  T.LaunchOrder.erase(T.LaunchOrder.begin() + 2);
  EXPECT_EQ(sampleRunAhead(T, {{12'500, 0}})[0].Depth, 4u);
}

TEST(RunAheadCurves, AgreeWithTheSamples) {
  Timeline T = fiveKernels();
  std::vector<RunAheadCurve> C = findRunAheadCurves(T, T.begin(), T.end());
  ASSERT_EQ(C.size(), 1u);
  for (int64_t Time : {12'500, 54'000, 104'000, 254'000, 503'999}) {
    RunAhead Sample = sampleRunAhead(T, {{Time, 0}})[0];
    EXPECT_EQ(at(C[0], Time).Depth, Sample.Depth) << Time;
    EXPECT_EQ(at(C[0], Time).Lead, Sample.Lead) << Time;
  }
  EXPECT_EQ(at(C[0], 1'000).Depth, 0u); // Nothing has been launched.
}

TEST(RunAheadCurves, BeginInTheMiddleWithWhatIsQueuedThen) {
  Timeline T = fiveKernels();
  std::vector<RunAheadCurve> C = findRunAheadCurves(T, 154'000, 300'000);
  ASSERT_EQ(C.size(), 1u);
  EXPECT_EQ(C[0].Points.front().Time, 154'000);
  EXPECT_LE(C[0].Points.back().Time, 300'000);
  EXPECT_EQ(at(C[0], 154'000).Depth, 4u);
  EXPECT_EQ(at(C[0], 154'000).Lead, 350'000);
  EXPECT_EQ(at(C[0], 254'000).Lead, 250'000);
}

TEST(RunAheadCurves, OfADeviceTakeTheLongestLeadOfItsStreams) {
  test::Costs Costs;
  Costs.Pause = 0;
  Simulator S(Costs);
  uint32_t A = S.stream(13, StreamFlag::NonBlocking);
  uint32_t B = S.stream(14, StreamFlag::NonBlocking);
  S.launch(A, 50'000);
  S.launch(B, 100'000);
  S.launch(B, 100'000);
  Timeline T = S.finish();
  std::vector<RunAheadCurve> C = findRunAheadCurves(T, T.begin(), T.end());
  ASSERT_EQ(C.size(), 1u);
  const RunAhead Whole = at(C[0], 20'000);
  EXPECT_EQ(Whole.Depth, 3u);
  // The first of two kernels on B began after A's.
  EXPECT_GT(Whole.Lead, 180'000);
  EXPECT_LT(Whole.Lead, 200'000);
  EXPECT_EQ(at(C[0], T.end()).Depth, 0u);
}

TEST(RunAheadCurves, CountASynchronousCopyWhileItIsInFlight) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.readBack(Null, 40'000);
  Timeline T = S.finish();
  std::vector<RunAheadCurve> C = findRunAheadCurves(T, T.begin(), T.end());
  ASSERT_EQ(C.size(), 1u);
  EXPECT_EQ(at(C[0], T.Ops.Start[0] + 10'000).Depth, 1u);
  EXPECT_EQ(at(C[0], T.Ops.Start[0] + 10'000).Lead, 30'000);
  EXPECT_EQ(at(C[0], T.Ops.End[0]).Depth, 0u);
}
