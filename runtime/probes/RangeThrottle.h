// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ranges of a thread are no longer recorded because they ran very often,
// very briefly and without GPU work: a loop over a million elements that
// allocates once in a while would fill the trace, and slow the program down,
// with records that do not affect any result. This is TAU's rule (calls and
// time per call) with the limits below, applied to each run instead of the
// average: a run that takes longer, or in which anything is recorded, is always
// recorded.
//
// The decision is made where the range ends, on its own thread, and not by the
// flush thread: this way a run that is left out takes no room in the buffers,
// and only the thread knows at that time what happened inside. What CUDA calls
// of code without probes did arrives later, in CUPTI's buffers; so CUPTI calls
// back at these calls as soon as a range could be left out (Cupti.cpp); see
// Probes.cpp.
//
// The table has room for few ranges. Those that run often keep their place
// (Misra and Gries, 1982): a range that finds no place decrements another's
// count. So a range may be throttled later than the limit says, but never
// sooner.
#pragma once

#include <atomic>
#include <cstdint>

namespace autoprof::runtime {

/// Only shorter runs are left out.
constexpr uint64_t BriefNs = 10'000;

struct alignas(16) RangeThrottle {
  struct Range {
    uint64_t Id;
    uint64_t Runs; ///< Brief runs without GPU work, recorded or not.
    /// Totals of runs that are left out; the owner adds.
    std::atomic<uint64_t> Dropped, DroppedNs;
    /// The part of them that was drained; the drainer's.
    uint64_t Taken, TakenNs;
  };
  static constexpr unsigned Size = 127, Probes = 4;

  std::atomic<RangeThrottle *> Next{nullptr}; // In the pool.
  Range Ranges[Size] = {};

  /// Resets the table for another thread, except for Next, which the pool owns.
  void clear() {
    for (Range &R : Ranges) {
      R.Id = R.Runs = R.Taken = R.TakenNs = 0;
      R.Dropped.store(0, std::memory_order_relaxed);
      R.DroppedNs.store(0, std::memory_order_relaxed);
    }
  }

  /// Counts a brief run without GPU work; returns null if there is no place for
  /// it.
  Range *count(uint64_t Id) {
    for (unsigned I = 0; I < Probes; ++I)
      if (Range &R = at(Id, I); R.Id == Id) {
        ++R.Runs;
        return &R;
      }
    Range *R = makeRoom(Id);
    if (R)
      R->Runs = 1;
    return R;
  }

  /// Counts a run of `R` that is left out.
  static void leaveOut(Range &R, uint64_t Begin, uint64_t End) {
    // No read-modify-write: only this thread writes.
    R.DroppedNs.store(R.DroppedNs.load(std::memory_order_relaxed) + End - Begin,
                      std::memory_order_relaxed);
    R.Dropped.store(R.Dropped.load(std::memory_order_relaxed) + 1,
                    std::memory_order_release);
  }

private:
  Range &at(uint64_t Id, unsigned I) {
    return Ranges[((Id * 0x9E3779B97F4A7C15u >> 32) + I) % Size];
  }

  Range *makeRoom(uint64_t Id) {
    Range *Smallest = nullptr;
    for (unsigned I = 0; I < Probes; ++I) {
      Range &R = at(Id, I);
      if (R.Dropped.load(std::memory_order_relaxed) == 0 &&
          (!Smallest || R.Runs < Smallest->Runs))
        Smallest = &R;
    }
    if (!Smallest)
      return nullptr;
    if (Smallest->Runs > 1) {
      --Smallest->Runs;
      return nullptr;
    }
    Smallest->Id = Id;
    return Smallest;
  }
};
static_assert(sizeof(RangeThrottle) <= 8192, "two pages");

} // namespace autoprof::runtime
