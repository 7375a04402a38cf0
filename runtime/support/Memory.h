// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one budget (AUTOPROF_MAX_MEMORY) for all buffers that grow with the
// program's activity. Blocks come from mmap and not from malloc: a probe may
// run inside the program's own allocator or in a signal handler.
#ifndef AUTOPROF_RUNTIME_SUPPORT_MEMORY_H
#define AUTOPROF_RUNTIME_SUPPORT_MEMORY_H

#include <cstddef>
#include <cstdint>

namespace autoprof::runtime {

/// Bytes that allocateBlock may hand out in all.
void setMemoryLimit(uint64_t Bytes);

/// `Size` zeroed bytes, page aligned, never given back to the system; null
/// when the budget or the system refuses. `Touch`: have the pages backed now.
/// Thread-safe and async-signal-safe.
void *allocateBlock(size_t Size, bool Touch);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_SUPPORT_MEMORY_H
