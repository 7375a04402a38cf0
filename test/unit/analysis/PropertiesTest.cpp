// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What must hold of any schedule, checked on some hundred random ones: several
// threads, devices and streams of all kinds, waits of all kinds, slow and fast
// hosts. The seeds are fixed.
#include "GainOf.h"
#include "Simulator.h"

#include "analysis/Analysis.h"

#include <gtest/gtest.h>
#include <random>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

struct Shape {
  unsigned Threads, Devices;
  bool OwnStreams; ///< Each thread has streams that no other thread uses.
  bool Events;     ///< Waits for events.
};

/// One thread's program: it depends on nothing but the seed.
struct Program {
  std::mt19937 Random;
  std::vector<uint32_t> Streams;
  int64_t Mark = -1;
  bool Events = true;
  unsigned Left = 0; ///< Actions to come.
  unsigned HostNs = 0;

  unsigned below(unsigned N) { return Random() % N; }
};

void waitForMark(Simulator &S, Program &P) {
  if (P.Events && P.Mark >= 0)
    S.synchronizeEvent(P.Mark);
}

void act(Simulator &S, Program &P, uint32_t Range, uint32_t Copy) {
  uint32_t Stream = P.Streams[P.below(P.Streams.size())];
  switch (P.below(16)) {
  case 0:
    S.enter(HostKind::Site, Copy);
    S.readBack(Stream);
    S.leave();
    break;
  case 1:
    S.synchronizeDevice();
    break;
  case 2:
    S.synchronizeDevice("cudaFree");
    break;
  case 3:
    S.synchronizeStream(Stream);
    break;
  case 4:
    S.readBackAsync(Stream);
    P.Mark = S.mark(Stream);
    break;
  case 5:
    waitForMark(S, P);
    break;
  case 6:
    S.work(P.below(100'000));
    break;
  case 7:
    S.call("cudaMalloc", 2'000 + P.below(30'000));
    break;
  default:
    S.enter(HostKind::Range, Range);
    S.launch(Stream, 500 + P.below(60'000));
    S.work(P.below(P.HostNs));
    S.leave();
  }
}

std::vector<Program> programs(Simulator &S, const Shape &Of, unsigned Seed) {
  std::vector<Program> Result(Of.Threads);
  for (unsigned I = 0; I < Of.Threads; ++I) {
    Result[I].Random.seed(Seed * 8 + I);
    Result[I].Events = Of.Events;
    Result[I].Left = 160 / Of.Threads;
    Result[I].HostNs = Seed % 3 ? 3'000 : 30'000;
    uint32_t Device = I % Of.Devices, First = Of.OwnStreams ? 10 * I : 0;
    if (I)
      S.addThread(Device);
    auto Add = [&](uint32_t Id, StreamFlag Flag) {
      Result[I].Streams.push_back(S.stream(Id, Flag, Device));
    };
    if (!Of.OwnStreams) {
      Add(7, StreamFlag::Null);
      Add(13, StreamFlag::Blocking);
    }
    Add(14 + First, StreamFlag::NonBlocking);
    Add(15 + First, StreamFlag::NonBlocking);
  }
  return Result;
}

/// Always the thread that is furthest behind, as time goes on for all.
void runAll(Simulator &S, const Shape &Of, unsigned Seed) {
  std::vector<Program> All = programs(S, Of, Seed);
  uint32_t Range = S.site(0x1, "function", 5, "step");
  uint32_t Copy = S.site(0x2, "copy", 10, "cudaMemcpy");
  for (;;) {
    uint32_t Next = None;
    for (uint32_t I = 0; I < All.size(); ++I)
      if (All[I].Left && (Next == None || S.clockOf(I) < S.clockOf(Next)))
        Next = I;
    if (Next == None)
      break;
    S.runThread(Next);
    act(S, All[Next], Range, Copy);
    if (!--All[Next].Left)
      S.call("cudaGetLastError", 100); // The thread's end is in the trace.
  }
}

Shape shapeOf(unsigned Seed) {
  return {1 + Seed % 3, 1 + Seed / 3 % 2, Seed / 6 % 2 == 1, true};
}

void checkTimes(const Result &R) {
  int64_t Parts = 0, Spans = 0, Exposed = 0;
  for (const DeviceActivity &D : R.Devices) {
    Parts += D.Busy;
    Spans += D.span();
  }
  for (const CauseTotal &C : R.Gaps)
    Parts += C.Total;
  EXPECT_EQ(Parts, Spans);
  for (const SiteRow &Row : R.Sites) {
    Exposed += *Row.Exposed;
    EXPECT_LE(*Row.Exposed, Row.HostTime) << Row.Call;
    EXPECT_LE(0, Row.Gained->Low) << Row.Call;
    EXPECT_LE(Row.Gained->Low, Row.Gained->High) << Row.Call;
  }
  EXPECT_EQ(Exposed, R.Gaps[unsigned(Cause::ExposedWait)].Total);
}

int64_t sumOf(const std::vector<CauseTotal> &Gaps,
              std::initializer_list<Cause> Causes) {
  int64_t Sum = 0;
  for (Cause C : Causes)
    Sum += Gaps[unsigned(C)].Total;
  return Sum;
}

/// No more than the gaps that the CPU caused lies between its calls and in
/// them; with one thread, all of it up to the end of the launch.
void checkBusy(const Timeline &T, const Result &R, bool OneThread) {
  auto SumOf = [&R](llvm::ArrayRef<BusyRow> Rows) {
    int64_t Sum = 0;
    for (const BusyRow &Row : Rows) {
      EXPECT_GT(Row.Count, 0u);
      EXPECT_GT(Row.Idle, 0);
      EXPECT_LE(Row.Idle, Row.Cpu * int64_t(R.Devices.size()));
      EXPECT_TRUE(Row.After.isKnown());
      Sum += Row.Idle;
    }
    return Sum;
  };
  const int64_t Sum = SumOf(
      findBusyHost(T, attribute(T), R, trace::Window{T.begin(), T.end()}));
  int64_t Launching = 0;
  for (size_t D = 0; D < R.Devices.size(); ++D)
    for (size_t G = 0; G < R.Devices[D].Gaps.size(); ++G) {
      const Cause Kind = R.Causes[D][G];
      const Gap &Idle = R.Devices[D].Gaps[G];
      if (Kind == Cause::HostBusy || Kind == Cause::LaunchBound)
        Launching += std::max<int64_t>(0, launchedBy(T, Idle) - Idle.Start -
                                              R.Stalls.exposedIn(D, G));
    }
  EXPECT_LE(Sum, Launching);
  if (OneThread) {
    EXPECT_EQ(Sum, Launching);
  }
  EXPECT_LE(Launching, sumOf(R.Gaps, {Cause::HostBusy, Cause::LaunchBound}));
  if (R.InSteps) {
    EXPECT_LE(SumOf(R.Busy),
              sumOf(R.InSteps->Gaps, {Cause::HostBusy, Cause::LaunchBound}));
  }
}

/// Groups of calls that waited.
std::vector<uint32_t> groupsOf(const Timeline &T, const Attribution &A,
                               const WaitList &Waits) {
  std::vector<uint32_t> Result;
  for (const Wait &W : Waits.Waits) {
    uint32_t G = groupOf(T, A, W.Call);
    if (!llvm::is_contained(Result, G))
      Result.push_back(G);
  }
  return Result;
}

/// If all pauses were as long as in a deep queue, and had not been before.
int64_t longerPauses(const Timeline &T) {
  return int64_t(T.Ops.size()) * Pauses::longerWith(Pauses::DeepQueue);
}

void checkReplay(const Timeline &T) {
  Attribution A = attribute(T);
  WaitList Waits = findWaits(T, A);
  Replay Player(T, A, Waits);
  ASSERT_EQ(Player.obstacle(), "");
  for (bool High : {false, true})
    for (bool HandOver : {false, true}) {
      // Nothing changed: nothing changes.
      EXPECT_EQ(Player.end({}, {High, High, HandOver}), T.end());
      // With more operations queued pauses may be longer.
      const int64_t Slack = High ? 0 : longerPauses(T);
      int64_t Shortest =
          Player.end(Plan::withoutWaits(), {High, High, HandOver});
      for (uint32_t G : groupsOf(T, A, Waits)) {
        int64_t Removed =
            Player.end({Edit::Remove, {G}}, {High, High, HandOver});
        EXPECT_LE(Shortest, Removed + Slack);
        int64_t Async =
            Player.end({Edit::MakeAsync, {G}}, {High, High, HandOver});
        EXPECT_LE(Async, T.end() + Slack);
        EXPECT_LE(Removed, T.end() + Slack);
        // Without a copy, what is behind it may come after another pause.
        EXPECT_LE(Removed, Async + T.end() / 100 + Slack);
      }
    }
}

/// The answer never says much less than what all waits cost.
void checkAnswer(const Timeline &T, const Result &R) {
  const Attribution A = attribute(T);
  const WaitList List = findWaits(T, A);
  const Replay Player(T, A, List, R.Steps);
  const bool OfSteps = R.InSteps && R.Steps.FromGpu;
  if (R.InSteps && !OfSteps)
    return;
  const int64_t Whole = OfSteps ? R.InSteps->Span : R.Span,
                Bound = JointReplay({&Player}, false)
                            .roughGain(Plan::withoutWaits());
  if (Bound < Whole / 50)
    return;
  ASSERT_TRUE(R.WhatIfs.Strong);
  EXPECT_GE(10 * R.WhatIfs.Strong->Saved.High, 8 * Bound);
  double Shares = 0;
  for (const SetMember &One : R.WhatIfs.Changes.Members)
    Shares += One.Share;
  EXPECT_NEAR(Shares, 1, 1e-6);
  EXPECT_EQ(R.Decided.Answer, Answer::Change);
}

} // namespace

TEST(Properties, HoldForRandomSchedules) {
  for (unsigned Seed = 0; Seed < 240; ++Seed) {
    SCOPED_TRACE(Seed);
    Simulator S;
    runAll(S, shapeOf(Seed), Seed);
    Timeline T = S.finish();
    const Result R = llvm::cantFail(analyse(T));
    checkTimes(R);
    checkBusy(T, R, shapeOf(Seed).Threads == 1);
    checkReplay(T);
    checkAnswer(T, R);
  }
}

namespace {

/// 30 steps of kernels that are queued early; one in `Every` follows its
/// predecessor after a long pause, and the host may be late now and then.
Timeline heldUpSteps(unsigned Seed, unsigned Every) {
  std::mt19937 Random(Seed);
  auto Below = [&Random](unsigned N) { return int64_t(Random() % N); };
  Simulator S;
  uint32_t Streams[] = {S.stream(7, StreamFlag::NonBlocking),
                        S.stream(8, StreamFlag::NonBlocking)};
  uint32_t Loop = S.site(0x1, "loop", 5, "for");
  const int64_t Longest = 1 + Below(60'000), HostNs = Seed % 3 * 40'000;
  for (int Step = 0; Step < 30; ++Step) {
    S.enter(HostKind::Range, Loop);
    for (int K = 0; K < 20; ++K) {
      S.C.Pause = Below(Every) ? 500 + Below(1'000) : Below(400'000);
      S.launch(Streams[Seed % 2 && !Below(8)], 1 + Below(uint32_t(Longest)));
    }
    S.work(HostNs ? Below(uint32_t(HostNs)) * 20 : 0);
    S.leave();
  }
  return S.finish();
}

/// What is called late was queued and late, and nothing else was.
void checkLate(const Timeline &T, const Result &R) {
  for (size_t D = 0; D < R.Devices.size(); ++D)
    for (size_t G = 0; G < R.Devices[D].Gaps.size(); ++G) {
      const Gap &Idle = R.Devices[D].Gaps[G];
      const bool IsLate =
          wasQueued(T, Idle) && Idle.End - Idle.Start > LongestPause;
      EXPECT_EQ(R.Causes[D][G] == Cause::QueuedLate, IsLate);
    }
}

} // namespace

TEST(Properties, ARegimeHoldsWhatItSays) {
  unsigned Seen[unsigned(Regime::HeldUp) + 1] = {};
  for (unsigned Seed = 0; Seed < 120; ++Seed) {
    SCOPED_TRACE(Seed);
    constexpr unsigned Every[] = {2, 12, 60, 100'000};
    Timeline T = heldUpSteps(Seed, Every[Seed / 3 % 4]);
    const Result R = llvm::cantFail(analyse(T));
    checkTimes(R);
    checkBusy(T, R, /*OneThread=*/true);
    checkLate(T, R);
    ASSERT_TRUE(R.InSteps);
    const Steady &S = *R.InSteps;
    ++Seen[unsigned(S.Limit)];
    EXPECT_EQ(S.Busy + S.pauses() + S.late() + S.starved(), S.Span);
    if (S.Limit == Regime::GpuBound) {
      EXPECT_GT(10 * (S.Busy + S.pauses()), 9 * S.Span);
    }
    if (S.Limit == Regime::HeldUp) {
      EXPECT_GE(10 * S.late(), S.Span);
      EXPECT_GE(S.late(), S.starved());
    }
    if (S.Limit == Regime::CpuBound) {
      EXPECT_GE(10 * S.starved(), S.Span);
      EXPECT_GE(S.starved(), S.late());
    }
  }
  // All three are tried.
  EXPECT_GT(Seen[unsigned(Regime::GpuBound)], 0u);
  EXPECT_GT(Seen[unsigned(Regime::HeldUp)], 0u);
  EXPECT_GT(Seen[unsigned(Regime::CpuBound)], 0u);
}

TEST(Properties, TheTruthIsInTheIntervalForIndependentThreads) {
  int64_t Width = 0, Whole = 0;
  for (unsigned Seed = 0; Seed < 120; ++Seed)
    for (llvm::StringRef Call : {"cudaMemcpy", "cudaFree"}) {
      SCOPED_TRACE(Call.str() + " " + std::to_string(Seed));
      // Which work an event stands for is not recorded, only guessed.
      Shape Of{1 + Seed % 3, 3, /*OwnStreams=*/true, /*Events=*/false};
      Simulator Recorded, Without;
      runAll(Recorded, Of, Seed);
      Without.Dropped = Call.str();
      runAll(Without, Of, Seed);
      int64_t Truth = Recorded.end() - Without.end();
      Timeline T = Recorded.finish();
      Attribution A = attribute(T);
      WaitList Waits = findWaits(T, A);
      uint32_t Group = None;
      for (const Wait &W : Waits.Waits)
        if (T.Strings[T.Host.Name[W.Call]] == Call)
          Group = groupOf(T, A, W.Call);
      if (Group == None)
        continue;
      Gain Found = test::gainOf(Replay(T, A, Waits), {Edit::Remove, {Group}});
      // Single launches and pauses take a little longer or shorter than
      // typical.
      int64_t Slack = T.end() / 400;
      EXPECT_LE(Found.Low, Truth + Slack);
      EXPECT_GE(Found.High, Truth - Slack);
      Width += Found.High - Found.Low;
      Whole += T.end();
    }
  EXPECT_LT(Width, Whole * 4 / 100);
}
