// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built with -fsanitize=thread. One process has one window, so the tests follow
// each other.
#include "runtime/control/Window.h"
#include "runtime/probes/Probes.h"
#include "runtime/probes/Sites.h"
#include "runtime/support/Clock.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace autoprof::runtime;

namespace {

constexpr uint64_t Watched = 0xaa, Site = 0xbb;
constexpr unsigned Threads = 8;

struct Counter : ProbeSink {
  std::atomic<uint64_t> Ranges{0}, Nvtx{0};
  void probe(uint32_t, const ProbeRecord &R) override {
    Ranges += R.Id == Watched;
  }
  void call(uint32_t, const CallRecord &) override {}
  void nvtx(uint32_t, const NvtxEvent &) override { ++Nvtx; }
  void stack(uint32_t, const StackRecord &) override {}
  void threadEnded(uint32_t) override {}
};

void nvtx(NvtxKind Kind, std::string_view Text) {
  NvtxEvent E;
  E.Kind = Kind;
  E.Text = Text;
  recordNvtx(E);
}

void work(unsigned Rounds) {
  const autoprof_hooks &H = probeHooks();
  for (unsigned I = 0; I < Rounds; ++I) {
    uint64_t Range = H.range_begin(Watched);
    nvtx(NvtxKind::Push, "batch");
    H.site_end(Site, H.site_begin(Site));
    nvtx(NvtxKind::Pop, {});
    H.range_end(Watched, Range);
  }
}

/// Runs `work` on all threads while one drains; `Meanwhile` runs on this one.
template <typename Function>
std::vector<WindowEdge> run(Counter &Sink, unsigned Rounds,
                            Function Meanwhile) {
  std::vector<WindowEdge> Edges;
  std::atomic<bool> Stop{false};
  auto Take = [&] {
    for (const WindowEdge &E : takeWindowEdges())
      Edges.push_back(E);
    drainProbes(Sink);
  };
  std::thread Drainer([&] {
    while (!Stop.load())
      Take();
  });
  std::vector<std::thread> All;
  for (unsigned I = 0; I < Threads; ++I)
    All.emplace_back(work, Rounds);
  Meanwhile();
  for (std::thread &T : All)
    T.join();
  Stop.store(true);
  Drainer.join();
  Take();
  return Edges;
}

void expectInTurn(const std::vector<WindowEdge> &Edges) {
  for (size_t I = 1; I < Edges.size(); ++I) {
    EXPECT_NE(Edges[I].Opens, Edges[I - 1].Opens) << I;
    EXPECT_GE(Edges[I].Time, Edges[I - 1].Time) << I;
  }
}

/// The plan of the process: from the first step on, which are ranges of
/// Watched.
void prepare() {
  static const WindowPlan Plan = [] {
    WindowPlan P;
    P.Kind = WindowKind::Steps;
    P.Steps = {{0, UINT64_MAX}};
    P.Range = "work";
    return P;
  }();
  static const bool Done = [] {
    addSites("0x00000000000000aa|function|1|1|a.cpp|work|;"
             "0x00000000000000bb|sync|2|1|a.cpp|work|call;");
    prepareWindow(Plan, now());
    ProbeOptions Options;
    Options.Record = isWindowOpen();
    Options.Watcher = windowWatcher();
    Options.OnBacklog = [] {};
    startProbes(Options);
    return true;
  }();
  (void)Done;
}

} // namespace

TEST(WindowRace, OpensAtTheFirstStepOfAnyThread) {
  prepare();
  Counter Sink;
  const unsigned Rounds = 2000;
  std::vector<WindowEdge> Edges = run(Sink, Rounds, [] {});
  ASSERT_FALSE(Edges.empty());
  EXPECT_FALSE(Edges.front().Opens); // It begins closed.
  expectInTurn(Edges);
  EXPECT_TRUE(isWindowOpen());
  EXPECT_EQ(countedSteps().Seen, Rounds); // Those of one thread.
  EXPECT_EQ(countedSteps().Recorded, Rounds);
  EXPECT_GE(Sink.Ranges, Rounds);
  EXPECT_LE(Sink.Ranges, uint64_t(Threads) * Rounds);
}

TEST(WindowRace, MayBeOpenedAndClosedFromAnywhere) {
  prepare();
  Counter Sink;
  std::vector<WindowEdge> Edges = run(Sink, 2000, [] {
    for (unsigned I = 0; I < 500; ++I) {
      openWindow();
      turnWindow(now());
      closeWindow();
    }
  });
  expectInTurn(Edges);
  EXPECT_FALSE(isWindowOpen());
  EXPECT_LE(Sink.Ranges, uint64_t(Threads) * 2000);
}

TEST(WindowRace, NothingOpensItOnceTheProcessEnds) {
  prepare();
  closeWindow(); // The tests before may have opened it.
  takeWindowEdges();
  endWindow();
  Counter Sink;
  std::vector<WindowEdge> Edges = run(Sink, 100, openWindow);
  EXPECT_TRUE(Edges.empty());
  EXPECT_EQ(Sink.Ranges, 0u);
}
