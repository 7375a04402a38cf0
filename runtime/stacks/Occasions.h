// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The choice of a thread's calls whose stacks are taken (docs/runtime.md, "Host
// stacks"). A stack costs a microsecond or two, so each occasion must be rare,
// or the stack short compared with what it explains; with pauses of 50 us, two
// stacks for each would take 7 % of the time.
//
// That a pause will come is not known when the call before it returns, and
// later its stack is gone. So pauses are predicted, because loops repeat
// themselves. The last call before a pause is remembered by two numbers: one
// made from its function, its place in Python and how many calls it came after
// the previous pause; and one made from its function, its place and how many
// times in a row it was called there, which several calls of a loop may share.
// The stack of the next call with such a number is taken when it returns. If no
// pause follows, the number is forgotten.
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
