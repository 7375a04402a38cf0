// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes that bring nothing alone, and those that are not missed.
#include "GainOf.h"
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "analysis/decisions/Decisions.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

enum : unsigned { FirstCopy = 1, SecondCopy = 2, Sync = 4 };
constexpr unsigned All = FirstCopy | SecondCopy | Sync;

/// Steps of 10 kernels that read two results back, one after the other, and
/// synchronize.
Timeline reading(unsigned Made, int64_t HostNs = 20'000) {
  Simulator S;
  const uint32_t Null = S.stream(7, StreamFlag::Null);
  const uint32_t Sites[] = {S.site(0x1, "copy", 10, "cudaMemcpy"),
                            S.site(0x2, "copy", 11, "cudaMemcpy"),
                            S.site(0x3, "sync", 12, "cudaStreamSynchronize")};
  for (unsigned I = 0; I < 50; ++I) {
    for (unsigned K = 0; K < 10; ++K)
      S.launch(Null, 20'000);
    for (unsigned Call = 0; Call < 3; ++Call) {
      if (!(Made & 1U << Call))
        continue;
      S.enter(HostKind::Site, Sites[Call]);
      Call == 2 ? S.synchronizeStream(Null) : S.readBack(Null);
      S.leave();
    }
    S.work(HostNs);
  }
  S.call("cudaGetLastError", 100);
  return S.finish();
}

std::vector<uint32_t> linesOf(const Timeline &T, const Result &R) {
  std::vector<uint32_t> Lines;
  for (const SetMember &One : R.WhatIfs.Changes.Members)
    for (uint32_t Row : One.Changed.Rows)
      Lines.push_back(T.Sites[R.Sites[Row].Site].Line);
  llvm::sort(Lines);
  return Lines;
}

} // namespace

TEST(ChangeSet, HasAllCallsThatWouldWaitInEachOthersPlace) {
  const Timeline T = reading(All, 150'000);
  const int64_t Truth = T.end() - reading(0, 150'000).end(),
                Alone = T.end() - reading(SecondCopy | Sync, 150'000).end();
  ASSERT_GT(Truth, 4 * std::max<int64_t>(0, Alone));
  const Result R = analyse(T, Steps());
  EXPECT_EQ(linesOf(T, R), (std::vector<uint32_t>{10, 11, 12}));
  for (const SetMember &One : R.WhatIfs.Changes.Members) {
    EXPECT_TRUE(One.NeedsOthers);
    EXPECT_NEAR(One.Share, 1.0 / 3, 0.05);
  }
  ASSERT_TRUE(R.Decided.gain());
  EXPECT_LE(R.Decided.gain()->Saved.Low, Truth);
  EXPECT_GE(R.Decided.gain()->Saved.High, Truth * 9 / 10);
  // The parts are those of the whole.
  int64_t Sum = 0;
  for (const SiteRow &Row : R.Sites)
    if (Row.Promised.NeedsOthers)
      Sum += Row.Promised.Expected->Saved.Middle;
  const ExpectedGain &Lead =
      R.Decided.Mild ? *R.Decided.Mild : *R.Decided.Strong;
  EXPECT_NEAR(double(Sum), double(Lead.Saved.Middle), 3);
}

TEST(ChangeSet, OfOneWaitIsThatWait) {
  const Timeline T = reading(FirstCopy, 150'000);
  const Result R = analyse(T, Steps());
  EXPECT_EQ(linesOf(T, R), std::vector<uint32_t>{10});
  EXPECT_FALSE(R.WhatIfs.Changes.Members.front().NeedsOthers);
  EXPECT_EQ(R.WhatIfs.Changes.Members.front().Share, 1);
}

TEST(ChangeSet, LacksWhatIsNotMissed) {
  // The host works for longer than the GPU between two waits, of which the
  // second finds a busy GPU, whose work the next step waits for anyway.
  Simulator S;
  const uint32_t Null = S.stream(7, StreamFlag::Null),
                 Other = S.stream(14, StreamFlag::NonBlocking);
  const uint32_t Costly = S.site(0x1, "sync", 10, "cudaStreamSynchronize"),
                 Free = S.site(0x2, "sync", 11, "cudaStreamSynchronize");
  S.site(0x3, "sync", 12, "cudaDeviceSynchronize");
  for (unsigned I = 0; I < 50; ++I) {
    S.launch(Other, 300'000);
    S.launch(Null, 20'000);
    S.enter(HostKind::Site, Free);
    S.synchronizeStream(Null);
    S.leave();
    S.enter(HostKind::Site, Costly);
    S.synchronizeStream(Other);
    S.leave();
    S.work(200'000);
  }
  const Timeline T = S.finish();
  const Result R = analyse(T, Steps());
  EXPECT_EQ(linesOf(T, R), std::vector<uint32_t>{10});
}

namespace {

/// 60 steps that allocate, launch a kernel of 20 us, free and wait.
Timeline allocating(llvm::StringRef Allocate, int64_t AllocateNs,
                    llvm::StringRef Wait) {
  Simulator S;
  const uint32_t Null = S.stream(7, StreamFlag::Null);
  const uint32_t Loop = S.site(0x11, "loop", 5, "for");
  for (unsigned I = 0; I < 60; ++I) {
    S.enter(HostKind::Range, Loop);
    S.call(Allocate, AllocateNs);
    S.launch(Null, 20'000);
    S.synchronizeDevice(Wait);
    S.leave();
  }
  return S.finish();
}

} // namespace

TEST(ChangeSet, HasAllocationsOfTheSteps) {
  const Timeline T = allocating("cudaMalloc", 80'000, "cudaFree");
  const Result R = llvm::cantFail(analyse(T));
  ASSERT_EQ(R.WhatIfs.Changes.Members.size(), 1u);
  const Candidate &C = R.WhatIfs.Changes.Members.front().Changed;
  EXPECT_EQ(C.Kind, Remedy::Allocate);
  EXPECT_EQ(C.Rows.size(), 2u);
  ASSERT_TRUE(R.WhatIfs.Strong);
  EXPECT_GE(R.WhatIfs.Strong->Saved.Low / int64_t(R.InSteps->Count), 75'000);
}

TEST(ChangeSet, RaisesTheThresholdOfAPoolThatIsTrimmed) {
  const Timeline T =
      allocating("cudaMallocAsync", 90'000, "cudaDeviceSynchronize");
  const Result R = llvm::cantFail(analyse(T));
  ASSERT_FALSE(R.WhatIfs.Changes.Members.empty());
  EXPECT_EQ(R.WhatIfs.Changes.Members.front().Changed.Kind, Remedy::KeepPool);
  // Besides, it is not waited for, which hides the kernel.
  const Attribution A = attribute(T);
  const WaitList List = findWaits(T, A);
  Plan Raised;
  Raised.Changes = R.WhatIfs.Changes.Members.front().Changed.Strong;
  const Gain Pool = test::gainOf(Replay(T, A, List, R.Steps), Raised);
  EXPECT_NEAR(double(Pool.High) / double(R.InSteps->Count), 89'000, 2'000);
}
