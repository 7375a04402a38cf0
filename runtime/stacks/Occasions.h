// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of a thread's calls whose stacks are taken. A stack costs a
// microsecond or two, so each of these occasions must be rare, or the stack
// short compared with what it explains:
//
// * The call may wait for the GPU and took LongNs or more.
// * There was a pause before it: PauseNs or more have passed since the thread's
//   last call. Between the two the CPU was busy elsewhere.
// * There will be a pause after it. That is not known when the call returns,
//   and later its stack is gone: only frames that are still open could be read
//   (the code of others may have been freed), and remembering those at each
//   call costs as much as a launch's callback. So pauses are predicted, because
//   loops repeat themselves. The last call before a pause is remembered by two
//   numbers: one made from its function, its place in Python and how many calls
//   it came after the previous pause; and one made from its function, its place
//   and how many times in a row it was called there, which several calls of a
//   loop may share. The stack of the next call with such a number is taken when
//   it returns. If no pause follows, the number is forgotten. So the first time
//   through a loop the place before a pause is unknown, and what is recorded is
//   always the call's own stack.
// * One in OneIn of the other calls, at random, so that a loop whose calls are
//   all brief has lines, too.
//
// The first FullPauses pauses of a thread count, and then a random one in
// PausesOneIn: with pauses of 50 us, two stacks for each would take 7 % of the
// time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace autoprof::runtime {

struct StackPlan {
  /// A shorter call has not waited long enough to matter.
  static constexpr uint64_t LongNs = 5'000;
  static constexpr uint32_t OneIn = 64;
  static constexpr uint32_t FullPauses = 1'000, PausesOneIn = 16;
  uint64_t PauseNs = UINT64_MAX; ///< UINT64_MAX: pauses are not looked for.

  bool watchesPauses() const { return PauseNs != UINT64_MAX; }
};

/// A call that is not nested in another.
struct CallSeen {
  uint64_t Begin = 0, End = 0; ///< CLOCK_MONOTONIC ns.
  uint32_t Function = 0;       ///< CUPTI's number.
  bool MayWait = false;
  uint64_t Place = 0; ///< pythonPlace(), or 0.
};

/// A thread's memory of its calls. Plain data, initially all zero; only its own
/// thread uses it. It is in static thread-local storage, of which a library
/// that is loaded late gets little.
class Occasions {
  static constexpr size_t Slots = 32;
  uint64_t LastEnd; // End of the last call; 0: there was none.
  uint64_t Seed;    // State of the random number generator.
  // Indexed by the low bits of a number; see Occasions.cpp.
  uint32_t Expected[Slots];
  uint32_t LastExact, LastLoose; // The last call's numbers.
  uint32_t LastWhere;            // The last call's function and place, hashed,
  uint32_t CallsThere;           // and how many calls before it had the same.
  uint32_t CallsSincePause;
  uint32_t Pauses; // Number of pauses, up to FullPauses.
  uint32_t UntilSample;
  bool PauseIsSkipped; // The next pause is skipped.

  uint32_t random();
  uint32_t score(uint32_t Number) const;
  void learn(uint32_t Number, bool PauseCame);
  void countPause();
  bool isSampled();

public:
  /// Whether to take the stack of the call, which has just returned.
  bool seeCall(const CallSeen &Call, const StackPlan &Plan);
};

} // namespace autoprof::runtime
