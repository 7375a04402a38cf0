// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffers that CUPTI fills with activity records.
#pragma once

#include <cstddef>
#include <cstdint>

namespace autoprof::runtime {

/// CUPTI keeps one buffer for each thread of the program and returns it
/// part-filled at every flush, so buffers are smaller than the 4 MiB that tools
/// with one buffer use: 256 threads fit the default budget.
constexpr size_t ActivityBufferSize = 1u << 20;

struct ActivityBuffer {
  uint8_t *Data = nullptr;
  size_t Valid = 0; ///< Bytes that hold records.
};

/// A zeroed buffer, or null when the memory budget is spent (counted as lost).
/// Called by CUPTI on the program's threads. Thread-safe.
uint8_t *requestBuffer();

/// Takes a filled buffer back. Called by CUPTI on any thread. Thread-safe.
void completeBuffer(uint8_t *Data, size_t Valid);

/// Takes the oldest filled buffer; returns false if there is none. Thread-safe.
bool takeCompleted(ActivityBuffer &Buffer);

/// Zeroes a buffer, on the flush thread instead of the program's, and keeps it
/// for the next request. Thread-safe.
void recycle(const ActivityBuffer &Buffer);

/// Prepares a few buffers in advance, so that a request costs the program no
/// page faults. Thread-safe.
void refillBuffers();

/// From now on filled buffers are dropped: nobody will read them.
void discardBuffers();

} // namespace autoprof::runtime
