// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ProbePool.h"

#include "Memory.h"

#include <new>

namespace autoprof::runtime {

static std::atomic_flag PoolLock = ATOMIC_FLAG_INIT;
static Block *Pool = nullptr;
static ThreadLog *SpareLogs = nullptr;

// Another thread holds the lock for a few instructions; the code that this
// signal handler interrupted would hold it for ever.
static bool lockPool() {
  constexpr int Tries = 10'000;
  for (int I = 0; I < Tries; ++I)
    if (!PoolLock.test_and_set(std::memory_order_acquire))
      return true;
  return false;
}

Block *takeBlock() {
  if (!lockPool())
    return nullptr;
  Block *B = Pool;
  if (B)
    Pool = B->Next.load(std::memory_order_relaxed);
  PoolLock.clear(std::memory_order_release);
  if (!B) {
    void *Memory = allocateBlock(BlockSize, false);
    return Memory ? new (Memory) Block : nullptr;
  }
  B->Next.store(nullptr, std::memory_order_relaxed);
  B->Count.store(0, std::memory_order_relaxed);
  return B;
}

// Only the drainer comes here, so it may wait.
void giveBack(Block *B) {
  while (PoolLock.test_and_set(std::memory_order_acquire))
    ;
  B->Next.store(Pool, std::memory_order_relaxed);
  Pool = B;
  PoolLock.clear(std::memory_order_release);
}

// Logs are carved from pages, not from malloc: the thread's first probe may be
// in a signal handler. Mapping a page takes too long to be done under the lock.
static ThreadLog *makeLogs() {
  const size_t Page = 4096;
  auto *Fresh = static_cast<ThreadLog *>(allocateBlock(Page, false));
  if (Fresh && lockPool()) {
    for (size_t I = 1; I < Page / sizeof(ThreadLog); ++I) {
      Fresh[I].NextLog = SpareLogs;
      SpareLogs = &Fresh[I];
    }
    PoolLock.clear(std::memory_order_release);
  }
  return Fresh;
}

ThreadLog *takeLog() {
  if (!lockPool())
    return nullptr;
  ThreadLog *Log = SpareLogs;
  if (Log)
    SpareLogs = Log->NextLog;
  PoolLock.clear(std::memory_order_release);
  if (!Log)
    Log = makeLogs();
  return Log ? new (Log) ThreadLog{} : nullptr;
}

void giveBack(ThreadLog *Log) {
  while (PoolLock.test_and_set(std::memory_order_acquire))
    ;
  Log->NextLog = SpareLogs;
  SpareLogs = Log;
  PoolLock.clear(std::memory_order_release);
}

} // namespace autoprof::runtime
