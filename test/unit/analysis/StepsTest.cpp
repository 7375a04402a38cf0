// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Simulator.h"

#include "analysis/common/Statistics.h"
#include "analysis/steps/Steps.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

/// Epochs of batches; only the batches' kernels.
Timeline nested(unsigned Epochs, unsigned Batches) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Outer = S.site(1, "loop", 10, "for");
  uint32_t Inner = S.site(2, "loop", 11, "for");
  uint32_t Step =
      S.site(3, "function", 50, "step", "src/train.cu", "net::train_step(int)");
  for (unsigned E = 0; E < Epochs; ++E) {
    S.enter(HostKind::Range, Outer);
    for (unsigned B = 0; B < Batches; ++B) {
      S.enter(HostKind::Range, Inner);
      S.enter(HostKind::Range, Step);
      S.launch(Null, 10'000);
      S.leave();
      S.leave();
    }
    S.leave();
  }
  return S.finish();
}

} // namespace

TEST(Steps, AreTheOutermostLoopWithEnoughIterations) {
  Timeline Many = nested(5, 7);
  Steps S = llvm::cantFail(findSteps(Many, ""));
  EXPECT_EQ(S.Source, "loop at train.cu:10 in train");
  EXPECT_EQ(S.List.size(), 5u);

  Timeline Two = nested(2, 7); // Too few to be steps.
  S = llvm::cantFail(findSteps(Two, ""));
  EXPECT_EQ(S.Source, "loop at train.cu:11 in train");
  EXPECT_EQ(S.List.size(), 14u);
}

TEST(Steps, AreNoRangeOfWhichRunsAreMissing) {
  Timeline T = nested(5, 7);
  T.Throttled.push_back({0, 1'000, 5'000});
  Steps S = llvm::cantFail(findSteps(T, ""));
  EXPECT_EQ(S.Source, "loop at train.cu:11 in train");
  S = llvm::cantFail(findSteps(T, "loop:train.cu:10"));
  EXPECT_EQ(S.List.size(), 5u);
}

TEST(Steps, MustLaunchMostOfTheWork) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Loop = S.site(1, "loop", 10, "for");
  for (int I = 0; I < 5; ++I) {
    S.enter(HostKind::Range, Loop);
    S.launch(Null, 1'000);
    S.leave();
  }
  S.launch(Null, 1'000'000);
  Timeline T = S.finish();
  EXPECT_TRUE(llvm::cantFail(findSteps(T, "")).List.empty());
}

