// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rule where it speaks, and where it must not.
#include "Simulator.h"

#include "analysis/Analysis.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

#include <functional>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

/// A loop of 20 steps on one H200; the first two are warm-up.
struct Loop : Simulator {
  uint32_t Null = stream(7, StreamFlag::Null);
  uint32_t Side = stream(8, StreamFlag::NonBlocking);
  Loop() {
    B.T.Devices.push_back(
        {0, "NVIDIA H200", 9, 0, 132, 0, 64, 32, 65536, 233472});
  }

  Loop &steps(const std::function<void(int)> &Body) {
    uint32_t Where = site(1, "loop", 10, "for");
    for (int I = 0; I < 20; ++I) {
      enter(HostKind::Range, Where);
      Body(I);
      leave();
    }
    return *this;
  }
  Stage &stageOf(llvm::StringRef Name) {
    return *llvm::find_if(B.T.Stages, [&](const Stage &S) {
      return B.T.Strings[S.Name] == Name;
    });
  }
  /// Makes copies of the operations of this name.
  void makeCopy(llvm::StringRef Name, Direction Dir, MemoryKind From,
                MemoryKind To, uint64_t Bytes) {
    Stage &S = stageOf(Name);
    S.Kind = OpKind::Copy;
    S.Dir = Dir;
    S.Source = From;
    S.Destination = To;
    S.Bytes = Bytes;
  }
};

std::vector<Finding> findings(Simulator &S) {
  Timeline T = S.finish();
  return llvm::cantFail(analyse(T)).Findings;
}

const Finding *of(const std::vector<Finding> &All, llvm::StringRef Rule) {
  for (const Finding &F : All)
    if (F.Rule == Rule)
      return &F;
  return nullptr;
}

int64_t number(const Finding &F, llvm::StringRef Key) {
  return F.Evidence.getInteger(Key).value_or(-1);
}

} // namespace

