// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/Memory.h"

#include <atomic>
#include <sys/mman.h>
#include <unistd.h>

namespace autoprof::runtime {

static std::atomic<uint64_t> Limit{256u << 20};
static std::atomic<uint64_t> Used{0};

void setMemoryLimit(uint64_t Bytes) {
  Limit.store(Bytes, std::memory_order_relaxed);
}

void *allocateBlock(size_t Size, bool Touch) {
  // What it takes: a page has 64 KiB on many machines with AArch64.
  const auto Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  Size = (Size + Page - 1) / Page * Page;
  if (Used.fetch_add(Size, std::memory_order_relaxed) + Size >
      Limit.load(std::memory_order_relaxed)) {
    Used.fetch_sub(Size, std::memory_order_relaxed);
    return nullptr;
  }
  int Flags = MAP_PRIVATE | MAP_ANONYMOUS | (Touch ? MAP_POPULATE : 0);
  void *Block = mmap(nullptr, Size, PROT_READ | PROT_WRITE, Flags, -1, 0);
  if (Block != MAP_FAILED)
    return Block;
  Used.fetch_sub(Size, std::memory_order_relaxed);
  return nullptr;
}

} // namespace autoprof::runtime
