// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built with -fsanitize=thread.
#include "runtime/cupti/Buffers.h"
#include "runtime/probes/Probes.h"
#include "runtime/stacks/Stacks.h"
#include "runtime/support/Loss.h"
#include "runtime/support/Memory.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <sys/time.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace autoprof::runtime;

namespace {

// All of one process: the hooks have one state.
std::atomic<unsigned> FirstProbes{0};
std::map<uint32_t, uint64_t> LastEnd; // By thread.
uint64_t Taken = 0, OutOfOrder = 0;

uint64_t Dropped = 0; // Runs of ranges.
uint64_t NvtxTaken = 0, NvtxWrong = 0, Gaps = 0;

struct Counter : ProbeSink {
  void call(uint32_t, const CallRecord &) override {}
  void probe(uint32_t Tid, const ProbeRecord &R) override {
    ++Taken;
    OutOfOrder += R.End < R.Begin || R.End < LastEnd[Tid];
    LastEnd[Tid] = R.End;
  }
  // Texts are as long as the domain says, of one letter.
  void nvtx(uint32_t Tid, const NvtxEvent &E) override {
    ++NvtxTaken;
    Gaps += E.AfterGap;
    OutOfOrder += E.Time < LastEnd[Tid];
    LastEnd[Tid] = E.Time;
    NvtxWrong += E.Domain != E.Text.size() ||
                 E.Text.find_first_not_of('x') != E.Text.npos;
  }
  void stack(uint32_t Tid, const StackRecord &R) override {
    collectStack(Tid, R);
  }
  void dropped(uint64_t, uint64_t Runs, uint64_t) override { Dropped += Runs; }
  void threadEnded(uint32_t Tid) override { LastEnd.erase(Tid); }
};
Counter Sink;

void callNvtx(size_t Length) {
  static const std::string Letters(MaxNvtxText, 'x');
  NvtxEvent E;
  E.Kind = NvtxKind::Push;
  E.Domain = static_cast<uint32_t>(Length);
  E.Text = std::string_view(Letters).substr(0, Length);
  recordNvtx(E);
}

void hit(uint64_t Id) {
  const autoprof_hooks &H = probeHooks();
  H.site_end(Id, H.site_begin(Id));
}

void start(bool SkipLaunches, uint64_t ThrottleAfter = 0) {
  ProbeOptions Options;
  Options.ThrottleAfter = ThrottleAfter;
  Options.Record = true;
  Options.SkipLaunches = SkipLaunches;
  Options.OnFirstProbe = [] { ++FirstProbes; };
  Options.OnBacklog = [] {};
  startProbes(Options);
}

} // namespace

TEST(ProbesRace, EveryRecordArrivesOrIsCounted) {
  start(false);
  const unsigned Rounds = 3, Threads = 8, Hits = 20000;
  std::atomic<bool> Stop{false};
  std::thread Drainer([&] {
    while (!Stop.load())
      drainProbes(Sink);
  });
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    std::vector<std::thread> All;
    for (unsigned I = 0; I < Threads; ++I)
      All.emplace_back([] {
        const autoprof_hooks &H = probeHooks();
        uint64_t Range = H.range_begin(1);
        for (unsigned J = 0; J < Hits; ++J)
          hit(2);
        H.range_end(1, Range);
      });
    for (std::thread &T : All)
      T.join();
  }
  Stop.store(true);
  Drainer.join();
  drainProbes(Sink);
  EXPECT_EQ(Taken + Lost.ProbesDropped,
            uint64_t(Rounds) * Threads * (Hits + 1));
  EXPECT_GT(Taken, 0u);
  EXPECT_EQ(OutOfOrder, 0u);
  EXPECT_EQ(Lost.ProbesUnbalanced, 0u);
  EXPECT_EQ(FirstProbes, 1u);
}

TEST(ProbesRace, EveryRunOfAThrottledRangeIsRecordedOrCounted) {
  start(false, /*ThrottleAfter=*/100);
  drainProbes(Sink);
  Taken = Dropped = 0;
  const uint64_t Lost = autoprof::runtime::Lost.ProbesDropped;
  const unsigned Rounds = 3, Threads = 8, Runs = 20000;
  std::atomic<bool> Stop{false};
  std::thread Drainer([&] {
    while (!Stop.load())
      drainProbes(Sink);
  });
  for (unsigned Round = 0; Round < Rounds; ++Round) {
    std::vector<std::thread> All;
    for (unsigned I = 0; I < Threads; ++I)
      All.emplace_back([I] {
        const autoprof_hooks &H = probeHooks();
        for (unsigned J = 0; J < Runs; ++J)
          H.range_end(10 + I, H.range_begin(10 + I));
      });
    for (std::thread &T : All)
      T.join();
  }
  Stop.store(true);
  Drainer.join();
  drainProbes(Sink);
  EXPECT_EQ(Taken + Dropped + autoprof::runtime::Lost.ProbesDropped - Lost,
            uint64_t(Rounds) * Threads * Runs);
  EXPECT_GT(Dropped, 0u);
}