TEST(Findings, ColdFirstStep) {
  auto Run = [](int64_t Loading, int64_t KeptFrom = 0) {
    Loop L;
    L.B.T.Recorded.KeptFrom = KeptFrom;
    L.steps([&](int I) {
      if (I == 0 && Loading)
        L.call("cuLibraryLoadData", Loading);
      L.launch(L.Null, 50'000);
      L.synchronizeDevice();
    });
    return findings(L);
  };
  std::vector<Finding> Cold = Run(5'000'000);
  const Finding *F = of(Cold, "cold-first-step");
  ASSERT_TRUE(F);
  EXPECT_EQ(number(*F, "code_loading_ns"), 5'000'000);
  EXPECT_NEAR(double(number(*F, "first_step_ns")), 5'054'000, 1'000);
  EXPECT_EQ(F->Severity, Severity::Note);
  EXPECT_FALSE(of(Run(0), "cold-first-step"));
  EXPECT_FALSE(of(Run(200'000), "cold-first-step"));
  // The first steps were not kept.
  EXPECT_FALSE(of(Run(5'000'000, 1), "cold-first-step"));
}

TEST(Findings, ColdFirstStepOfAProgramThatRanBefore) {
  auto Run = [](bool RanBefore) {
    Loop L;
    L.launch(L.Null, 5'000'000, "before");
    L.steps([&](int) {
      L.launch(L.Null, 50'000);
      L.synchronizeDevice();
    });
    Timeline T = L.finish();
    if (RanBefore) {
      T.Ops.Launch[0] = None;
      T.LaunchOrder.erase(T.LaunchOrder.begin());
    }
    return llvm::cantFail(analyse(T)).Findings;
  };
  EXPECT_TRUE(of(Run(false), "cold-first-step"));
  EXPECT_FALSE(of(Run(true), "cold-first-step"));
}

TEST(Findings, FinalFlush) {
  auto Run = [](bool EachStep, bool Later) {
    Loop L;
    L.steps([&](int) {
      L.launch(L.Null, 500'000);
      if (EachStep)
        L.synchronizeDevice();
    });
    L.synchronizeDevice();
    if (Later)
      L.launch(L.Null, 500'000);
    return findings(L);
  };
  std::vector<Finding> Flush = Run(false, false);
  const Finding *F = of(Flush, "final-flush");
  ASSERT_TRUE(F);
  EXPECT_GT(number(*F, "wait_ns"), 9'000'000);
  EXPECT_FALSE(of(Run(true, false), "final-flush"));
  EXPECT_FALSE(of(Run(false, true), "final-flush"));
}

TEST(Findings, TinyKernels) {
  auto Run = [](int64_t Long) {
    Loop L;
    L.steps([&](int) {
      for (int K = 0; K < 10; ++K)
        L.launch(L.Null, 500);
      if (Long)
        L.launch(L.Null, Long, "long");
    });
    return findings(L);
  };
  std::vector<Finding> Tiny = Run(0);
  const Finding *F = of(Tiny, "tiny-kernels");
  ASSERT_TRUE(F);
  EXPECT_EQ(number(*F, "kernels"), 180);
  EXPECT_EQ(number(*F, "tiny"), 180);
  EXPECT_EQ(number(*F, "kernel_median_ns"), 500);
  EXPECT_EQ(number(*F, "launch_median_ns"), 2'500);
  EXPECT_EQ(number(*F, "tiny_kernel_median_ns"), 500);
  EXPECT_EQ(number(*F, "tiny_launch_median_ns"), 2'500);
  // As tiny, and launched while the GPU is busy with something else.
  EXPECT_FALSE(of(Run(100'000), "tiny-kernels"));
}

TEST(Findings, TinyKernelsPrintsTheMediansOfTheTinyOnes) {
  Loop L;
  L.C.Pause = 0;
  L.steps([&](int) {
    for (int K = 0; K < 16; ++K)
      L.launch(L.Null, K < 5 ? 500 : K < 9 ? 1'500 : 2'600);
  });
  const std::vector<Finding> All = findings(L);
  const Finding *F = of(All, "tiny-kernels");
  ASSERT_TRUE(F);
  EXPECT_EQ(number(*F, "tiny"), 162);
  EXPECT_EQ(number(*F, "kernels"), 288);
  EXPECT_EQ(number(*F, "kernel_median_ns"), 1'500);
  EXPECT_EQ(number(*F, "tiny_kernel_median_ns"), 500);
  EXPECT_NE(F->Message.find("their medians are 500 ns and 2.50 us"),
            std::string::npos)
      << F->Message;
}

TEST(Findings, DominantKernel) {
  auto Run = [](int64_t A, int Others) {
    Loop L;
    L.steps([&](int) {
      L.launch(L.Null, A, "a");
      for (int I = 0; I < Others; ++I)
        L.launch(L.Null, 10'000, "other" + std::to_string(I));
    });
    return findings(L);
  };
  std::vector<Finding> One = Run(80'000, 2);
  const Finding *F = of(One, "dominant-kernel");
  ASSERT_TRUE(F);
  EXPECT_DOUBLE_EQ(*F->Evidence.getNumber("kernels_share"), 0.8);
  EXPECT_FALSE(of(Run(10'000, 2), "dominant-kernel"));
  EXPECT_FALSE(of(Run(80'000, 1), "dominant-kernel")); // Of two one leads.
}

TEST(Findings, VaryingKernel) {
  auto Run = [](bool ByStep) {
    Loop L;
    L.steps([&](int Step) {
      for (int K = 0; K < 5; ++K)
        L.launch(L.Null, (ByStep ? Step : K) % 5 ? 20'000 : 60'000, "a");
    });
    return findings(L);
  };
  std::vector<Finding> Varies = Run(true);
  const Finding *F = of(Varies, "varying-kernel");
  ASSERT_TRUE(F);
  EXPECT_EQ(number(*F, "median_ns"), 20'000);
  // Three slow steps count, five launches in each.
  EXPECT_EQ(number(*F, "excess_ns"), 3 * 5 * (60'000 - 25'000));
  // At each place of the steps it takes the same time.
  EXPECT_FALSE(of(Run(false), "varying-kernel"));
}

TEST(Findings, LazyLoading) {
  auto Run = [](int At) {
    Loop L;
    L.steps([&](int Step) {
      if (Step == At) {
        L.B.T.Overheads.push_back(
            {L.Now, L.Now + 300'000, OverheadKind::ModuleLoad, 1000});
        L.call("cudaFuncGetAttributes", 300'000);
      }
      L.launch(L.Null, 50'000);
    });
    return findings(L);
  };
  std::vector<Finding> Late = Run(10);
  const Finding *F = of(Late, "lazy-loading");
  ASSERT_TRUE(F);
  EXPECT_EQ(number(*F, "count"), 1);
  EXPECT_EQ(number(*F, "loading_ns"), 300'000);
  EXPECT_FALSE(of(Run(0), "lazy-loading")); // In the warm-up.
}

TEST(Findings, ProfilerCost) {
  auto Run = [](OverheadKind Kind) {
    Loop L;
    L.steps([&](int) {
      L.launch(L.Null, 5'000);
      L.work(10'000); // The GPU has finished, and no call has waited for it.
      L.B.T.Overheads.push_back({L.Now, L.Now + 50'000, Kind, 1000});
      L.work(50'000);
    });
    return findings(L);
  };
  std::vector<Finding> All = Run(OverheadKind::Profiler);
  const Finding *F = of(All, "profiler-buffers");
  ASSERT_TRUE(F);
  EXPECT_GT(number(*F, "idle_ns"), 17 * 50'000);
  EXPECT_FALSE(of(Run(OverheadKind::Other), "profiler-buffers"));
}

TEST(Findings, DependentGaps) {
  test::Training P;
  P.Print = false;
  P.KernelNs = 5'000;
  std::vector<Finding> All =
      llvm::cantFail(analyse(test::simulateTraining(P))).Findings;
  const Finding *F = of(All, "dependent-gaps");
  ASSERT_TRUE(F);
  EXPECT_EQ(number(*F, "median_ns"), 1'000);
  P.KernelNs = 50'000;
  All = llvm::cantFail(analyse(test::simulateTraining(P))).Findings;
  EXPECT_FALSE(of(All, "dependent-gaps"));
}

TEST(Findings, ExposedTransfer) {
  auto Run = [](MemoryKind From, bool Beside, uint64_t Bytes) {
    Loop L;
    L.steps([&](int) {
      L.launch(L.Null, 100'000);
      L.launch(Beside ? L.Side : L.Null, 50'000, "copy");
    });
    L.makeCopy("copy", Direction::HtoD, From, MemoryKind::Device, Bytes);
    return findings(L);
  };
  std::vector<Finding> Exposed = Run(MemoryKind::Pinned, false, 1 << 20);
  const Finding *F = of(Exposed, "exposed-transfer");
  ASSERT_TRUE(F);
  EXPECT_EQ(number(*F, "exposed_ns"), 18 * 50'000);
  EXPECT_EQ(number(*F, "bytes"), 18 << 20);
  EXPECT_EQ(F->Advice.find("Pin"), std::string::npos);
  Exposed = Run(MemoryKind::Pageable, false, 1 << 20);
  ASSERT_TRUE(of(Exposed, "exposed-transfer"));
  EXPECT_EQ(of(Exposed, "exposed-transfer")->Advice.find("Pin"), 0u);
  EXPECT_EQ(of(Exposed, "exposed-transfer")
                ->Message.find("1 copy per step between host and device (18.9 "
                               "MB in total, pageable memory) takes "),
            0u);
  EXPECT_FALSE(of(Run(MemoryKind::Pinned, true, 1 << 20), "exposed-transfer"));
  EXPECT_FALSE(of(Run(MemoryKind::Pinned, false, 4), "exposed-transfer"));
}

TEST(Findings, GemmPrecision) {
  auto Run = [](std::initializer_list<const char *> Kernels,
                uint32_t Compute = 9) {
    Loop L;
    L.B.T.Devices[0].ComputeMajor = Compute;
    L.steps([&](int) {
      for (const char *Kernel : Kernels)
        L.launch(L.Null, 50'000, Kernel);
    });
    return findings(L);
  };
  const char *Single = "ampere_sgemm_128x64_nn",
             *Half = "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_nn",
             *Tf32 = "cutlass_80_tensorop_s1688gemm_128x128_16x4_nn_align4";
  std::vector<Finding> All = Run({Single, Half});
  ASSERT_TRUE(of(All, "gemm-precision"));
  EXPECT_EQ(of(All, "gemm-precision")->Severity, Severity::Warning);
  All = Run({Tf32, Half});
  EXPECT_TRUE(of(All, "gemm-precision"));
  All = Run({Single, Single, "relu"});
  ASSERT_TRUE(of(All, "gemm-precision"));
  EXPECT_EQ(of(All, "gemm-precision")->Severity, Severity::Note);
  EXPECT_FALSE(of(Run({Half, "relu"}), "gemm-precision"));
  EXPECT_FALSE(of(Run({Tf32, "relu"}), "gemm-precision"));
  EXPECT_FALSE(of(Run({Single}, 7), "gemm-precision")); // No TF32 there.
  EXPECT_FALSE(of(Run({Single}, 0), "gemm-precision")); // Nobody knows.
}

TEST(Findings, FewBlocks) {
  auto Run = [](uint32_t Blocks, bool Beside, int64_t Ns) {
    Loop L;
    L.steps([&](int) {
      L.launch(L.Null, Ns, "small");
      if (Beside)
        L.launch(L.Side, Ns, "small");
    });
    L.stageOf("small").Shape = {{Blocks, 1, 1}, {256, 1, 1}, 32, 0};
    return findings(L);
  };
  std::vector<Finding> Few = Run(4, false, 100'000);
  const Finding *F = of(Few, "few-blocks");
  ASSERT_TRUE(F);
  EXPECT_EQ(number(*F, "blocks"), 4);
  EXPECT_EQ(number(*F, "multiprocessors"), 132);
  EXPECT_EQ(number(*F, "total_ns"), 1'800'000);
  EXPECT_FALSE(of(Run(132, false, 100'000), "few-blocks"));
  EXPECT_FALSE(of(Run(4, true, 100'000), "few-blocks"));
  EXPECT_FALSE(of(Run(4, false, 2'000), "few-blocks"));
}

TEST(Findings, AreSilentWithoutGpuWork) {
  Simulator S;
  S.call("cudaMalloc", 100'000'000);
  EXPECT_TRUE(findings(S).empty());
}

TEST(Findings, WarningsComeFirst) {
  Loop L;
  L.steps([&](int I) {
    if (I == 0)
      L.call("cuLibraryLoadData", 500'000'000); // A note that costs most.
    L.launch(L.Null, 100'000, "small");
  });
  L.stageOf("small").Shape = {{4, 1, 1}, {256, 1, 1}, 32, 0};
  std::vector<Finding> All = findings(L);
  ASSERT_GE(All.size(), 2u);
  EXPECT_EQ(All[0].Rule, "few-blocks");
  EXPECT_EQ(All[1].Rule, "cold-first-step");
}
