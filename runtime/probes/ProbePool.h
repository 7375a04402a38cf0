// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of the probes' buffers: blocks and logs that are given back and
// used again. The essay is in Probes.cpp.
#ifndef AUTOPROF_RUNTIME_PROBES_PROBEPOOL_H
#define AUTOPROF_RUNTIME_PROBES_PROBEPOOL_H

#include "runtime/probes/Probes.h"
#include "runtime/probes/RangeThrottle.h"

#include <atomic>
#include <cstddef>

namespace autoprof::runtime {

constexpr size_t BlockSize = 48u << 10;
constexpr uint32_t RecordsInBlock = (BlockSize - 16) / sizeof(ProbeRecord);

struct alignas(16) Block {
  std::atomic<Block *> Next; // In its log, or in the pool.
  std::atomic<uint32_t> Count;
  ProbeRecord Records[RecordsInBlock];
};
static_assert(sizeof(Block) <= BlockSize, "a block is one allocation");

struct alignas(16) ThreadLog {
  std::atomic<ThreadLog *> Next{nullptr}; // In the pool.
  ThreadLog *NextLog = nullptr;           // In NewLogs, then in Logs.
  Block *Tail = nullptr;                  // The owner's.
  Block *Head = nullptr;                  // The drainer's.
  uint32_t Drained = 0;                   // Records of Head already taken.
  uint32_t Tid = 0;
  std::atomic<bool> Finished{false};
  /// From the first brief range without GPU work on; the owner makes it.
  std::atomic<RangeThrottle *> Throttle{nullptr};
};

/// Empty ones, or null when the memory is spent. No locks: thread-safe and
/// async-signal-safe; they may change errno.
Block *takeBlock();
ThreadLog *takeLog();
RangeThrottle *takeThrottle();

/// Of what was taken here; thread-safe and async-signal-safe.
void giveBack(Block *B);
void giveBack(ThreadLog *Log);
void giveBack(RangeThrottle *T);

/// Tells the drainer of a thread's log. Thread-safe and async-signal-safe.
void publish(ThreadLog *Log);
/// Those that are new, joined by NextLog; the drainer's.
ThreadLog *takePublished();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_PROBES_PROBEPOOL_H
