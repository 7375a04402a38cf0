// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The single budget (AUTOPROF_MAX_MEMORY) for all buffers that grow with the
// program's activity. Blocks come from mmap instead of malloc, because a probe
// may run inside the program's own allocator or in a signal handler.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace autoprof::runtime {

/// The system has refused memory for small things (Allocation.cpp): the
/// recording is to stop.
inline std::atomic<bool> IsOutOfMemory{false};

/// Sets the total number of bytes that allocateBlock may hand out.
void setMemoryLimit(uint64_t Bytes);

/// Returns `Size` zeroed bytes, page-aligned, which are never returned to the
/// system; null if they exceed the budget or the system refuses. `Touch`: have
/// the pages backed by memory immediately. Thread-safe and async-signal-safe.
void *allocateBlock(size_t Size, bool Touch);

} // namespace autoprof::runtime
