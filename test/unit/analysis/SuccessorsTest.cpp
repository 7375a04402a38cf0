// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that would wait in place of another one.
#include "Simulator.h"

#include "analysis/Analysis.h"
#include "analysis/decisions/Decisions.h"
#include "analysis/waits/Successors.h"

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
Timeline reading(unsigned Made) {
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
    S.work(20'000);
  }
  S.call("cudaGetLastError", 100);
  return S.finish();
}

uint32_t rowAt(const Timeline &T, const Result &R, uint32_t Line) {
  for (uint32_t I = 0; I < R.Sites.size(); ++I)
    if (R.Sites[I].Site != trace::None && T.Sites[R.Sites[I].Site].Line == Line)
      return I;
  return trace::None;
}

} // namespace

TEST(Successors, AreTheCallsThatWouldWaitInstead) {
  const Timeline T = reading(All);
  const Attribution A = attribute(T);
  const WaitList List = findWaits(T, A);
  const auto Found = findSuccessors(T, A, List);
  ASSERT_EQ(Found.size(), 1U);
  const auto &[Group, Others] = *Found.begin();
  EXPECT_EQ(T.Sites[Group].Line, 10U);
  ASSERT_EQ(Others.size(), 2U);
  EXPECT_EQ(T.Sites[Others[0]].Line, 11U);
  EXPECT_EQ(T.Sites[Others[1]].Line, 12U);
}

TEST(Successors, AreNotCallsThatWaitAnyway) {
  // The first one of the next step waits by itself.
  const Timeline T = reading(FirstCopy);
  const Attribution A = attribute(T);
  EXPECT_TRUE(findSuccessors(T, A, findWaits(T, A)).empty());
}

TEST(Successors, AGainIsThatOfChangingThemToo) {
  const Timeline T = reading(All);
  const int64_t Truth = T.end() - reading(0).end(),
                Alone = T.end() - reading(SecondCopy | Sync).end();
  ASSERT_GT(Truth, 4 * std::max<int64_t>(0, Alone));
  const Result R = analyse(T, Steps());
  const uint32_t Row = rowAt(T, R, 10);
  ASSERT_NE(Row, trace::None);
  const auto Expected = expectedGain(R, Row, Edit::Remove);
  ASSERT_TRUE(Expected);
  EXPECT_TRUE(llvm::ArrayRef(Expected->Along) ==
              llvm::ArrayRef({rowAt(T, R, 11), rowAt(T, R, 12)}));
  EXPECT_LE(Expected->Saved.Low, Truth);
  // Gains of a recorded run are limited by the exposed stall.
  EXPECT_GE(Expected->Saved.High, Truth * 9 / 10);
  // Of the first one alone, as before.
  const WhatIfRow *One = R.WhatIfs.find(Edit::Remove, Row);
  ASSERT_TRUE(One);
  EXPECT_LE(One->Saved.High, Truth / 2);
}