TEST(ProbesRace, NvtxCallsOfAnyLengthArriveWhole) {
  start(false);
  drainProbes(Sink);
  Taken = NvtxTaken = 0;
  const unsigned Threads = 4, Calls = 20000;
  std::atomic<bool> Stop{false};
  std::thread Drainer([&] {
    while (!Stop.load())
      drainProbes(Sink);
  });
  std::vector<std::thread> All;
  for (unsigned I = 0; I < Threads; ++I)
    All.emplace_back([I] {
      for (unsigned J = 0; J < Calls; ++J) {
        callNvtx((J * 37 + I) % (MaxNvtxText + 1));
        if (J % 3 == 0)
          hit(8);
      }
    });
  for (std::thread &T : All)
    T.join();
  Stop.store(true);
  Drainer.join();
  drainProbes(Sink);
  EXPECT_EQ(NvtxTaken + Taken + Lost.ProbesDropped,
            uint64_t(Threads) * (Calls + Calls / 3 + 1));
  EXPECT_GT(NvtxTaken, 0u);
  EXPECT_EQ(NvtxWrong, 0u);
  EXPECT_EQ(OutOfOrder, 0u);
}

TEST(ProbesRace, AfterLostNvtxCallsTheNextOneSaysSo) {
  start(false);
  drainProbes(Sink);
  Gaps = 0;
  uint64_t Before = Lost.ProbesDropped;
  std::thread([Before] {
    callNvtx(10);
    setMemoryLimit(0);
    // Other tests may have left any number of blocks.
    for (unsigned I = 0; I < 10'000'000 && Lost.ProbesDropped == Before; ++I)
      callNvtx(100);
    setMemoryLimit(256u << 20);
    callNvtx(10);
    callNvtx(10);
  }).join();
  drainProbes(Sink);
  EXPECT_GT(Lost.ProbesDropped, Before);
  EXPECT_EQ(Gaps, 1u);
}

TEST(ProbesRace, AnEndOnAnotherThreadIsCounted) {
  start(false);
  const autoprof_hooks &H = probeHooks();
  uint64_t Before = Lost.ProbesUnbalanced;
  unsigned long long Token = 0;
  std::thread([&] {
    hit(3);
    Token = H.range_begin(3);
  }).join();
  std::thread([&] { H.range_end(3, Token); }).join();
  EXPECT_EQ(Lost.ProbesUnbalanced, Before + 2);
}

