// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of the probes' buffers: blocks and logs that are given back and
// used again. The essay is in Probes.cpp.
#ifndef AUTOPROF_RUNTIME_PROBEPOOL_H
#define AUTOPROF_RUNTIME_PROBEPOOL_H

#include "Probes.h"

#include <atomic>
#include <cstddef>

namespace autoprof::runtime {

constexpr size_t BlockSize = 48u << 10;
constexpr uint32_t RecordsInBlock = (BlockSize - 16) / sizeof(ProbeRecord);

struct Block {
  std::atomic<Block *> Next;
  std::atomic<uint32_t> Count;
  ProbeRecord Records[RecordsInBlock];
};
static_assert(sizeof(Block) <= BlockSize, "a block is one allocation");

struct ThreadLog {
  ThreadLog *NextLog; // In NewLogs, then in Logs.
  Block *Tail;        // The owner's.
  Block *Head;        // The drainer's.
  uint32_t Drained;   // Records of Head already taken.
  uint32_t Tid;
  std::atomic<bool> Finished;
};

/// Empty ones, or null when the memory is spent or the lock stays taken. Async-
/// signal-safe; they may change errno.
Block *takeBlock();
ThreadLog *takeLog();

/// They may wait: the drainer's, and of what was just taken.
void giveBack(Block *B);
void giveBack(ThreadLog *Log);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_PROBEPOOL_H
