// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is worth a change, as values.
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "analysis/decisions/Decisions.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

/// A step's loss is copied back after its kernels.
Timeline printing(int64_t KernelNs) {
  test::Training P;
  P.Steps = 50;
  P.KernelNs = KernelNs;
  return test::simulateTraining(P);
}

/// Each step uploads a batch from pageable memory. `PrintNs`: host time after
/// a wait for the step's work; 0: no wait.
Timeline uploading(int64_t PrintNs) {
  Simulator S;
  const uint32_t Null = S.stream(7, StreamFlag::Null);
  const uint32_t For = S.site(0x11, "loop", 12, "for", "src/train.cu", "main"),
                 Copy = S.site(0x12, "copy", 14, "cudaMemcpy"),
                 Sync = S.site(0x13, "sync", 20, "cudaDeviceSynchronize");
  for (unsigned Step = 0; Step < 40; ++Step) {
    S.enter(HostKind::Range, For);
    S.enter(HostKind::Site, Copy);
    S.transfer(Null, Direction::HtoD, 7 << 20, MemoryKind::Pageable);
    S.leave();
    for (unsigned K = 0; K < 20; ++K)
      S.launch(Null, 20'000);
    if (PrintNs) {
      S.enter(HostKind::Site, Sync);
      S.synchronizeDevice();
      S.leave();
      S.work(PrintNs);
    }
    S.leave();
  }
  return S.finish();
}

const SiteRow &first(const Result &R) {
  return R.Sites[R.Decided.Waits.front()];
}

} // namespace

