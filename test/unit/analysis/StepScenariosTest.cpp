// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of programs as many people run them, none of them annotated: what
// starts up before the steps, what alternates in them, and what is no step.
#include "Simulator.h"

#include "analysis/steps/Steps.h"

#include <gtest/gtest.h>

#include <random>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

using Names = std::vector<std::string>;

class Program {
  std::mt19937_64 Random{1};

public:
  Simulator S;
  uint32_t Stream = S.stream(7, StreamFlag::Null);

  int64_t between(int64_t Low, int64_t High) {
    return std::uniform_int_distribution<int64_t>(Low, High)(Random);
  }
  void run(const Names &Kernels) {
    for (const std::string &Kernel : Kernels) {
      S.work(between(500, 3'000));
      S.launch(Stream, between(2'000, 9'000), Kernel);
    }
  }
  Names kernels(const std::string &Prefix, int Count, int Kinds) {
    Names Result;
    for (int I = 0; I < Count; ++I)
      Result.push_back(Prefix + std::to_string(between(1, Kinds)));
    return Result;
  }
  void upload(int Count, uint64_t Bytes) {
    for (int I = 0; I < Count; ++I) {
      S.work(20'000);
      S.transfer(Stream, Direction::HtoD, Bytes, MemoryKind::Pageable);
    }
  }
  /// A compiler that tries variants of kernels, as XLA and Triton do: long
  /// pauses, and each is run some times.
  void tryAlgorithms(int Variants, int Runs) {
    for (int V = 0; V < Variants; ++V) {
      S.work(between(5'000'000, 60'000'000));
      const std::string Kernel = "gemm_" + std::to_string(V / 40);
      for (int I = 0; I < Runs; ++I) {
        S.call("cudaMemsetAsync", 2'000);
        S.launch(Stream, between(20'000, 400'000), Kernel);
      }
      S.synchronizeStream(Stream);
    }
  }
  Steps find() { return llvm::cantFail(findSteps(S.finish(), "")); }
};

/// Counts of steps that are right: a loop's first or last iteration may lack
/// something.
testing::AssertionResult isAbout(const Steps &Found, size_t Count) {
  if (Found.List.size() + 2 >= Count && Found.List.size() <= Count + 2)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << Found.List.size() << " steps (" << Found.Source << ", "
         << name(Found.Sure).str() << ") instead of " << Count;
}

} // namespace

TEST(StepScenarios, JitWithALongStart) {
  Program P;
  P.tryAlgorithms(400, 6);
  for (int I = 0; I < 20; ++I)
    P.S.launchGraph(P.Stream, 200'000);
  P.S.synchronizeDevice();
  for (int I = 0; I < 200; ++I) {
    P.S.launchGraph(P.Stream, 200'000);
    P.S.readBack(P.Stream);
    P.S.work(300'000);
  }
  const Steps Found = P.find();
  EXPECT_TRUE(isAbout(Found, 200));
  EXPECT_EQ(Found.Sure, Confidence::High);
}

TEST(StepScenarios, AnEagerLoopBehindALongStart) {
  Program P;
  P.tryAlgorithms(1'000, 20);
  const Names Body = P.kernels("kernel", 60, 20);
  for (int I = 0; I < 100; ++I) {
    P.S.work(500'000);
    P.run(Body);
  }
  EXPECT_TRUE(isAbout(P.find(), 100));
}

TEST(StepScenarios, UploadsAreNoSteps) {
  Program P;
  P.upload(1'000, 4 << 20);
  const Names Body = P.kernels("kernel", 25, 10);
  for (int I = 0; I < 50; ++I)
    P.run(Body);
  EXPECT_TRUE(isAbout(P.find(), 50));
}

TEST(StepScenarios, ParametersOfTwoForwardPassesAreNoSteps) {
  Program P;
  P.upload(16, 1 << 20);
  const Names Forward = P.kernels("kernel", 40, 15);
  for (int I = 0; I < 2; ++I) {
    P.run(Forward);
    P.S.readBack(P.Stream);
  }
  EXPECT_EQ(P.find().From, StepsFrom::Nothing);
}

TEST(StepScenarios, HalvesThatAlternate) {
  Program P;
  const Names Dot = {"multiply", "reduce", "reduce_last", "copy", "divide"};
  for (int I = 0; I < 120; ++I) {
    P.run({"multiply", "subtract", "subtract"});
    P.run(Dot);
    P.run({"multiply", "add", "multiply", "subtract"});
    P.run(Dot);
    P.run({"multiply", "add"});
    P.S.readBack(P.Stream);
  }
  EXPECT_TRUE(isAbout(P.find(), 120));
}

TEST(StepScenarios, HalvesThatDifferInOneTemplate) {
  Program P;
  for (int I = 0; I < 100; ++I)
    for (const char *Kernel : {"sweep<0>", "sweep<1>"}) {
      P.run({"borders", Kernel, "exchange", "limit", "sum", "scale"});
      P.S.work(50'000);
    }
  const Steps Found = P.find();
  EXPECT_TRUE(isAbout(Found, 100));
  EXPECT_EQ(Found.Sure, Confidence::High);
}

TEST(StepScenarios, EqualHalvesAreSteps) {
  Program P;
  const Names Body = P.kernels("kernel", 12, 9);
  for (int I = 0; I < 100; ++I) {
    P.run(Body);
    if (I % 2) // A log of every second step is no other half.
      P.S.readBack(P.Stream);
  }
  EXPECT_TRUE(isAbout(P.find(), 100));
}

TEST(StepScenarios, TwoMicroBatchesAreOneStep) {
  Program P;
  const Names Forward = P.kernels("forward", 15, 8),
              Backward = P.kernels("backward", 25, 10);
  for (int I = 0; I < 60; ++I) {
    for (int Batch = 0; Batch < 2; ++Batch) {
      P.run(Forward);
      P.run(Backward);
    }
    P.run({"norm", "clip", "adam"});
    P.S.readBack(P.Stream);
  }
  EXPECT_TRUE(isAbout(P.find(), 60));
}

TEST(StepScenarios, TokensOfGeneratedText) {
  Program P;
  P.upload(100, 1 << 20);
  const Names Layer = {"norm", "qkv", "rope", "attend", "out",
                       "norm", "up",  "silu", "down"};
  for (int Token = 0; Token < 150; ++Token) {
    P.run({"embed", "mask"});
    for (int I = 0; I < 12; ++I)
      P.run(Layer);
    P.run({"norm", "head", "softmax", "argmax", "cat"});
    P.S.readBack(P.Stream);
    P.S.work(100'000);
  }
  EXPECT_TRUE(isAbout(P.find(), 150));
}

TEST(StepScenarios, ImagesOrTheirDenoisingStepsWithoutCertainty) {
  Program P;
  const Names Text = P.kernels("text", 40, 8), Net = P.kernels("unet", 90, 20),
              Decode = P.kernels("vae", 60, 12);
  for (int Image = 0; Image < 8; ++Image) {
    P.run(Text);
    for (int I = 0; I < 30; ++I) {
      P.run(Net);
      P.run({"scheduler_scale", "scheduler_add"});
    }
    P.run(Decode);
    P.S.readBack(P.Stream);
  }
  const Steps Found = P.find();
  EXPECT_TRUE(isAbout(Found, 8) || isAbout(Found, 240));
  EXPECT_NE(Found.Sure, Confidence::High);
}

TEST(StepScenarios, RequestsOfAServer) {
  Program P;
  const Names Net = P.kernels("net", 50, 15);
  for (int Request = 0; Request < 80; ++Request) {
    P.S.work(P.between(500'000, 20'000'000));
    P.S.transfer(P.Stream, Direction::HtoD, uint64_t(P.between(1, 8)) << 16,
                 MemoryKind::Pageable);
    P.run(Net);
    if (Request % 7 == 3)
      P.run({"pad", "pad"});
    P.S.readBack(P.Stream);
  }
  EXPECT_TRUE(isAbout(P.find(), 80));
}

TEST(StepScenarios, ALargerPhaseBeforeIsNoStart) {
  Program P;
  for (int I = 0; I < 500; ++I)
    P.S.launch(P.Stream, 4'000'000, "scan");
  P.S.synchronizeDevice();
  for (int I = 0; I < 500; ++I) {
    P.run({"copy", "step", "sum"});
    P.S.synchronizeDevice();
  }
  EXPECT_EQ(P.find().From, StepsFrom::Nothing);
}
