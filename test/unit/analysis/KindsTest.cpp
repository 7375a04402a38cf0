// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/steps/Kinds.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

/// 100 steps, made by `Body`.
template <typename Function> Timeline loop(Function Body) {
  Simulator S;
  const uint32_t Null = S.stream(7, StreamFlag::Null);
  const uint32_t Loop = S.site(1, "loop", 10, "for");
  for (int I = 0; I < 100; ++I) {
    S.enter(HostKind::Range, Loop);
    Body(S, Null, I);
    S.leave();
  }
  S.synchronizeDevice();
  return S.finish();
}

std::vector<StepKind> kindsOf(const Timeline &T) {
  const Attribution A = attribute(T);
  return findKinds(T, A, llvm::cantFail(findSteps(T, "")),
                   findWaits(T, A).Waits);
}

int64_t totalOf(llvm::ArrayRef<StepKind> Kinds) {
  return std::accumulate(
      Kinds.begin(), Kinds.end(), int64_t(0),
      [](int64_t Sum, const StepKind &K) { return Sum + K.Total; });
}

} // namespace

TEST(Kinds, AreNoneIfAllStepsAreAlike) {
  EXPECT_TRUE(kindsOf(loop([](Simulator &S, uint32_t Null, int) {
                for (int K = 0; K < 10; ++K)
                  S.launch(Null, 10'000);
              })).empty());
}

TEST(Kinds, AreToldApartByWhatTheyLaunch) {
  const Timeline T = loop([](Simulator &S, uint32_t Null, int I) {
    for (int K = 0; K < 4; ++K)
      S.launch(Null, 5'000);
    if (I % 9 == 0) {
      const uint32_t Copy = S.site(2, "copy", 20, "cudaMemcpy");
      for (int K = 0; K < 3; ++K) {
        S.enter(HostKind::Site, Copy);
        S.readBack(Null);
        S.leave();
      }
      S.work(1'000'000); // It writes them to a file.
    }
  });
  const std::vector<StepKind> Kinds = kindsOf(T);
  ASSERT_EQ(Kinds.size(), 2u);
  // Steps 18, 27, ..., 99: the first ten are warm-up.
  EXPECT_EQ(Kinds[0].Steps, 10u);
  EXPECT_EQ(Kinds[0].First, 18u);
  EXPECT_EQ(Kinds[0].Every, 9u);
  // The file belongs to the step that writes it, not to the next one.
  EXPECT_GT(Kinds[0].mean(), 1'000'000);
  EXPECT_GT(Kinds[0].Waited, 0);
  ASSERT_EQ(Kinds[0].Own.size(), 1u);
  EXPECT_EQ(T.Sites[Kinds[0].Own[0].Site].Line, 20u);
  EXPECT_EQ(Kinds[1].Steps, 80u);
  EXPECT_FALSE(Kinds[1].Every);
  EXPECT_LT(Kinds[1].mean(), 50'000);
  EXPECT_EQ(Kinds[1].Waited, 0);
  EXPECT_TRUE(Kinds[1].Own.empty());
  // All of the time is in one of them.
  const Steps S = llvm::cantFail(findSteps(T, ""));
  EXPECT_EQ(totalOf(Kinds), S.List.back().End - S.List[S.WarmUp - 1].End);
}

TEST(Kinds, AreToldApartByOneCallThatCostsTime) {
  auto Printing = [](int64_t Ns) {
    return loop([Ns](Simulator &S, uint32_t Null, int I) {
      for (int K = 0; K < 50; ++K)
        S.launch(Null, 5'000);
      if (I % 10 == 0) {
        S.readBack(Null);
        S.work(Ns);
      }
    });
  };
  const std::vector<StepKind> Slow = kindsOf(Printing(500'000));
  ASSERT_EQ(Slow.size(), 2u);
  EXPECT_EQ(Slow[1].Every, 10u);
  EXPECT_EQ(Slow[1].Own.size(), 1u);
  EXPECT_TRUE(kindsOf(Printing(0)).empty());
}

TEST(Kinds, AreNotAsManyAsThereAreNumbersOfIterations) {
  EXPECT_TRUE(kindsOf(loop([](Simulator &S, uint32_t Null, int I) {
                for (int K = 0; K < 20 + I % 5; ++K)
                  S.launch(Null, 20'000);
              })).empty());
  // Twice as many are another kind.
  const std::vector<StepKind> Kinds =
      kindsOf(loop([](Simulator &S, uint32_t Null, int I) {
        for (int K = 0; K < (I % 4 ? 10 : 20); ++K)
          S.launch(Null, 20'000);
      }));
  ASSERT_EQ(Kinds.size(), 2u);
  EXPECT_EQ(Kinds[1].Every, 4u);
}

TEST(Kinds, ThatAreRareAreTheRest) {
  const std::vector<StepKind> Kinds =
      kindsOf(loop([](Simulator &S, uint32_t Null, int I) {
        for (int K = 0; K < 4; ++K)
          S.launch(Null, 5'000);
        if (I == 50)
          for (int K = 0; K < 100; ++K)
            S.launch(Null, 50'000, "evaluate");
      }));
  ASSERT_EQ(Kinds.size(), 2u);
  EXPECT_FALSE(Kinds[0].IsRest);
  EXPECT_TRUE(Kinds[1].IsRest);
  EXPECT_EQ(Kinds[1].Steps, 1u);
  EXPECT_EQ(Kinds[1].First, 50u);
}
