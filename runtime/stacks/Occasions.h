// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At which of a thread's calls a stack is taken. A stack costs a microsecond or
// two, so each of these occasions is rare, or short beside what it is for:
//
// * The call may wait for the GPU and took LongNs or more.
// * A pause came before it: since the thread's last call PauseNs or more went
//   by. Between the two the CPU was busy elsewhere.
// * A pause comes after it. That is not known when it returns, and later its
//   stack is gone: of what it stood in, only frames that are still open could
//   be read (the code of others may have been freed), and to remember those at
//   each call costs as much as a launch's callback. So pauses are expected:
//   loops repeat themselves. The last call before a pause is remembered by two
//   numbers: of its function, its place in Python and how many calls it came
//   after the previous pause; and of its function, its place and how many calls
//   it was there in a row, which several calls of a loop may share. The stack
//   of the next call with such a number is taken when it returns. If no pause
//   follows, the number is forgotten. So the first time through a loop the
//   place before a pause is unknown, and what is recorded is always the call's
//   own stack.
// * One in OneIn of the others, by chance, so that a loop whose calls are all
//   brief has lines, too.
//
// Of pauses, the first FullPauses of a thread count, and then one in
// PausesOneIn, by chance: at a pause of 50 us each, two stacks would take 7 %
// of the time.
#ifndef AUTOPROF_RUNTIME_STACKS_OCCASIONS_H
#define AUTOPROF_RUNTIME_STACKS_OCCASIONS_H

#include <cstddef>
#include <cstdint>

namespace autoprof::runtime {

struct StackPlan {
  /// A shorter call has not waited for anything worth a line.
  static constexpr uint64_t LongNs = 5'000;
  static constexpr uint32_t OneIn = 64;
  static constexpr uint32_t FullPauses = 1'000, PausesOneIn = 16;
  uint64_t PauseNs = UINT64_MAX; ///< UINT64_MAX: pauses are not looked for.

  bool watchesPauses() const { return PauseNs != UINT64_MAX; }
};

/// One call that is not inside of another.
struct CallSeen {
  uint64_t Begin = 0, End = 0; ///< CLOCK_MONOTONIC ns.
  uint32_t Function = 0;       ///< CUPTI's number.
  bool MayWait = false;
  uint64_t Place = 0; ///< pythonPlace(), or 0.
};

/// What a thread remembers of its calls. Plain data, all zero at first; only
/// its thread touches it. It lives in static thread-local storage, of which a
/// library that is loaded late gets little.
class Occasions {
  static constexpr size_t Slots = 32;
  uint64_t LastEnd;         // Of the last call; 0: there was none.
  uint64_t Seed;            // Of the random numbers.
  uint32_t Expected[Slots]; // By the low bits of a number: the others, a score.
  uint32_t LastExact, LastLoose; // The last call's numbers.
  uint32_t LastWhere;            // Its function and place,
  uint32_t CallsThere;           // and how many before it had the same.
  uint32_t CallsSincePause;
  uint32_t Pauses; // Up to FullPauses.
  uint32_t UntilSample;
  bool PauseIsSkipped; // The next one.

  uint32_t random();
  uint32_t score(uint32_t Number) const;
  void learn(uint32_t Number, bool PauseCame);
  void countPause();
  bool isSampled();

public:
  /// Whether the stack of the call, which has just returned, is to be taken.
  bool seeCall(const CallSeen &Call, const StackPlan &Plan);
};

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_STACKS_OCCASIONS_H
