// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stacks/Occasions.h"

#include <gtest/gtest.h>

using namespace autoprof::runtime;

namespace {

constexpr uint64_t Us = 1000, Pause = 50 * Us;

/// A thread that makes calls of 2 us.
class Thread {
  Occasions Seen = {};
  uint64_t Now = 1'000'000;

public:
  StackPlan Plan = {Pause};

  void rest(uint64_t Ns) { Now += Ns; }
  bool call(uint32_t Function, uint64_t Place = 0, uint64_t Ns = 2 * Us,
            bool MayWait = false) {
    CallSeen C;
    C.Begin = Now;
    C.End = Now += Ns;
    C.Function = Function;
    C.Place = Place;
    C.MayWait = MayWait;
    rest(Us);
    return Seen.seeCall(C, Plan);
  }
};

/// A step: 20 calls of one line, as in a loop over layers, and then a pause.
/// Counts the stacks taken of the first, of the last, and of the others.
struct Stacks {
  unsigned First = 0, Last = 0, Others = 0;
};
void step(Thread &T, Stacks &S, unsigned Calls = 20) {
  T.rest(Pause);
  for (unsigned I = 0; I < Calls; ++I)
    (I == 0           ? S.First
     : I == Calls - 1 ? S.Last
                      : S.Others) += T.call(7, /*Place=*/4711);
}

} // namespace

TEST(Occasions, LongCallsThatMayWait) {
  Thread T;
  T.Plan = {};
  unsigned Brief = 0, Launches = 0;
  for (int I = 0; I < 50; ++I) {
    Brief += T.call(1, 0, StackPlan::LongNs - 1, /*MayWait=*/true);
    Launches += T.call(2, 0, 100 * Us, /*MayWait=*/false);
    EXPECT_TRUE(T.call(3, 0, StackPlan::LongNs, /*MayWait=*/true));
  }
  EXPECT_LE(Brief + Launches, 10u); // By chance.
}

TEST(Occasions, TheFirstCallIsOne) {
  Thread T;
  EXPECT_TRUE(T.call(1));
}

TEST(Occasions, CallsAroundPauses) {
  Thread T;
  Stacks S;
  for (int I = 0; I < 200; ++I)
    step(T, S);
  EXPECT_EQ(S.First, 200u);
  EXPECT_GE(S.Last, 198u); // Not the first one's.
  EXPECT_LE(S.Others, 200u * 18 / StackPlan::OneIn * 2);
}

TEST(Occasions, PlacesBeforePausesAreFoundInUnevenSteps) {
  Thread T;
  unsigned Before = 0, Others = 0;
  for (unsigned I = 0; I < 200; ++I) {
    T.rest(Pause);
    for (unsigned J = 0; J < 5 + I * 7 % 11; ++J)
      Others += T.call(7, /*Place=*/1 + J % 3);
    Before += T.call(8, /*Place=*/99); // Always the last.
  }
  EXPECT_GE(Before, 190u);
  EXPECT_LE(Others, 200u + 200 + 200 * 10 / StackPlan::OneIn * 2);
}

TEST(Occasions, PlacesMayMakeSeveralCallsBeforeAPause) {
  Thread T;
  unsigned Before = 0;
  for (unsigned I = 0; I < 200; ++I) {
    T.rest(Pause);
    for (unsigned J = 0; J < 5 + I * 7 % 11; ++J)
      T.call(7, /*Place=*/1 + J % 3);
    T.call(8, /*Place=*/99); // As a loss that is computed by two kernels.
    Before += T.call(8, /*Place=*/99);
  }
  EXPECT_GE(Before, 190u);
}

TEST(Occasions, WrongGuessesCostNoMoreThanPausesDo) {
  Thread T;
  unsigned Taken = 0, Pauses = 0;
  uint32_t Random = 1;
  for (unsigned I = 0; I < 100'000; ++I) {
    Random = Random * 1664525 + 1013904223;
    if (Random >> 24 == 0 && Pauses < StackPlan::FullPauses) {
      T.rest(Pause);
      ++Pauses;
    }
    Taken += T.call(Random >> 20 & 7, Random >> 16 & 15);
  }
  EXPECT_GT(Pauses, 200u);
  EXPECT_LE(Taken, 3 * Pauses + 100'000 / StackPlan::OneIn * 5 / 4);
}

TEST(Occasions, OneInManyOfTheOthers) {
  for (uint64_t PauseNs : {Pause, UINT64_MAX}) {
    Thread T;
    T.Plan = {PauseNs};
    // Also where a loop has as many calls.
    unsigned Calls[StackPlan::OneIn] = {};
    const unsigned Turns = 10'000;
    for (unsigned I = 0; I < Turns; ++I)
      for (unsigned &Call : Calls)
        Call += T.call(1);
    for (unsigned Call : Calls) {
      EXPECT_GT(Call, Turns / StackPlan::OneIn / 2);
      EXPECT_LT(Call, Turns / StackPlan::OneIn * 2);
    }
  }
}

TEST(Occasions, ManyPausesAreSampled) {
  Thread T;
  Stacks Early, Late;
  for (unsigned I = 0; I < StackPlan::FullPauses; ++I)
    step(T, Early, 4);
  const unsigned Many = 16'000;
  for (unsigned I = 0; I < Many; ++I)
    step(T, Late, 4);
  EXPECT_GE(Early.First, StackPlan::FullPauses - 1);
  const unsigned Expected =
      Many / StackPlan::PausesOneIn + Many / StackPlan::OneIn;
  EXPECT_GT(Late.First, Expected * 3 / 4);
  EXPECT_LT(Late.First, Expected * 5 / 4);
  EXPECT_GT(Late.Last, Expected * 3 / 4);
  EXPECT_LT(Late.Last, Expected * 5 / 4);
}
