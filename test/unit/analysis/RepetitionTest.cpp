// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of schedules that nobody annotated, with what real programs do besides:
// evaluate, log, start up, use several threads.
#include "Simulator.h"

#include "analysis/common/Statistics.h"
#include "analysis/steps/Steps.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <random>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

class Program {
  std::mt19937_64 Random;

public:
  Simulator S;
  uint32_t Stream;

  explicit Program(uint64_t Seed) : Random(Seed) {
    Stream = S.stream(7, StreamFlag::Null);
  }
  int64_t between(int64_t Low, int64_t High) {
    return std::uniform_int_distribution<int64_t>(Low, High)(Random);
  }
  bool chance(double P) { return std::bernoulli_distribution(P)(Random); }
  void runOne(const std::string &Kernel) {
    S.work(between(500, 3'000));
    S.launch(Stream, between(2'000, 9'000), Kernel);
  }
  void run(const std::vector<std::string> &Kernels) {
    for (const std::string &Kernel : Kernels)
      runOne(Kernel);
  }
  /// Names from a vocabulary of so many.
  std::vector<std::string> kernels(size_t Count, int64_t Vocabulary,
                                   const std::string &Prefix = "kernel") {
    std::vector<std::string> Names;
    while (Names.size() < Count)
      Names.push_back(Prefix + std::to_string(between(1, Vocabulary)));
    return Names;
  }
  Steps find() {
    Timeline T = S.finish();
    return llvm::cantFail(findSteps(T, ""));
  }
};

/// What is expected: as many steps as there were, but two.
testing::AssertionResult isNear(const Steps &Found, size_t Count) {
  if (Found.From == StepsFrom::Repetition && Found.List.size() + 2 >= Count &&
      Found.List.size() <= Count + 2)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << Found.List.size() << " steps (" << Found.Source << ", "
         << name(Found.Sure).str() << ") instead of " << Count;
}

} // namespace

TEST(Repetition, FindsStepsOfAnyLengthWithNoise) {
  for (uint64_t Seed = 1; Seed <= 60; ++Seed) {
    Program P(Seed);
    P.run(P.kernels(P.between(0, 40), 30, "start"));
    const auto Body = P.kernels(P.between(4, 60), 12);
    const size_t Steps = P.between(25, 120);
    for (size_t I = 0; I < Steps; ++I) {
      P.runOne("begin");
      for (const std::string &Kernel : Body)
        if (!P.chance(0.01))
          P.runOne(Kernel);
      if (P.chance(0.05))
        P.runOne("seldom");
      P.S.readBack(P.Stream);
    }
    P.run(P.kernels(P.between(0, 10), 30, "end"));
    EXPECT_TRUE(isNear(P.find(), Steps)) << "seed " << Seed;
  }
}

TEST(Repetition, SeesThroughEvaluationsAndLogs) {
  for (uint64_t Seed = 1; Seed <= 40; ++Seed) {
    Program P(Seed);
    const auto Forward = P.kernels(P.between(6, 25), 8, "forward"),
               Backward = P.kernels(P.between(12, 40), 8, "backward");
    const size_t Steps = P.between(60, 150), Log = P.between(5, 20),
                 Evaluation = P.between(15, 30);
    for (size_t I = 1; I <= Steps; ++I) {
      P.run(Forward);
      P.runOne("loss");
      P.run(Backward);
      P.runOne("optimizer");
      if (I % Log == 0)
        P.S.readBack(P.Stream);
      if (I % Evaluation == 0)
        for (int Batch = 0; Batch < 4; ++Batch) {
          P.run(Forward);
          P.runOne("metric");
        }
    }
    EXPECT_TRUE(isNear(P.find(), Steps)) << "seed " << Seed;
  }
}

TEST(Repetition, TakesTheStepNotItsLayers) {
  for (uint64_t Seed = 1; Seed <= 40; ++Seed) {
    Program P(Seed);
    const auto Layer = P.kernels(P.between(3, 10), 6, "layer");
    const size_t Layers = P.between(4, 40), Steps = P.between(20, 60);
    for (size_t I = 0; I < Steps; ++I) {
      P.runOne("embedding");
      P.runOne("position");
      for (size_t L = 0; L < Layers; ++L)
        P.run(Layer);
      P.run({"head", "softmax", "sample"});
      P.S.readBack(P.Stream);
    }
    EXPECT_TRUE(isNear(P.find(), Steps)) << "seed " << Seed;
  }
}

TEST(Repetition, TakesTheStepNotTheEpoch) {
  Program P(1);
  const auto Body = P.kernels(30, 15);
  for (int Epoch = 0; Epoch < 6; ++Epoch) {
    for (int I = 0; I < 50; ++I)
      P.run(Body);
    P.runOne("checkpoint");
    P.S.readBack(P.Stream);
  }
  EXPECT_TRUE(isNear(P.find(), 300));
}

TEST(Repetition, FindsNoneWhereNothingRepeats) {
  for (uint64_t Seed = 1; Seed <= 60; ++Seed) {
    Program P(Seed);
    P.run(P.kernels(P.between(1, 600), P.between(3, 60)));
    Steps Found = P.find();
    EXPECT_TRUE(Found.List.empty()) << "seed " << Seed << ": " << Found.Source;
    EXPECT_EQ(Found.From, StepsFrom::Nothing);
  }
}

TEST(Repetition, FindsNoneInAFewRuns) {
  Program P(1);
  for (int I = 0; I < 3; ++I)
    P.run({"a", "b", "c"});
  EXPECT_TRUE(P.find().List.empty());
}

TEST(Repetition, IsNotThatOfASingleOperation) {
  Program P(1);
  for (int I = 0; I < 40; ++I)
    P.runOne("a");
  EXPECT_TRUE(P.find().List.empty());
}

TEST(Repetition, BeginsBehindTheLongestPause) {
  Program P(1);
  for (int I = 0; I < 30; ++I) {
    P.run({"a", "b", "c", "d", "e", "f"});
    P.S.work(200'000); // The next batch.
    P.run({"g", "h", "i", "j", "k"});
  }
  Steps Found = P.find();
  EXPECT_TRUE(isNear(Found, 30));
  EXPECT_EQ(Found.Source, "repetition of 11 operations, cut at g");
  EXPECT_EQ(Found.Sure, Confidence::High);
  EXPECT_TRUE(Found.FromGpu);
}

TEST(Repetition, GivesWayToRangesAndNames) {
  Program P(1);
  uint32_t Loop = P.S.site(1, "loop", 10, "for");
  for (int I = 0; I < 20; ++I) {
    P.S.enter(HostKind::Range, Loop);
    for (int K = 0; K < 5; ++K)
      P.run({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"});
    P.S.leave();
  }
  Steps Found = P.find();
  EXPECT_EQ(Found.From, StepsFrom::Range);
  EXPECT_EQ(Found.List.size(), 20u);
}

TEST(Repetition, CutsAnotherRecordingTheSameWay) {
  Program A(1), B(2);
  for (int I = 0; I < 30; ++I) {
    A.run({"a", "b", "c", "d"});
    A.S.work(100'000);
    A.run({"e", "f", "g", "h", "i", "j"});
    B.run({"a", "b", "c", "d"});
    B.run({"e", "f", "g", "h", "i", "j"});
    B.S.work(100'000);
  }
  const Timeline T = B.S.finish();
  const Steps First = A.find(), Own = llvm::cantFail(findSteps(T, ""));
  EXPECT_NE(First.Site, Own.Site);
  const Steps Same = findStepsOfSite(T, First.Site);
  EXPECT_EQ(Same.Site, First.Site);
  EXPECT_TRUE(isNear(Same, 30));
  EXPECT_TRUE(findStepsOfSite(T, 12345).List.empty());
}

TEST(Repetition, OfStepsIsNotOfTheirLayers) {
  Program P(1);
  const auto Body = P.kernels(6, 6);
  std::vector<uint32_t> Blocks;
  for (int I = 0; I < 6; ++I)
    Blocks.push_back(P.S.site(uint64_t(I) + 1, UserRangeKind, 0, "", "",
                              "block." + std::to_string(I) + ".layer.0"));
  const auto Backward = P.kernels(20, 20, "backward");
  for (int I = 0; I < 30; ++I) {
    P.runOne("begin");
    for (uint32_t Block : Blocks) {
      P.S.enter(HostKind::Range, Block);
      P.run(Body);
      P.S.leave();
    }
    P.run(Backward);
    P.S.readBack(P.Stream);
  }
  const Steps Found = P.find();
  EXPECT_TRUE(isNear(Found, 30));
}