TEST(Steps, AFewEmptyIterationsAreNoSteps) {
  auto Recorded = [](int Full, int Empty) {
    Simulator S;
    uint32_t Null = S.stream(7, StreamFlag::Null);
    uint32_t Loop = S.site(1, "loop", 10, "for");
    for (int I = 0; I < Full + Empty; ++I) {
      S.enter(HostKind::Range, Loop);
      if (I < Full)
        S.launch(Null, 10'000);
      S.leave();
    }
    return S.finish();
  };
  // The last iteration prints the result of the one before.
  const Timeline Late = Recorded(20, 1);
  Steps Found = llvm::cantFail(findSteps(Late, ""));
  EXPECT_EQ(Found.List.size(), 20u);
  EXPECT_EQ(Found.Empty, 1u);
  EXPECT_TRUE(Found.FromGpu);
  // So many may be steps of another kind.
  const Timeline Often = Recorded(20, 5);
  Found = llvm::cantFail(findSteps(Often, ""));
  EXPECT_EQ(Found.List.size(), 25u);
  EXPECT_EQ(Found.Empty, 0u);
  EXPECT_FALSE(Found.FromGpu);
}

TEST(Steps, AFunctionStandsForALoopWithoutARange) {
  // main's loop has no range; each step calls forward and backward, which loop
  // over the layers.
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Forward =
      S.site(1, "function", 10, "forward", "src/model.cu", "Model::forward");
  uint32_t Backward =
      S.site(2, "function", 20, "backward", "src/model.cu", "Model::backward");
  uint32_t Layers =
      S.site(3, "loop", 21, "for", "src/model.cu", "Model::backward");
  for (int Step = 0; Step < 10; ++Step) {
    S.enter(HostKind::Range, Forward);
    S.launch(Null, 40'000);
    S.leave();
    S.enter(HostKind::Range, Backward);
    for (int Layer = 0; Layer < 16; ++Layer) {
      S.enter(HostKind::Range, Layers);
      S.launch(Null, 5'000);
      S.leave();
    }
    S.leave();
    S.readBack(Null);
  }
  Timeline T = S.finish();
  Steps Found = llvm::cantFail(findSteps(T, ""));
  EXPECT_EQ(Found.Source, "Model::backward at model.cu:20");
  EXPECT_EQ(Found.List.size(), 10u);
}

TEST(Steps, WorkLaunchedByAHelperThreadBelongsToTheStep) {
  // Like an autograd engine: most work is launched by a thread without ranges,
  // while the main thread is inside its step.
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Loop = S.site(1, "loop", 10, "for");
  uint32_t Helper = S.B.addThread(1001, "autograd");
  for (uint64_t I = 0; I < 10; ++I) {
    S.enter(HostKind::Range, Loop);
    S.launch(Null, 1'000);
    S.B.addHost(HostKind::Api, Helper, S.Now, S.Now + 2'000,
                S.B.T.Strings.intern("cudaLaunchKernel"), None, 5'000 + I);
    S.B.addOp(Null, 0, S.Now + 50'000, S.Now + 90'000, 5'000 + I);
    S.work(100'000);
    S.leave();
  }
  Timeline T = S.finish();
  Steps Found = llvm::cantFail(findSteps(T, ""));
  ASSERT_EQ(Found.List.size(), 10u);
  EXPECT_TRUE(Found.FromGpu);
  EXPECT_EQ(median(Found.times()), 100'000 + 2'500 + 200);
}

TEST(Steps, CanBeNamed) {
  Timeline T = nested(2, 7);
  for (const char *Name :
       {"train_step", "net::train_step", "net::train_step(int)"}) {
    Steps S = llvm::cantFail(findSteps(T, Name));
    EXPECT_EQ(S.List.size(), 14u) << Name;
  }
  EXPECT_EQ(llvm::cantFail(findSteps(T, "train.cu:10")).List.size(), 2u);
  llvm::Expected<Steps> Unknown = findSteps(T, "nonsense");
  ASSERT_FALSE(Unknown);
  std::string Why = llvm::toString(Unknown.takeError());
  EXPECT_NE(Why.find("net::train_step(int)"), std::string::npos);
  EXPECT_NE(Why.find("train.cu:11"), std::string::npos);
}

TEST(Steps, TakeTheGpusTimeWhenTheCpuRunsAhead) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Loop = S.site(1, "loop", 10, "for");
  for (int I = 0; I < 20; ++I) {
    S.enter(HostKind::Range, Loop);
    S.launch(Null, 999'000); // And a pause of 1 us.
    S.leave();
  }
  S.synchronizeDevice();
  Timeline T = S.finish();
  Steps Found = llvm::cantFail(findSteps(T, ""));
  EXPECT_TRUE(Found.FromGpu);
  EXPECT_EQ(Found.WarmUp, 2u);
  EXPECT_EQ(median(Found.times()), 1'000'000);
  EXPECT_GT(median(Found.leads()), 5'000'000);
}

namespace {

uint32_t userRange(Simulator &S, const char *Name, const char *Domain = "") {
  return S.B.userRange(S.B.T.Strings.intern(Domain),
                       S.B.T.Strings.intern(Name));
}

/// `Steps` ranges of the user's, named by `NameOf`, with three layers in each.
template <typename Function>
Timeline annotated(unsigned Steps, const char *Domain, Function NameOf) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  for (unsigned I = 0; I < Steps; ++I) {
    S.enter(HostKind::Range, userRange(S, NameOf(I).c_str(), Domain));
    for (const char *Layer : {"layer 1", "layer 2", "layer 3"}) {
      S.enter(HostKind::Range, userRange(S, Layer));
      S.launch(Null, 10'000);
      S.leave();
    }
    S.leave();
  }
  return S.finish();
}

} // namespace

TEST(Steps, AreTheUsersRangesWithoutInstrumentation) {
  Timeline T = annotated(5, "", [](unsigned) { return std::string("step"); });
  Steps S = llvm::cantFail(findSteps(T, ""));
  EXPECT_EQ(S.Source, "NVTX range step");
  EXPECT_EQ(S.List.size(), 5u);
  EXPECT_TRUE(S.FromGpu);
  EXPECT_EQ(llvm::cantFail(findSteps(T, "range:layer 2")).List.size(), 5u);
  EXPECT_EQ(llvm::cantFail(findSteps(T, "layer 1")).List.size(), 5u);
  EXPECT_EQ(findStepsOfSite(T, S.Site).List.size(), 5u);
  std::string Why = llvm::toString(findSteps(T, "range:layer").takeError());
  EXPECT_EQ(Why, "several steps have 'range:layer' in their names; there are "
                 "range:layer 1, range:layer 2, range:layer 3");
  Why = llvm::toString(findSteps(T, "range:later 2").takeError());
  EXPECT_EQ(Why, "no step is named 'range:later 2'; there are range:layer 2, "
                 "range:layer 1, range:layer 3, range:step");
  // A part, if one has it. 1 is not a part of 12.
  EXPECT_EQ(llvm::cantFail(findSteps(T, "ayer 3")).Name, "range:layer 3");
  EXPECT_EQ(llvm::cantFail(findSteps(T, "ste")).Name, "range:step");
  Timeline Ten = annotated(12, "", [](unsigned I) {
    return std::string(I % 2 ? "pass 10" : "pass 20");
  });
  EXPECT_EQ(llvm::cantFail(findSteps(Ten, "s 10")).Name, "range:pass 10");
  Why = llvm::toString(findSteps(Ten, "s 1").takeError());
  EXPECT_NE(Why.find("no step is named 's 1'"), std::string::npos) << Why;
  Why = llvm::toString(findSteps(T, "function:step").takeError());
  EXPECT_NE(Why.find("range:step"), std::string::npos);
}

TEST(Steps, NumberedRangesAreOneThing) {
  Timeline T = annotated(12, "", [](unsigned I) {
    return "iter " + std::to_string(I) + " of 12x";
  });
  // The last number is the same in all.
  EXPECT_NE(llvm::cantFail(findSteps(T, "")).From, StepsFrom::Range);
  T = annotated(12, "mine",
                [](unsigned I) { return "iter " + std::to_string(I); });
  Steps S = llvm::cantFail(findSteps(T, ""));
  EXPECT_EQ(S.Source, "NVTX range iter # of mine");
  EXPECT_EQ(S.List.size(), 12u);
  EXPECT_EQ(llvm::cantFail(findSteps(T, "range:iter #")).List.size(), 12u);
  EXPECT_EQ(findStepsOfSite(T, S.Site).List.size(), 12u);
}

TEST(Steps, TwoNumberedRangesAreOneThingIfAskedFor) {
  Timeline T = annotated(
      2, "", [](unsigned I) { return "ProfilerStep#" + std::to_string(I); });
  EXPECT_NE(llvm::cantFail(findSteps(T, "")).From, StepsFrom::Range);
  for (const char *Name : {"ProfilerStep", "ProfilerStep#",
                           "range:ProfilerStep", "range:ProfilerStep#"}) {
    Steps S = llvm::cantFail(findSteps(T, Name));
    EXPECT_EQ(S.List.size(), 2u);
    EXPECT_EQ(S.Source, "PyTorch's ProfilerStep#");
  }
  EXPECT_EQ(llvm::cantFail(findSteps(T, "ProfilerStep#1")).List.size(), 1u);
}

TEST(Steps, AreNoRangesOfLibraries) {
  Timeline T =
      annotated(5, "NCCL", [](unsigned) { return std::string("ncclReduce"); });
  EXPECT_NE(llvm::cantFail(findSteps(T, "")).From, StepsFrom::Range);
  EXPECT_EQ(llvm::cantFail(findSteps(T, "ncclReduce")).List.size(), 5u);

  // Of XLA's, runs of the program's modules may be steps; not what it compiles
  // and tries.
  const auto Found = [](const char *Name) {
    Timeline T =
        annotated(5, "TSL", [=](unsigned) { return std::string(Name); });
    return llvm::cantFail(findSteps(T, "")).Source;
  };
  EXPECT_EQ(Found("XlaModule:#hlo_module=jit_step,program_id=53#"),
            "NVTX range XlaModule:#hlo_module=jit_step,program_id=53# of TSL");
  EXPECT_EQ(Found("XlaModule:#hlo_module=gemm_fusion_dot.6#"), "");
  EXPECT_EQ(Found("XlaCompile:#module=jit_step#"), "");
}

TEST(Steps, AreChosenByAPartOfTheirName) {
  Simulator S;
  const uint32_t Null = S.stream(7, StreamFlag::Null);
  for (char Letter = 'A'; Letter <= 'Z'; ++Letter) {
    const std::string Pass =
        std::string("XlaPass:#name=pass_") + Letter + "_x,module=jit_step#";
    S.enter(HostKind::Range, userRange(S, Pass.c_str(), "TSL"));
    S.work(1'000);
    S.leave();
  }
  for (unsigned I = 0; I < 5; ++I) {
    S.enter(
        HostKind::Range,
        userRange(S, "XlaModule:#hlo_module=jit_step,program_id=53#", "TSL"));
    S.launch(Null, 10'000);
    S.leave();
  }
  const Timeline T = S.finish();
  // Only one of those with this part could be steps.
  EXPECT_EQ(llvm::cantFail(findSteps(T, "jit_step")).List.size(), 5u);
  EXPECT_EQ(llvm::cantFail(findSteps(T, "range:jit_step")).List.size(), 5u);
  // The nearest five, and how many there are.
  std::string Why = llvm::toString(findSteps(T, "jit_stop").takeError());
  EXPECT_TRUE(llvm::StringRef(Why).starts_with(
      "no step is named 'jit_stop'; the nearest of 27 are "
      "range:XlaModule:#hlo_module=jit_step,program_id=53#, range:XlaPass:"))
      << Why;
  EXPECT_EQ(llvm::StringRef(Why).count("range:"), 5u) << Why;
  Why = llvm::toString(findSteps(T, "_x,mod").takeError());
  EXPECT_TRUE(llvm::StringRef(Why).starts_with(
      "several steps have '_x,mod' in their names; the nearest of 26 are "))
      << Why;
  EXPECT_EQ(llvm::cantFail(findSteps(T, "pass_G")).Name,
            "range:XlaPass:#name=pass_G_x,module=jit_step#");
}

TEST(Steps, PreferInstrumentedLoopsToUserRanges) {
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Loop = S.site(1, "loop", 10, "for");
  for (int I = 0; I < 5; ++I) {
    S.enter(HostKind::Range, userRange(S, "around"));
    S.enter(HostKind::Range, Loop);
    S.launch(Null, 1'000);
    S.leave();
    S.leave();
  }
  Timeline T = S.finish();
  EXPECT_EQ(llvm::cantFail(findSteps(T, "")).Source,
            "loop at train.cu:10 in train");
  EXPECT_EQ(llvm::cantFail(findSteps(T, "loop:train.cu:10")).List.size(), 5u);
}

TEST(Steps, OfALaneHoldTheWorkOfEveryThread) {
  // nvtxRangeStart and nvtxRangeEnd around work that two threads launch, one of
  // which has ranges of its own.
  Simulator S;
  uint32_t Null = S.stream(7, StreamFlag::Null);
  uint32_t Lane = S.B.addThread(-1, "");
  S.B.T.Threads[Lane].IsLane = true;
  uint32_t Function = S.site(1, "function", 10, "", "src/a.cu", "work");
  for (int I = 0; I < 4; ++I) {
    int64_t Start = S.Now;
    S.enter(HostKind::Range, Function);
    S.launch(Null, 1'000);
    S.leave();
    S.B.addHost(HostKind::Range, Lane, Start, S.Now,
                S.B.T.Strings.intern("batch"), userRange(S, "batch"));
  }
  Timeline T = S.finish();
  Steps Found = llvm::cantFail(findSteps(T, "range:batch"));
  EXPECT_EQ(Found.List.size(), 4u);
  EXPECT_TRUE(Found.FromGpu);
}

namespace {

/// `Runs` iterations of a loop at this line.
void runLoop(Simulator &S, uint32_t Stream, unsigned Line, int Runs,
             int64_t KernelNs) {
  const uint32_t Loop = S.site(Line, "loop", Line, "for");
  for (int I = 0; I < Runs; ++I) {
    S.enter(HostKind::Range, Loop);
    S.launch(Stream, KernelNs);
    S.leave();
  }
}

} // namespace

TEST(Steps, AreOfTheLargestPhase) {
  Simulator S;
  const uint32_t Null = S.stream(7, StreamFlag::Null);
  runLoop(S, Null, 10, 20, 10'000);
  runLoop(S, Null, 20, 30, 15'000);
  const Timeline T = S.finish();
  Steps Found = llvm::cantFail(findSteps(T, ""));
  EXPECT_EQ(Found.Name, "loop:train.cu:20");
  ASSERT_EQ(Found.Others.size(), 1u);
  EXPECT_EQ(Found.Others[0].Name, "loop:train.cu:10");
  EXPECT_EQ(Found.Others[0].List.size(), 20u);
  Found = llvm::cantFail(findSteps(T, "loop:train.cu:10"));
  ASSERT_EQ(Found.Others.size(), 1u);
  EXPECT_EQ(Found.Others[0].Name, "loop:train.cu:20");
}

TEST(Steps, HaveNoPhasesThatTakeTurns) {
  auto Turns = [](int Epochs) {
    Simulator S;
    const uint32_t Null = S.stream(7, StreamFlag::Null);
    for (int Epoch = 0; Epoch < Epochs; ++Epoch) {
      runLoop(S, Null, 10, 20, 10'000);
      runLoop(S, Null, 20, 5, 2'000);
    }
    return S.finish();
  };
  EXPECT_EQ(llvm::cantFail(findSteps(Turns(2), "")).Others.size(), 1u);
  EXPECT_TRUE(llvm::cantFail(findSteps(Turns(3), "")).Others.empty());
}

TEST(Steps, OfferTheLoopThatTheyHold) {
  const Steps S = llvm::cantFail(findSteps(nested(5, 7), ""));
  ASSERT_TRUE(S.Inner);
  EXPECT_EQ(S.Inner->Name, "loop:train.cu:11");
  EXPECT_EQ(S.Inner->Runs, 35u);
  EXPECT_EQ(S.Inner->GpuShare, 1);
  EXPECT_FALSE(llvm::cantFail(findSteps(nested(5, 2), "")).Inner);
}

TEST(Steps, AreNoCollectives) {
  const Timeline T =
      annotated(5, "", [](unsigned) { return std::string("nccl:all_reduce"); });
  EXPECT_NE(llvm::cantFail(findSteps(T, "")).From, StepsFrom::Range);
  EXPECT_EQ(llvm::cantFail(findSteps(T, "nccl:all_reduce")).List.size(), 5u);
}
