// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ranges of a thread are recorded no more, because they ran very often,
// very briefly and without GPU work: a loop over a million elements that
// allocates once in a while would fill the trace, and slow the program down,
// with what no result rests on. TAU's rule (calls and time per call) with the
// limits below, asked of each run and not of the average: a run that takes
// longer, or in which anything is recorded, is recorded, always.
//
// It is decided where the range ends, on its own thread, and not by the flush
// thread: a run that is left out then costs no room in the buffers, and only
// the thread knows at that time what happened inside. What CUDA calls of code
// without probes did arrives later, in CUPTI's buffers; so CUPTI calls back at
// them as soon as a range may be left out (Cupti.cpp), see Probes.cpp.
//
// A table has room for few ranges. Those that run often keep their place
// (Misra and Gries, 1982): a range that finds none takes a run off another's
// count. So a range may be throttled later than after the limit, never sooner.
#ifndef AUTOPROF_RUNTIME_PROBES_RANGETHROTTLE_H
#define AUTOPROF_RUNTIME_PROBES_RANGETHROTTLE_H

#include <atomic>
#include <cstdint>

namespace autoprof::runtime {

/// A run that takes so long is recorded.
constexpr uint64_t BriefNs = 10'000;

struct alignas(16) RangeThrottle {
  struct Range {
    uint64_t Id;
    uint64_t Runs;      ///< Brief ones without GPU work, recorded or not.
    uint64_t Skipped;   ///< Not recorded since the last one that was, in this
                        ///< run of what is around.
    uint64_t LastBegin; ///< Of those: when the last one began.
    std::atomic<uint64_t> Dropped, DroppedNs; ///< Totals; the owner adds.
    uint64_t Taken, TakenNs;                  ///< Of them; the drainer's.
  };
  static constexpr unsigned Size = 127, Probes = 4;

  std::atomic<RangeThrottle *> Next{nullptr}; // In the pool.
  uint64_t LastSkip = 0; ///< No range that was left out began later.
  Range Ranges[Size] = {};

  /// For another thread; Next is the pool's.
  void clear() {
    LastSkip = 0;
    for (Range &R : Ranges) {
      R.Id = R.Runs = R.Skipped = R.LastBegin = R.Taken = R.TakenNs = 0;
      R.Dropped.store(0, std::memory_order_relaxed);
      R.DroppedNs.store(0, std::memory_order_relaxed);
    }
  }

  /// The place of `Id`, or null.
  Range *find(uint64_t Id) {
    for (unsigned I = 0; I < Probes; ++I)
      if (Range &R = at(Id, I); R.Id == Id)
        return &R;
    return nullptr;
  }

  /// Counts a brief run without GPU work; null: there is no place for it.
  Range *count(uint64_t Id) {
    Range *R = find(Id);
    if (!R && !(R = makeRoom(Id)))
      return nullptr;
    ++R->Runs;
    return R;
  }

  /// A run of `R` is left out.
  void skip(Range &R, uint64_t Begin, uint64_t End) {
    ++R.Skipped;
    R.LastBegin = LastSkip = Begin;
    // No read-modify-write: only this thread writes.
    R.DroppedNs.store(R.DroppedNs.load(std::memory_order_relaxed) + End - Begin,
                      std::memory_order_relaxed);
    R.Dropped.store(R.Dropped.load(std::memory_order_relaxed) + 1,
                    std::memory_order_release);
  }

  /// Something that began at `Begin` ended: the loops in it did, too, and will
  /// count their iterations again from the start.
  void endLoopsSince(uint64_t Begin) {
    if (__builtin_expect(LastSkip <= Begin, 1))
      return;
    for (Range &R : Ranges)
      if (R.LastBegin > Begin)
        R.Skipped = 0;
    LastSkip = Begin; // Those around are still to be told.
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
    Smallest->Runs = 0;
    Smallest->Id = Id;
    return Smallest;
  }
};
static_assert(sizeof(RangeThrottle) <= 8192, "two pages");

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_PROBES_RANGETHROTTLE_H
