// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the interpreter's structures. The first stacks are read through the
// kernel (process_vm_readv), which fails on a bad address where a load would
// crash; after a number of stacks the layout is trusted.
#ifndef AUTOPROF_RUNTIME_STACKS_CAREFULMEMORY_H
#define AUTOPROF_RUNTIME_STACKS_CAREFULMEMORY_H

#include "runtime/stacks/PythonLayout.h"

#include <atomic>
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>

namespace autoprof::runtime {

/// Reads memory; returns false where there is none.
class CarefulMemory {
  static constexpr int CarefulStacks = 64;
  static inline std::atomic<int> StacksRead{0};
  const bool Careful;

public:
  /// `Always`: for what may change or be freed meanwhile.
  explicit CarefulMemory(bool Always = false)
      : Careful(Always ||
                StacksRead.load(std::memory_order_relaxed) < CarefulStacks) {}

  /// Whether each read() is a system call.
  bool isCareful() const { return Careful; }

  bool read(const void *From, void *To, size_t Size) const {
    if (!From)
      return false;
    if (!Careful) {
      memcpy(To, From, Size);
      return true;
    }
    iovec Local = {To, Size}, Remote = {const_cast<void *>(From), Size};
    return process_vm_readv(getpid(), &Local, 1, &Remote, 1, 0) ==
           static_cast<ssize_t>(Size);
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

#endif // AUTOPROF_RUNTIME_STACKS_CAREFULMEMORY_H
