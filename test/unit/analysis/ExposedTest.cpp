// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "analysis/waits/RunAhead.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

Result analysed(Simulator &S) {
  static std::vector<Timeline> Kept; // Rows name strings of the timeline.
  Kept.push_back(S.finish());
  return llvm::cantFail(analyse(Kept.back()));
}

const SiteRow *row(const Result &R, llvm::StringRef Call) {
  for (const SiteRow &Row : R.Sites)
    if (Row.Call == Call)
      return &Row;
  return nullptr;
}

int64_t cause(const Result &R, Cause C) { return R.Gaps[unsigned(C)].Total; }

} // namespace

TEST(Exposed, IsTheIdleTimeUntilTheNextLaunchArrives) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 100'000);
  S.synchronizeDevice();
  S.work(50'000);
  S.launch(Null, 100'000);
  Result R = analysed(S);
  const SiteRow *Row = row(R, "cudaDeviceSynchronize");
  ASSERT_TRUE(Row);
  // Return, host work, launch latency.
  EXPECT_EQ(*Row->Exposed, 3'000 + 50'000 + 4'000);
}

TEST(Exposed, IsZeroWhenAnotherStreamKeepsTheGpuBusy) {
  Simulator S;
  uint32_t A = S.stream(13, StreamFlag::NonBlocking);
  uint32_t B = S.stream(14, StreamFlag::NonBlocking);
  S.launch(B, 5'000'000);
  S.launch(A, 100'000);
  S.synchronizeStream(A);
  S.work(50'000);
  S.launch(A, 100'000);
  Result R = analysed(S);
  const SiteRow *Row = row(R, "cudaStreamSynchronize");
  ASSERT_TRUE(Row);
  EXPECT_GT(*Row->Wait, 90'000);
  EXPECT_EQ(*Row->Exposed, 0);
  EXPECT_EQ(Row->Judged.Kind, Verdict::NotWorthIt);
}

TEST(Exposed, IsZeroForTheLastWaitOfAProgram) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 100'000);
  S.synchronizeDevice();
  S.work(1'000'000);
  Result R = analysed(S);
  EXPECT_EQ(*row(R, "cudaDeviceSynchronize")->Exposed, 0);
}

TEST(Exposed, AGapIsGivenToOneWaitOnly) {
  Simulator S;
  uint32_t A = S.stream(13, StreamFlag::NonBlocking);
  uint32_t B = S.stream(14, StreamFlag::NonBlocking);
  S.launch(A, 100'000);
  S.launch(B, 101'000);
  S.synchronizeStream(A);
  S.synchronizeDevice();
  S.work(40'000);
  S.launch(A, 100'000);
  Result R = analysed(S);
  int64_t Sum = 0, Idle = 0;
  for (const SiteRow &Row : R.Sites)
    Sum += *Row.Exposed;
  for (const Gap &G : R.Devices[0].Gaps)
    Idle += G.End - G.Start;
  EXPECT_GT(Sum, 40'000);
  EXPECT_EQ(Sum, Idle);
}

TEST(Exposed, GapsBetweenQueuedOperationsAreTheGpusOwn) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 100'000);
  int64_t Mark = S.mark(Null);
  for (int I = 0; I < 20; ++I)
    S.launch(Null, 100'000);
  S.synchronizeEvent(Mark);
  S.launch(Null, 100'000);
  Result R = analysed(S);
  EXPECT_EQ(*row(R, "cudaEventSynchronize")->Exposed, 0);
  EXPECT_EQ(cause(R, Cause::BackToBack), 21 * 1'000);
}

TEST(Gaps, HostBusyAndLaunchBoundAreToldApart) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  for (int I = 0; I < 10; ++I)
    S.launch(Null, 500); // Shorter than the call that launches it.
  S.work(2'000'000);
  S.launch(Null, 500);
  Result R = analysed(S);
  EXPECT_EQ(R.Gaps[unsigned(Cause::HostBusy)].Count, 1u);
  EXPECT_GT(cause(R, Cause::HostBusy), 1'900'000);
  EXPECT_EQ(R.Gaps[unsigned(Cause::LaunchBound)].Count, 9u);
}

TEST(Gaps, ModuleLoadingIsNamed) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  S.launch(Null, 1'000);
  S.B.T.Overheads.push_back(
      {S.Now, S.Now + 900'000, OverheadKind::ModuleLoad, 1000});
  S.C.Launch = 902'000; // Loads a module first.
  S.C.Latency = 904'000;
  S.launch(Null, 1'000);
  Result R = analysed(S);
  EXPECT_EQ(R.Gaps[unsigned(Cause::ModuleLoad)].Count, 1u);
}

TEST(Gaps, SumUpWithTheBusyTimeToTheSpan) {
  test::Training P;
  for (int64_t Kernel : {500, 5'000, 50'000})
    for (bool Print : {true, false}) {
      P.KernelNs = Kernel;
      P.Print = Print;
      Timeline T = test::simulateTraining(P);
      Result R = llvm::cantFail(analyse(T));
      int64_t Sum = R.Devices[0].Busy;
      for (const CauseTotal &C : R.Gaps)
        Sum += C.Total;
      EXPECT_EQ(Sum, R.Devices[0].span());
    }
}

TEST(RunAhead, CountsWhatIsQueuedAndHowLongItTakes) {
  test::Costs C;
  C.Pause = 0;
  Simulator S(C);
  uint32_t Null = S.stream(7, StreamFlag::Null);
  for (int I = 0; I < 5; ++I)
    S.launch(Null, 100'000); // From 4 us on, without pauses.
  Timeline T = S.finish();
  std::vector<RunAhead> R = sampleRunAhead(
      T, {{2'000, 0}, {12'500, 0}, {54'000, 0}, {254'000, 0}, {504'000, 0}});
  EXPECT_EQ(R[0].Depth, 0u); // The first call has not returned.
  EXPECT_EQ(R[1].Depth, 5u);
  EXPECT_EQ(R[2].Lead, 450'000);
  EXPECT_EQ(R[3].Depth, 3u);
  EXPECT_EQ(R[3].Lead, 250'000);
  EXPECT_EQ(R[4].Depth, 0u);
  EXPECT_EQ(R[4].Lead, 0);
}