TEST(Decisions, AnExposedWaitIsTheChange) {
  const Timeline T = printing(5'000);
  const Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(R.Decided.Answer, Answer::Change);
  EXPECT_EQ(R.Decided.Hidden, Hidden::Nothing);
  EXPECT_EQ(R.Decided.isWorthwhile(), true);
  ASSERT_EQ(R.Decided.Waits.size(), 1u);
  const SiteRow &Row = first(R);
  EXPECT_EQ(Row.Call, "cudaMemcpy");
  EXPECT_EQ(Row.Judged.Kind, Verdict::Postpone);
  EXPECT_EQ(Row.Judged.Why, Grounds::Later);
  EXPECT_EQ(Row.Promised.Change, Verdict::Postpone);
  ASSERT_TRUE(Row.Promised.Expected);
  EXPECT_TRUE(Row.Promised.Expected->PerStep);
  EXPECT_TRUE(Row.Promised.Expected->isWorthIt());
  EXPECT_FALSE(Row.Promised.IsBound);
  EXPECT_FALSE(Row.Promised.KeepsCopy);
  // The promise is the gain that was asked for, of the advised change.
  const WhatIfRow *Answer =
      R.WhatIfs.find(Edit::Postpone, R.Decided.Waits.front());
  ASSERT_TRUE(Answer);
  const std::optional<ExpectedGain> Asked = gainOf(R, *Answer);
  ASSERT_TRUE(Asked);
  EXPECT_EQ(Row.Promised.Expected->Saved.Middle, Asked->Saved.Middle);
}

TEST(Decisions, AWaitBehindABusyGpuIsNotWorthAChange) {
  Simulator S;
  const uint32_t Stream = S.stream(7, StreamFlag::Null);
  const uint32_t For = S.site(0x11, "loop", 12, "for", "src/train.cu", "main"),
                 Other = S.stream(8, StreamFlag::NonBlocking);
  for (unsigned Step = 0; Step < 40; ++Step) {
    S.enter(HostKind::Range, For);
    S.launch(Other, 400'000);
    S.launch(Stream, 20'000);
    S.synchronizeStream(Stream);
    S.leave();
  }
  const Timeline T = S.finish();
  const Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(R.Decided.Answer, Answer::NotWorthIt);
  EXPECT_EQ(R.Decided.isWorthwhile(), false);
  EXPECT_TRUE(R.Decided.Waits.empty());
  EXPECT_FALSE(R.Decided.gain());
  const SiteRow &Row = R.Sites.front();
  EXPECT_EQ(Row.Judged.Kind, Verdict::NotWorthIt);
  EXPECT_EQ(Row.Judged.Why, Grounds::GpuBusy);
}

TEST(Decisions, WithoutWaitsThereIsNothingToChange) {
  Simulator S;
  const uint32_t Stream = S.stream(7, StreamFlag::NonBlocking);
  for (unsigned I = 0; I < 100; ++I)
    S.launch(Stream, 20'000);
  const Timeline T = S.finish();
  const Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(R.Decided.Answer, Answer::NoWaits);
  EXPECT_EQ(R.Decided.isWorthwhile(), false);
}

TEST(Decisions, WhatTheRecordingLacksIsUnknown) {
  test::Training P;
  P.Print = false;
  Timeline T = test::simulateTraining(P);
  T.Unread.BytesDropped = 1;
  Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(R.Decided.Answer, Answer::Unknown);
  EXPECT_EQ(R.Decided.Hidden, Hidden::Rest);
  EXPECT_EQ(R.Decided.isWorthwhile(), std::nullopt);
  T.Info.Source.LacksWaits = true;
  R = llvm::cantFail(analyse(T));
  EXPECT_EQ(R.Decided.Hidden, Hidden::Waits);
  EXPECT_EQ(R.Decided.isWorthwhile(), std::nullopt);

  Simulator S;
  S.call("cudaMalloc", 1'000);
  Timeline Light = S.finish();
  Light.Info.Mode = "light";
  R = llvm::cantFail(analyse(Light));
  EXPECT_EQ(R.Decided.Answer, Answer::Unknown);
  EXPECT_EQ(R.Decided.Hidden, Hidden::GpuWork);
  EXPECT_EQ(R.Decided.isWorthwhile(), std::nullopt);
  EXPECT_EQ(R.Sites.front().Promised.Change, Verdict::None);
  EXPECT_FALSE(R.Sites.front().Promised.Expected);
}

/// What is found is worth a change, whatever else is hidden.
TEST(Decisions, AFindingIsOneInATruncatedFile) {
  Timeline T = printing(5'000);
  T.Unread.BytesDropped = 1;
  const Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(R.Decided.Answer, Answer::Change);
  EXPECT_EQ(R.Decided.Hidden, Hidden::Rest);
  EXPECT_EQ(R.Decided.isWorthwhile(), true);
}

TEST(Decisions, ACopyOfPageableMemoryIsAChange) {
  const Timeline T = uploading(/*PrintNs=*/0);
  const Result R = llvm::cantFail(analyse(T));
  EXPECT_EQ(R.Decided.Answer, Answer::Change);
  EXPECT_EQ(R.Decided.isWorthwhile(), true);
  const ChangeSet &Set = R.WhatIfs.Changes;
  ASSERT_EQ(Set.Members.size(), 1u);
  const Candidate &Copy = Set.Members.front().Changed;
  EXPECT_EQ(Copy.Kind, Remedy::Pin);
  ASSERT_NE(Copy.Transfer, trace::None);
  EXPECT_EQ(R.Transfers[Copy.Transfer].Memory, MemoryKind::Pageable);
  ASSERT_TRUE(R.Decided.Mild);
  EXPECT_TRUE(R.Decided.Mild->isWorthIt());
  // Without the wait, the copy is still made.
  EXPECT_FALSE(R.Decided.Strong);
}

TEST(Decisions, AWaitAndACopyAreChangedTogether) {
  const Timeline T = uploading(/*PrintNs=*/4'000'000);
  const Result R = llvm::cantFail(analyse(T));
  const ChangeSet &Set = R.WhatIfs.Changes;
  ASSERT_FALSE(Set.Members.empty());
  EXPECT_EQ(R.Decided.Answer, Answer::Change);
  ASSERT_EQ(Set.Members.size(), 2u);
  EXPECT_NE(Set.Members[0].Changed.Kind, Set.Members[1].Changed.Kind);
}
