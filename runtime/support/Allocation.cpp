// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's own operator new, because the one of the C++ library throws,
// and nothing here could catch that: the program would be aborted. If malloc
// fails, a reserve lasts until the flush thread has stopped the recording. It
// is never touched otherwise, so it takes no memory.
#include "runtime/support/Memory.h"
#include "runtime/support/Thread.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <unistd.h>

using namespace autoprof::runtime;

static constexpr size_t ReserveSize = 16u << 20;
alignas(std::max_align_t) static char Reserve[ReserveSize];
static std::atomic<size_t> ReserveUsed{0};

static void *takeReserve(size_t Size) {
  IsOutOfMemory.store(true);
  constexpr size_t Unit = alignof(std::max_align_t);
  if (Size > ReserveSize)
    return nullptr;
  const size_t Padded = (Size + Unit - 1) / Unit * Unit;
  const size_t At = ReserveUsed.fetch_add(Padded);
  return At + Padded <= ReserveSize ? Reserve + At : nullptr;
}

void *operator new(size_t Size) {
  void *Memory = malloc(Size ? Size : 1);
  if (!Memory)
    Memory = takeReserve(Size);
  // Without this thread the trace ends early; at exit, that is reported.
  while (!Memory && IsRecorderThread)
    pause();
  if (!Memory)
    abort();
  return Memory;
}

void operator delete(void *Memory) noexcept {
  const auto At = reinterpret_cast<uintptr_t>(Memory);
  const auto Begin = reinterpret_cast<uintptr_t>(Reserve);
  if (At < Begin || At >= Begin + ReserveSize)
    free(Memory);
}