TEST(ProbesRace, SignalHandlersMayHitProbes) {
  start(false);
  drainProbes(Sink);
  uint64_t Before = Lost.ProbesDropped;
  Taken = 0;
  static std::atomic<uint64_t> Hits{0};
  signal(SIGALRM, [](int) {
    hit(4);
    ++Hits;
  });
  itimerval Often = {{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &Often, nullptr);
  for (unsigned I = 0; I < 200000; ++I, ++Hits)
    hit(5);
  itimerval Never = {};
  setitimer(ITIMER_REAL, &Never, nullptr);
  usleep(1000); // ThreadSanitizer delivers signals late.
  drainProbes(Sink);
  EXPECT_EQ(Taken + Lost.ProbesDropped - Before, Hits);
}

TEST(ProbesRace, ErrnoStays) {
  start(false);
  setMemoryLimit(0); // Whatever fails inside must not show.
  std::thread([] {
    errno = 4711;
    hit(5);
    EXPECT_EQ(errno, 4711);
  }).join();
  setMemoryLimit(256u << 20);
}

TEST(ProbesRace, BeyondTheMemoryLimitRecordsAreCounted) {
  start(false);
  drainProbes(Sink);
  setMemoryLimit(0);
  uint64_t Before = Lost.ProbesDropped;
  Taken = 0;
  const unsigned Hits = 100000;
  std::thread([] {
    for (unsigned I = 0; I < Hits; ++I)
      hit(6);
  }).join();
  drainProbes(Sink);
  EXPECT_EQ(Taken + Lost.ProbesDropped - Before, Hits);
  EXPECT_EQ(requestBuffer(), nullptr);
  setMemoryLimit(256u << 20);
}

TEST(ProbesRace, BuffersGoRoundZeroed) {
  std::atomic<bool> Stop{false};
  std::atomic<unsigned> Dirty{0}, Completed{0}, Seen{0};
  std::vector<std::thread> All;
  for (unsigned I = 0; I < 4; ++I)
    All.emplace_back([&] {
      for (unsigned J = 0; J < 50; ++J) {
        uint8_t *Data = requestBuffer();
        if (!Data)
          continue;
        for (unsigned K = 0; K < 64; ++K)
          Dirty += Data[K] != 0;
        memset(Data, 0xFF, 64);
        completeBuffer(Data, 64);
        ++Completed;
      }
    });
  std::thread Drainer([&] {
    for (bool Last = false; !Last;) {
      Last = Stop.load();
      for (ActivityBuffer B; takeCompleted(B); ++Seen)
        recycle(B);
      refillBuffers();
    }
  });
  for (std::thread &T : All)
    T.join();
  Stop.store(true);
  Drainer.join();
  EXPECT_EQ(Dirty, 0u);
  EXPECT_EQ(Seen, Completed);
  EXPECT_GT(Seen, 0u);
}

static std::vector<CallStack> drainStacks() {
  drainProbes(Sink);
  return takeStacks().Stacks;
}

static StackCall waitingCall(uint32_t Correlation) {
  return {Correlation, /*Function=*/1, /*MayWait=*/true, /*IsRecorded=*/true};
}

static void takeStack(uint32_t Correlation) {
  uint64_t Begin = 0;
  stackCallBegins(&Begin);
  Begin = 0; // Long ago.
  stackCallEnds(&Begin, waitingCall(Correlation));
}

// Stacks are taken by many threads while one fetches them.
TEST(ProbesRace, StacksAreWholeWhileTheyAreTaken) {
  constexpr unsigned Threads = 6, Calls = 200;
  start(false);
  std::atomic<bool> Stop{false};
  std::map<uint32_t, uint64_t> OfThread;
  unsigned Wrong = 0;
  auto Take = [&] {
    for (const CallStack &S : drainStacks()) {
      Wrong += S.Frames.find("+0x") == std::string::npos ||
               S.Frames.back() != '\n' || S.Correlation != ++OfThread[S.Tid];
    }
  };
  std::thread Drainer([&] {
    while (!Stop.load())
      Take();
  });
  const uint64_t Before = Lost.StacksDropped.load();
  std::vector<std::thread> All;
  for (unsigned I = 0; I < Threads; ++I)
    All.emplace_back([] {
      for (uint32_t J = 1; J <= Calls; ++J) {
        uint64_t Outer = 0, Inner = 0;
        stackCallBegins(&Outer);
        stackCallBegins(&Inner); // Inside of the other: left out.
        Inner = 0;               // Long ago.
        stackCallEnds(&Inner, waitingCall(0));
        Outer = 0;
        stackCallEnds(&Outer, waitingCall(J));
      }
    });
  for (std::thread &T : All)
    T.join();
  Stop.store(true);
  Drainer.join();
  Take();
  EXPECT_EQ(Wrong, 0u);
  EXPECT_EQ(Lost.StacksDropped.load(), Before);
  EXPECT_EQ(OfThread.size(), Threads);
  for (auto [Tid, Last] : OfThread)
    EXPECT_EQ(Last, Calls);
  uint64_t Now = 0;
  stackCallBegins(&Now);
  Now += uint64_t(1) << 60; // A call that took no time.
  stackCallEnds(&Now, waitingCall(1));
  EXPECT_TRUE(drainStacks().empty());
}

// Many more than one turn of the flush thread leaves on an idle machine: they
// must wait for a late one, not for a lock, and none may be lost.
TEST(ProbesRace, StacksWaitForALateDrain) {
  start(false);
  drainStacks();
  const uint64_t Before = Lost.StacksDropped.load();
  const unsigned Calls = 40000;
  std::thread([] {
    for (uint32_t I = 1; I <= Calls; ++I)
      takeStack(I);
  }).join();
  EXPECT_EQ(drainStacks().size(), Calls);
  EXPECT_EQ(Lost.StacksDropped.load(), Before);
}

TEST(ProbesRace, SignalHandlersMayTakeStacks) {
  start(false);
  drainStacks();
  const uint64_t Before = Lost.StacksDropped.load();
  static std::atomic<uint64_t> Calls{0};
  signal(SIGALRM, [](int) { takeStack(++Calls & 0xffff); });
  itimerval Often = {{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &Often, nullptr);
  for (unsigned I = 0; I < 20000; ++I)
    takeStack(++Calls & 0xffff);
  itimerval Never = {};
  setitimer(ITIMER_REAL, &Never, nullptr);
  usleep(1000); // ThreadSanitizer delivers signals late.
  // A handler's may be inside of another call, or of another's record.
  const uint64_t Drained = drainStacks().size();
  EXPECT_GE(Drained, 20000u);
  EXPECT_LE(Drained + Lost.StacksDropped - Before, Calls);
}

// Last: it ends the probes of this process.
TEST(ProbesRace, StoppedHooksDoNothing) {
  start(false);
  drainProbes(Sink);
  stopProbes();
  Taken = 0;
  EXPECT_EQ(probeHooks().site_begin(7), 0u);
  hit(7);
  drainProbes(Sink);
  EXPECT_EQ(Taken, 0u);
}
