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
  EXPECT_EQ(number(*F, "tiny_kernel_median_ns"), 500);
  EXPECT_EQ(number(*F, "tiny_launch_median_ns"), 2'500);
  // As tiny, and launched while the GPU is busy with something else.
  EXPECT_FALSE(of(Run(100'000), "tiny-kernels"));
}

// Between the launches of Python's array libraries, the CPU dispatches
// operators, which a graph or a compiled model does not. What a native program
// does there, and what takes long, is its own work.
TEST(Findings, DispatchingCountsForTinyKernelsOfPython) {
  auto Run = [](int64_t Between, bool IsPython, int64_t Other = 0) {
    Loop L;
    const uint32_t Line = L.site(2, "sync", 12, "step()", "train.py");
    L.steps([&](int) {
      if (Other) {
        L.work(Other);
        L.launch(L.Null, 500, "other");
      }
      for (int K = 0; K < 10; ++K) {
        L.work(Between);
        L.launch(L.Null, 500);
        if (!IsPython)
          continue;
        trace::ThreadSample Sample;
        Sample.Time = L.Now;
        Sample.Thread = Sample.Path = 0;
        L.B.T.Samples.push_back(Sample);
      }
    });
    if (IsPython)
      L.B.T.Paths.push_back({{Line}, Line});
    return findings(L);
  };
  const std::vector<Finding> Python = Run(30'000, true);
  const Finding *F = of(Python, "tiny-kernels");
  ASSERT_TRUE(F);
  EXPECT_GT(number(*F, "idle_ns"), 18 * 10 * 30'000);
  EXPECT_EQ(number(*F, "line"), 12);
  // Where the samples may be in other work, the line is not named.
  const std::vector<Finding> Mixed = Run(30'000, true, 700'000);
  F = of(Mixed, "tiny-kernels");
  ASSERT_TRUE(F);
  EXPECT_EQ(number(*F, "line"), -1);
  EXPECT_FALSE(of(Run(30'000, false), "tiny-kernels"));
  EXPECT_FALSE(of(Run(300'000, true), "tiny-kernels"));
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
  EXPECT_EQ(number(*F, "tiny_kernel_median_ns"), 500);
  EXPECT_NE(F->Message.find("their medians are 500 ns and 2.50 us"),
            std::string::npos)
      << F->Message;
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
                ->Message.find("Copies between host and device (1 per step, "
                               "18.9 MB in total, pageable memory) take "),
            0u);
  EXPECT_FALSE(of(Run(MemoryKind::Pinned, true, 1 << 20), "exposed-transfer"));
  EXPECT_FALSE(of(Run(MemoryKind::Pinned, false, 4), "exposed-transfer"));
}

TEST(Findings, AreSilentWithoutGpuWork) {
  Simulator S;
  S.call("cudaMalloc", 100'000'000);
  EXPECT_TRUE(findings(S).empty());
}

TEST(Findings, WarningsComeFirst) {
  Loop L;
  // A note that costs most.
  L.B.T.Overheads.push_back(
      {L.Now, L.Now + 300'000'000, OverheadKind::ModuleLoad, 1000});
  L.call("cuLibraryLoadData", 300'000'000);
  L.launch(L.Null, 50'000'000);
  L.launch(L.Null, 50'000'000, "copy");
  L.makeCopy("copy", Direction::HtoD, MemoryKind::Pinned, MemoryKind::Device,
             1 << 20);
  std::vector<Finding> All = findings(L);
  ASSERT_EQ(All.size(), 2u);
  EXPECT_EQ(All[0].Rule, "exposed-transfer");
  EXPECT_EQ(All[1].Rule, "lazy-loading");
}
