// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probes/ProbePool.h"

#include "runtime/support/Memory.h"

#include <new>
#include <unistd.h>

namespace autoprof::runtime {

namespace {

/// A lock-free stack (R. K. Treiber, 1986): a thread that is preempted or
/// interrupted by a signal in the middle of an operation blocks nobody.
///
/// The head combines a node's address and a count of changes in one word. The
/// count prevents the ABA problem: a thread that has read the head and its next
/// node, and then sleeps while both are taken and only the head is given back,
/// must not install the next node. It would have to sleep through exactly 2^20
/// changes, or a multiple, to be misled. Nodes are never unmapped, so reading
/// the next pointer of a node that another thread has taken meanwhile is
/// harmless.
template <typename Node> class FreeList {
public:
  void push(Node *N) {
    uint64_t Old = Head.load(std::memory_order_relaxed);
    do
      N->Next.store(node(Old), std::memory_order_relaxed);
    while (!Head.compare_exchange_weak(Old, changed(Old, N),
                                       std::memory_order_release,
                                       std::memory_order_relaxed));
  }

  Node *pop() {
    uint64_t Old = Head.load(std::memory_order_acquire);
    while (Node *N = node(Old))
      if (Head.compare_exchange_weak(
              Old, changed(Old, N->Next.load(std::memory_order_relaxed)),
              std::memory_order_acquire))
        return N;
    return nullptr;
  }

private:
  // User-space addresses have 47 bits on x86-64 and 48 on AArch64, of which 4
  // are zero here: mmap returns higher ones only if the program asks for them.
  static constexpr unsigned CountBits = 20, ZeroBits = 4;
  static_assert(alignof(Node) >= 1u << ZeroBits, "the address is shortened");

  static Node *node(uint64_t Word) {
    return reinterpret_cast<Node *>(Word >> CountBits << ZeroBits);
  }
  static uint64_t changed(uint64_t Old, Node *N) {
    uint64_t Count = (Old + 1) & ((1u << CountBits) - 1);
    return reinterpret_cast<uint64_t>(N) >> ZeroBits << CountBits | Count;
  }

  std::atomic<uint64_t> Head{0};
};

} // namespace

static FreeList<Block> Blocks;
static FreeList<ThreadLog> Logs;
static FreeList<RangeThrottle> Throttles;
static std::atomic<ThreadLog *> NewLogs{nullptr};

Block *takeBlock() {
  Block *B = Blocks.pop();
  if (!B) {
    void *Memory = allocateBlock(BlockSize, false);
    return Memory ? new (Memory) Block : nullptr;
  }
  B->Next.store(nullptr, std::memory_order_relaxed);
  B->Count.store(0, std::memory_order_relaxed);
  return B;
}

void giveBack(Block *B) { Blocks.push(B); }

// Logs come from pages of their own, not from malloc: the thread's first probe
// may be in a signal handler.
static ThreadLog *makeLogs() {
  const auto Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  auto *Memory = static_cast<char *>(allocateBlock(Page, false));
  if (!Memory)
    return nullptr;
  for (size_t Offset = sizeof(ThreadLog); Offset + sizeof(ThreadLog) <= Page;
       Offset += sizeof(ThreadLog))
    Logs.push(new (Memory + Offset) ThreadLog);
  return new (Memory) ThreadLog;
}

ThreadLog *takeLog() {
  ThreadLog *Log = Logs.pop();
  if (!Log)
    return makeLogs();
  Log->Drained = 0;
  Log->Finished.store(false, std::memory_order_relaxed);
  Log->Throttle.store(nullptr, std::memory_order_relaxed);
  return Log;
}

void giveBack(ThreadLog *Log) { Logs.push(Log); }

RangeThrottle *takeThrottle() {
  if (RangeThrottle *T = Throttles.pop()) {
    T->clear();
    return T;
  }
  void *Memory = allocateBlock(sizeof(RangeThrottle), false);
  return Memory ? new (Memory) RangeThrottle : nullptr;
}

void giveBack(RangeThrottle *T) { Throttles.push(T); }

void publish(ThreadLog *Log) {
  ThreadLog *Old = NewLogs.load(std::memory_order_relaxed);
  do
    Log->NextLog = Old;
  while (!NewLogs.compare_exchange_weak(Old, Log, std::memory_order_release,
                                        std::memory_order_relaxed));
}

ThreadLog *takePublished() {
  return NewLogs.exchange(nullptr, std::memory_order_acquire);
}

} // namespace autoprof::runtime
