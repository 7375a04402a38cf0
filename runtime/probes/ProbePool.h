// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of the probes' buffers: blocks and logs that are given back and
// reused. Probes.cpp has the overview.
#pragma once

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
  Block *Tail = nullptr;                  // Owned by the thread of the log.
  Block *Head = nullptr;                  // Owned by the draining thread.
  uint32_t Drained = 0; // Number of records of Head already taken.
  uint32_t Tid = 0;
  std::atomic<bool> Finished{false};
  /// Created by the log's thread at the first brief range without GPU work.
  std::atomic<RangeThrottle *> Throttle{nullptr};
};

/// Return an empty block or log, or null if the memory budget is spent.
/// Lock-free: thread-safe and async-signal-safe. They may change errno.
Block *takeBlock();
ThreadLog *takeLog();
RangeThrottle *takeThrottle();

/// Return a block or log that was taken here. Thread-safe and
/// async-signal-safe.
void giveBack(Block *B);
void giveBack(ThreadLog *Log);
void giveBack(RangeThrottle *T);

/// Passes a thread's log to the draining thread. Thread-safe and
/// async-signal-safe.
void publish(ThreadLog *Log);
/// The logs published since the last call, linked by NextLog. For the draining
/// thread only.
ThreadLog *takePublished();

} // namespace autoprof::runtime
