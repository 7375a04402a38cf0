// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the interpreter's structures. The first stacks are read through the
// kernel (process_vm_readv), which fails on a bad address where a load would
// crash; after a number of stacks the layout is trusted.
#pragma once

#include "runtime/stacks/PythonLayout.h"

#include <atomic>
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>

namespace autoprof::runtime {

/// Reads this process's memory through the kernel. Returns false where there is
/// none.
inline bool readThroughKernel(const void *From, void *To, size_t Size) {
  iovec Local = {To, Size}, Remote = {const_cast<void *>(From), Size};
  return process_vm_readv(getpid(), &Local, 1, &Remote, 1, 0) ==
         static_cast<ssize_t>(Size);
}

/// Copies of blocks of memory, each read once through the kernel, until
/// forget(). A stack consists of small objects that lie close together, and a
/// system call takes microseconds. For one thread.
class MemoryBlocks {
  static constexpr size_t Size = 1024, Count = 64; ///< A block is in one page.
  struct Block {
    uintptr_t Address = 0; ///< 0: empty.
    char Bytes[Size];
  };
  Block Blocks[Count];

  const Block *find(uintptr_t Address) {
    Block &B = Blocks[Address / Size % Count];
    if (B.Address == Address)
      return &B;
    B.Address = 0;
    if (!readThroughKernel(reinterpret_cast<const void *>(Address), B.Bytes,
                           Size))
      return nullptr;
    B.Address = Address;
    return &B;
  }

public:
  void forget() {
    for (Block &B : Blocks)
      B.Address = 0;
  }
  bool read(const void *From, void *To, size_t Left) {
    auto Address = reinterpret_cast<uintptr_t>(From);
    for (char *Out = static_cast<char *>(To); Left > 0;) {
      const size_t Offset = Address % Size;
      const size_t Part = Left < Size - Offset ? Left : Size - Offset;
      const Block *B = find(Address - Offset);
      if (!B)
        return false;
      memcpy(Out, B->Bytes + Offset, Part);
      Out += Part;
      Address += Part;
      Left -= Part;
    }
    return true;
  }
};

/// Reads memory; returns false where there is none.
class CarefulMemory {
  static constexpr int CarefulStacks = 64;
  static inline std::atomic<int> StacksRead{0};
  MemoryBlocks *const Blocks; ///< Or null.
  const bool Careful;

public:
  CarefulMemory()
      : Blocks(nullptr),
        Careful(StacksRead.load(std::memory_order_relaxed) < CarefulStacks) {}
  /// For what may change or be freed meanwhile.
  explicit CarefulMemory(MemoryBlocks &Blocks)
      : Blocks(&Blocks), Careful(true) {}

  /// Whether each read() is a system call.
  bool isCareful() const { return Careful; }

  bool read(const void *From, void *To, size_t Size) const {
    if (!From)
      return false;
    if (!Careful) {
      memcpy(To, From, Size);
      return true;
    }
    return Blocks ? Blocks->read(From, To, Size)
                  : readThroughKernel(From, To, Size);
  }

  template <typename T>
  bool read(const void *Object, size_t Offset, T &To) const {
    return Object && read(static_cast<const char *>(Object) + Offset,
                          static_cast<void *>(&To), sizeof To);
  }

  bool isOf(const void *Object, const void *Type) const {
    const void *ItsType = nullptr;
    return read(Object, python_offset::Type, ItsType) && ItsType == Type;
  }

  static void countStack() {
    StacksRead.fetch_add(1, std::memory_order_relaxed);
  }
};

} // namespace autoprof::runtime
