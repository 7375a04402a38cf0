// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run during which the machine does something else for 10 us is not brief and
// is recorded, so numbers of runs left out are compared with room.
#include "runtime/probes/Probes.h"
#include "runtime/probes/RangeThrottle.h"
#include "runtime/probes/Sites.h"

#include <atomic>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <thread>

using namespace autoprof::runtime;

namespace {

constexpr uint64_t Limit = 100, Many = 20'000;

struct Counter : ProbeSink {
  std::map<uint64_t, uint64_t> Recorded, Dropped; // By id.
  void probe(uint32_t, const ProbeRecord &R) override { ++Recorded[R.Id]; }
  void dropped(uint64_t Id, uint64_t Runs, uint64_t) override {
    Dropped[Id] += Runs;
  }
  void call(uint32_t, const CallRecord &) override {}
  void nvtx(uint32_t, const NvtxEvent &) override {}
  void stack(uint32_t, const StackRecord &) override {}
  void threadEnded(uint32_t) override {}
};

template <typename Function> void range(uint64_t Id, Function Body) {
  const autoprof_hooks &H = probeHooks();
  const uint64_t Token = H.range_begin(Id);
  Body();
  H.range_end(Id, Token);
}

void site(uint64_t Id) {
  const autoprof_hooks &H = probeHooks();
  H.site_end(Id, H.site_begin(Id));
}

void brief(uint64_t Id, uint64_t Runs = Many) {
  for (uint64_t I = 0; I < Runs; ++I)
    range(Id, [] {});
}

// On a thread of its own, as tables are a thread's.
template <typename Function>
Counter record(Function Body, uint64_t After = Limit, bool Skip = false) {
  ProbeOptions Options;
  Options.Record = true;
  Options.SkipLaunches = Skip;
  Options.ThrottleAfter = After;
  Options.OnBacklog = [] {};
  startProbes(Options);
  Counter Old, New;
  drainProbes(Old);
  std::thread(Body).join();
  drainProbes(New);
  return New;
}

// Of the range 1; what else there is only makes it so.
void expectAllAfterThrottling(void (*Body)(), bool Skip = false) {
  constexpr uint64_t Runs = 2'000;
  Counter C = record(
      [Body] {
        brief(1);
        for (uint64_t I = 0; I < Runs; ++I)
          range(1, Body);
      },
      Limit, Skip);
  EXPECT_GT(C.Dropped[1], Many / 2);
  EXPECT_EQ(C.Recorded[1] + C.Dropped[1], Many + Runs);
  EXPECT_LE(C.Dropped[1], Many - Limit);
  EXPECT_GE(C.Recorded[1], Limit + Runs);
}

} // namespace

TEST(Throttle, BriefRunsAreLeftOutAfterTheLimit) {
  Counter C = record([] { brief(1); });
  EXPECT_EQ(C.Recorded[1] + C.Dropped[1], Many);
  EXPECT_GE(C.Recorded[1], Limit);
  EXPECT_GT(C.Dropped[1], Many / 2);
  C = record([] { brief(1); }, /*After=*/0);
  EXPECT_EQ(C.Recorded[1], Many);
}

TEST(Throttle, EachThreadCounts) {
  Counter C = record([] {
    brief(1, Limit);
    std::thread([] { brief(1, Limit); }).join();
  });
  EXPECT_EQ(C.Recorded[1], 2 * Limit);
}

TEST(Throttle, RunsWithASiteAreRecorded) {
  expectAllAfterThrottling([] { site(2); });
}

TEST(Throttle, RunsWithALaunchThatIsNotRecordedAre) {
  addSites("0x00000000000000e1|launch|1|1|a.cu|f|k;");
  expectAllAfterThrottling([] { site(0xe1); }, /*Skip=*/true);
}

TEST(Throttle, RunsWithACudaCallAre) {
  expectAllAfterThrottling([] { cudaCallBegins(); });
}

TEST(Throttle, RunsWithARecordOfAnotherKindAre) {
  expectAllAfterThrottling([] {
    NvtxEvent E;
    E.Text = "mark";
    recordNvtx(E);
  });
}

// 1 is around 2, which is not throttled yet.
TEST(Throttle, RunsAroundARecordedRangeAre) {
  Counter C = record([] {
    brief(1);
    for (uint64_t I = 0; I < Limit; ++I)
      range(1, [] { range(2, [] {}); });
  });
  EXPECT_EQ(C.Recorded[2], Limit);
  EXPECT_LE(C.Dropped[1], Many - Limit);
  EXPECT_GT(C.Dropped[1], Many / 2);
}

TEST(Throttle, RunsWithACallOfAThreadWithoutProbesAre) {
  static std::atomic<bool> Calls{false}, Ends{false};
  std::thread Helper([] {
    while (!Ends)
      if (Calls) {
        cudaCallBegins();
        Calls = false;
      }
  });
  expectAllAfterThrottling([] {
    Calls = true;
    while (Calls)
      ;
  });
  Ends = true;
  Helper.join();
}

TEST(Throttle, NothingIsLeftOutWhileCudaCallsAreNotSeen) {
  setCudaCalls(CudaCalls::Unseen);
  Counter C = record([] { brief(1, Limit / 2); });
  EXPECT_FALSE(wantsCudaCalls());
  C = record([] { brief(1); });
  EXPECT_EQ(C.Recorded[1], Many);
  EXPECT_TRUE(wantsCudaCalls());
  C = record([] {
    brief(1);
    setCudaCalls(CudaCalls::Seen);
    brief(1);
  });
  EXPECT_GE(C.Recorded[1], Many);
  EXPECT_GT(C.Dropped[1], Many / 2);
  setCudaCalls(CudaCalls::NotRecorded);
}

TEST(RangeThrottle, CountsNoRunTwiceAndFindsThoseThatRunOften) {
  auto T = std::make_unique<RangeThrottle>();
  uint64_t Counted = 0;
  for (uint64_t I = 0; I < 100'000; ++I) {
    T->count(1000 + I % 5'000); // Each of them 20 times.
    if (I % 4 == 0)
      T->count(7);
  }
  for (const RangeThrottle::Range &R : T->Ranges)
    Counted = R.Id == 7 ? R.Runs : Counted;
  EXPECT_GT(Counted, 10'000u);
  EXPECT_LE(Counted, 25'000u);
}
