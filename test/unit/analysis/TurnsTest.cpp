// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that take turns, and what that means for the gain of a wait.
#include "GainOf.h"
#include "Simulator.h"

#include "analysis/replay/Order.h"
#include "analysis/replay/WhatIf.h"

#include <gtest/gtest.h>
#include <random>

using namespace autoprof;
using namespace autoprof::analysis;
using namespace autoprof::trace;
using test::Simulator;

namespace {

/// A forward pass on one thread and a backward pass on another, as in PyTorch:
/// the loss is read after each step, and the host then works for 300 us.
Timeline training(unsigned Steps, bool Reads) {
  Simulator S;
  uint32_t Stream = S.stream(7, StreamFlag::Null);
  uint32_t Backward = S.addThread();
  S.Dropped = Reads ? "" : "cudaMemcpy";
  auto Go = [&S](uint32_t Thread) {
    int64_t At = S.Now;
    S.runThread(Thread);
    S.Now = At + 15'000;
  };
  for (unsigned Step = 0; Step < Steps; ++Step) {
    S.work(300'000);
    for (unsigned I = 0; I < 10; ++I)
      S.launch(Stream, 30'000);
    Go(Backward);
    for (unsigned I = 0; I < 10; ++I)
      S.launch(Stream, 30'000);
    Go(0);
    S.readBack(Stream);
  }
  return S.finish();
}

/// Two threads with streams of their own, which know nothing of each other.
Timeline independent(unsigned Seed) {
  Simulator S;
  std::mt19937 Random(Seed);
  uint32_t Streams[] = {S.stream(13, StreamFlag::NonBlocking),
                        S.stream(14, StreamFlag::NonBlocking)};
  uint32_t Threads[] = {0, S.addThread()};
  for (unsigned I = 0; I < 2'000; ++I) {
    bool Second = S.clockOf(Threads[1]) < S.clockOf(Threads[0]);
    S.runThread(Threads[Second]);
    if (I % 10 < 2)
      S.synchronizeStream(Streams[Second]);
    else
      S.launch(Streams[Second], 1'000 + Random() % 20'000);
    S.work(Random() % 20'000);
  }
  return S.finish();
}

bool inTurns(const Timeline &T) {
  Attribution A = attribute(T);
  return takeTurns(T, A, std::vector<bool>(T.Threads.size(), true));
}

} // namespace

TEST(Turns, OfForwardAndBackwardPass) {
  EXPECT_TRUE(inTurns(training(40, true)));
}

TEST(Turns, OfIndependentThreads) {
  for (unsigned Seed = 0; Seed < 20; ++Seed)
    EXPECT_FALSE(inTurns(independent(Seed))) << Seed;
}

TEST(Turns, AreNotKnownFromAFewCalls) {
  EXPECT_FALSE(inTurns(training(3, true)));
}

TEST(Turns, MakeTheGainCertain) {
  Timeline T = training(40, true);
  const int64_t Truth = T.end() - training(40, false).end();
  EXPECT_GT(Truth, T.end() / 5);
  Attribution A = attribute(T);
  WaitList Waits = findWaits(T, A);
  Replay Player(T, A, Waits);
  EXPECT_TRUE(Player.hasSeveralThreads());
  EXPECT_FALSE(Player.mayHandOver());
  Gain Found = test::gainOf(Player, Plan::withoutWaits());
  // If each thread went on by itself, the backward pass would still be late.
  EXPECT_GT(Found.Low, Truth * 9 / 10);
  EXPECT_LT(Found.High, Truth * 11 / 10);
}
