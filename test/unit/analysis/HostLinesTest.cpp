// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines that a sampled thread is in while the GPU lacks work, and waits for
// the GPU that are in no call of its own.
#include "Simulator.h"

#include "analysis/Analysis.h"

#include "llvm/ADT/STLExtras.h"

#include <gtest/gtest.h>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

constexpr unsigned NumSteps = 60;
constexpr int64_t Kernel = 300'000, Compute = 200'000, Every = 20'000;

/// A step launches on thread 0, which then sleeps until thread 1 has read the
/// result back, and computes.
struct Loop {
  Simulator S;
  uint32_t Stream = S.stream(7, StreamFlag::Null);
  uint32_t Body = S.site(1, "loop", 30, "for");
  uint32_t Helper = S.addThread();
  uint32_t Reads = line(11), Computes = line(12);
  int64_t Sampled = 0; ///< Time of the last sample.

  uint32_t line(uint32_t Number) {
    return S.site(Number, FrameKind, Number, "", "train.py", "main");
  }

  /// Up to now, thread 0 was there.
  void wasAt(uint32_t Line, ThreadState State) {
    for (; Sampled < S.Now; Sampled += Every) {
      ThreadSample One;
      One.Time = Sampled;
      One.Thread = 0;
      One.State = State;
      One.Path = uint32_t(S.B.T.Paths.size());
      S.B.T.Paths.push_back({{Line}, Line});
      S.B.addSample(One);
    }
  }

  void step(bool HelperLaunches) {
    S.runThread(0);
    S.enter(HostKind::Range, Body);
    S.launch(Stream, Kernel);
    const int64_t Begin = S.Now;
    S.runThread(Helper);
    S.Now = std::max(S.Now, Begin);
    if (HelperLaunches)
      S.launch(Stream, Kernel);
    S.readBack(Stream);
    const int64_t Woken = S.Now + 10'000;
    S.runThread(0);
    S.Now = Woken;
    wasAt(Reads, ThreadState::Lock);
    S.work(Compute);
    wasAt(Computes, ThreadState::Running);
    S.leave();
  }

  Result analysed(bool HelperLaunches) {
    for (unsigned I = 0; I < NumSteps; ++I)
      step(HelperLaunches);
    return llvm::cantFail(analyse(S.finish()));
  }
};

} // namespace

TEST(HostLines, ASleepUntilAnotherThreadHasReadBackIsAWait) {
  Loop L;
  const Result R = L.analysed(/*HelperLaunches=*/false);
  ASSERT_TRUE(R.Lines);
  ASSERT_EQ(R.Lines->Sleeping.size(), 1u);
  EXPECT_EQ(R.Lines->Sleeping[0].Site, L.Reads);
  ASSERT_EQ(R.Decided.Lines.size(), 1u);
  EXPECT_EQ(R.Decided.Answer, Answer::Change);
  // Without the wait, a step takes as long as the kernel.
  const ExpectedGain &Gain = R.Decided.Lines[0].Mild;
  const int64_t Possible = Gain.Whole - Kernel;
  EXPECT_GT(Gain.Whole, Kernel + Compute);
  EXPECT_NEAR(double(Gain.Saved.Middle), double(Possible),
              0.05 * double(Possible));
}

TEST(HostLines, ASleepWhileAnotherThreadLaunchesIsNone) {
  Loop L;
  const Result R = L.analysed(/*HelperLaunches=*/true);
  ASSERT_TRUE(R.Lines);
  EXPECT_TRUE(R.Lines->Sleeping.empty());
  EXPECT_TRUE(R.Decided.Lines.empty());
}

// Samples by a timer of the thread's CPU time: what it sleeps is in no line.
TEST(HostLines, OfAThreadThatIsSeenOnlyWhileItRuns) {
  Loop L;
  for (unsigned I = 0; I < NumSteps; ++I)
    L.step(false);
  std::vector<ThreadSample> &All = L.S.B.T.Samples;
  llvm::erase_if(All, [](const ThreadSample &S) {
    return S.State != ThreadState::Running;
  });
  for (size_t I = 0; I < All.size(); ++I) {
    All[I].State = ThreadState::OnTimer;
    All[I].Cpu = int64_t(I) * Every;
  }
  const Result R = llvm::cantFail(analyse(L.S.finish()));
  ASSERT_TRUE(R.Lines);
  EXPECT_TRUE(R.Lines->OnlyRunning);
  ASSERT_EQ(R.Lines->Tree.size(), 1u);
  EXPECT_EQ(R.Lines->Tree[0].Asleep, 0u);
  EXPECT_NEAR(double(R.Lines->Tree[0].All) / double(R.Lines->Samples),
              200.0 / 530, 0.06);
}

TEST(HostLines, ASampleAfterALongerTimeCountsAsSeveral) {
  Loop L;
  for (unsigned I = 0; I < NumSteps; ++I)
    L.step(false);
  // Half of the samples of the line that computes are left out, by pairs.
  std::vector<ThreadSample> &All = L.S.B.T.Samples;
  auto Share = [](const Result &R, uint32_t Site) {
    for (const HostLine &Line : R.Lines->Tree)
      if (Line.Site == Site)
        return double(Line.All) / double(R.Lines->Samples);
    return 0.0;
  };
  size_t N = 0;
  llvm::erase_if(All, [&](const ThreadSample &S) {
    return S.State == ThreadState::Running && ++N % 2 == 0;
  });
  const Result R = llvm::cantFail(analyse(L.S.finish()));
  EXPECT_NEAR(Share(R, L.Computes), 200.0 / 530, 0.06);
}

