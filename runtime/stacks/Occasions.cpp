// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/stacks/Occasions.h"

namespace autoprof::runtime {

// The lowest score at which a number predicts a pause. A number that identifies
// a single call of a loop is right or wrong each time; one that several calls
// may share is trusted if a pause followed more often than not.
static constexpr uint32_t ExactScore = 1, LooseScore = 2, MostScore = 8;
static constexpr uint32_t ScoreBits = 8, ScoreMask = (1u << ScoreBits) - 1;

// The mixing function of splitmix64; 32 bits of its result.
static uint32_t mixed(uint64_t Value) {
  Value = (Value ^ Value >> 30) * 0xbf58476d1ce4e5b9;
  Value = (Value ^ Value >> 27) * 0x94d049bb133111eb;
  return static_cast<uint32_t>(Value >> 32);
}

uint32_t Occasions::random() {
  Seed += 0x9e3779b97f4a7c15;
  return mixed(Seed);
}

// An entry is the number, with its low bits replaced by the score. The low bits
// also select the slot, so they are known as long as there are fewer slots than
// scores.
static_assert((1u << ScoreBits) > 32, "the slot is in the bits of the score");

uint32_t Occasions::score(uint32_t Number) const {
  const uint32_t Entry = Expected[Number % Slots];
  return (Entry ^ Number) >> ScoreBits ? 0 : Entry & ScoreMask;
}

void Occasions::learn(uint32_t Number, bool PauseCame) {
  const uint32_t Score = score(Number);
  uint32_t &Entry = Expected[Number % Slots];
  if (!PauseCame) {
    Entry -= Score > 0;
    return;
  }
  // A number loses its slot to another once its score is used up.
  if (Score == 0 && (Entry & ScoreMask) > 1)
    --Entry;
  else if (Score < MostScore)
    Entry = (Number & ~ScoreMask) | (Score + 1);
}

void Occasions::countPause() {
  CallsSincePause = 0;
  if (Pauses < StackPlan::FullPauses)
    ++Pauses;
  else
    PauseIsSkipped = random() % StackPlan::PausesOneIn != 0;
}

bool Occasions::isSampled() {
  if (UntilSample > 1) {
    --UntilSample;
    return false;
  }
  const bool WasDrawn = UntilSample == 1;
  // OneIn on average; random, so as not to fall into step with a loop.
  UntilSample = 1 + random() % (2 * StackPlan::OneIn - 1);
  return WasDrawn;
}

bool Occasions::seeCall(const CallSeen &Call, const StackPlan &Plan) {
  bool IsTaken = Call.MayWait && Call.End >= Call.Begin + StackPlan::LongNs;
  if (!Seed)
    Seed = Call.Begin;
  if (Plan.watchesPauses()) {
    const bool IsFirst = LastEnd == 0;
    const bool Paused = IsFirst || Call.Begin >= LastEnd + Plan.PauseNs;
    if (!IsFirst) {
      learn(LastExact, Paused);
      learn(LastLoose, Paused);
    }
    if (Paused) {
      IsTaken |= !PauseIsSkipped;
      countPause();
    }
    const uint32_t Where =
        mixed(Call.Place * 0x9e3779b97f4a7c15 + Call.Function);
    CallsThere = Where == LastWhere && !Paused ? CallsThere + 1 : 0;
    LastWhere = Where;
    LastLoose = mixed(uint64_t(Where) << 32 | CallsThere);
    LastExact = mixed(uint64_t(~Where) << 32 | ++CallsSincePause);
    IsTaken |= !PauseIsSkipped && (score(LastExact) >= ExactScore ||
                                   score(LastLoose) >= LooseScore);
    LastEnd = Call.End;
  }
  return isSampled() || IsTaken;
}

} // namespace autoprof::runtime