namespace {

struct LineTree {
  Timeline T;
  HostLines H;

  uint32_t operator()(const char *File, uint32_t Parent, uint64_t Samples) {
    T.Sites.emplace_back().File = File;
    HostLine L;
    L.Site = uint32_t(T.Sites.size() - 1);
    L.Parent = Parent;
    L.Samples = L.All = Samples;
    L.IsInner = false;
    H.Tree.push_back(L);
    return uint32_t(H.Tree.size() - 1);
  }
};

} // namespace

TEST(HostLines, TheOutlineShowsBranches) {
  LineTree Line;
  Line.H.Samples = 1'000;
  const uint32_t Main = Line("train.py", None, 900);
  const uint32_t Call = Line("train.py", Main, 890); // Only the way.
  const uint32_t Load = Line("train.py", Call, 500);
  const uint32_t Package =
      Line("/lib/python3.12/site-packages/x.py", Load, 490);
  Line("/lib/python3.12/site-packages/y.py", Package, 10); // Too little.
  const uint32_t Train = Line("train.py", Call, 390);
  const Outline O = outline(Line.T, Line.H, 0.02);
  // The package's line is shown as the user's that leads to it alone.
  EXPECT_EQ(O.Lines, (std::vector<uint32_t>{Call, Load, Train}));
  EXPECT_EQ(O.Depths, (std::vector<uint32_t>{0, 1, 1}));
}

// What is compiled, or launched as a graph, is what a statement of the step
// calls, not the block inside of the model that all of its time is in.
TEST(HostLines, TheMainStatementIsOneOfTheStep) {
  const char *Decorator = "/lib/python3.12/site-packages/torch/utils/c.py";
  const char *Module =
      "/lib/python3.12/site-packages/torch/nn/modules/module.py";
  auto Main = [&](uint64_t Forward, uint64_t Backward) {
    LineTree Line;
    Line.H.Samples = 1'000;
    Line.H.Idle = 900;
    const uint32_t Call = Line("train.py", None, Forward + Backward);
    const uint32_t Step = Line(Decorator, Call, Forward + Backward);
    const uint32_t Model = Line("train.py", Step, Forward);
    Line("train.py", Step, Backward);
    Line("model.py", Line(Module, Model, Forward), Forward);
    const HostLine *Found = mainStatement(Line.T, Line.H);
    return Found ? int(Found - Line.H.Tree.data()) : -1;
  };
  EXPECT_EQ(Main(600, 200), 2); // The statement that calls the model.
  EXPECT_EQ(Main(850, 0), 2);
  EXPECT_EQ(Main(400, 200), 0);  // A part that nothing in it dominates.
  EXPECT_EQ(Main(430, 430), -1); // "main()" says nothing.
  EXPECT_EQ(Main(200, 200), -1);
}

TEST(HostLines, TheMainStatementMayCallOthersCode) {
  const char *Package = "/lib/python3.12/site-packages/transformers/x.py";
  auto Main = [&](uint64_t CalledBack) {
    LineTree Line;
    Line.H.Samples = Line.H.Idle = 1'000;
    const uint32_t Call = Line("train.py", None, 990);
    Line("train.py", Line(Package, Call, 980), CalledBack);
    return mainStatement(Line.T, Line.H) != nullptr;
  };
  EXPECT_TRUE(Main(50));
  LineTree Few; // They say that it was hit, not how often.
  Few.H.Samples = 100;
  Few.H.Idle = Few("train.py", None, 3) + 3;
  EXPECT_FALSE(mainStatement(Few.T, Few.H));
  EXPECT_FALSE(Main(300)); // The user's own part is elsewhere.
}

// The backward pass of a compiled model launches from a thread whose frames are
// the array library's.
TEST(HostLines, AThreadWithoutLinesOfTheUserIsNotTheProgram) {
  Loop L;
  const uint32_t Backward = L.S.site(
      13, FrameKind, 317, "",
      "/lib/python3/site-packages/torch/autograd/function.py", "apply");
  for (unsigned I = 0; I < NumSteps; ++I)
    L.step(/*HelperLaunches=*/true);
  std::vector<ThreadSample> &All = L.S.B.T.Samples;
  const std::vector<ThreadSample> OfMain = All;
  const auto Path = uint32_t(L.S.B.T.Paths.size());
  L.S.B.T.Paths.push_back({{Backward}, Backward});
  for (ThreadSample S : OfMain) {
    S.Thread = L.Helper;
    S.Path = Path;
    All.push_back(S);
    All.push_back(S); // More than of the user's thread.
  }
  llvm::stable_sort(All, [](const ThreadSample &A, const ThreadSample &B) {
    return A.Time < B.Time;
  });
  const Result R = llvm::cantFail(analyse(L.S.finish()));
  ASSERT_TRUE(R.Lines);
  EXPECT_EQ(R.Lines->Thread, 0u);
}
