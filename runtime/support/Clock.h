// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All times in a trace are CLOCK_MONOTONIC in nanoseconds: it never steps
// (CUPTI's default, CLOCK_REALTIME, does), and reading it needs no system call.
#pragma once

#include <cstdint>
#include <ctime>

namespace autoprof::runtime {

/// `Clock` in nanoseconds. Thread-safe and async-signal-safe.
inline uint64_t readClock(clockid_t Clock) {
  timespec T;
  clock_gettime(Clock, &T);
  return static_cast<uint64_t>(T.tv_sec) * 1000000000u +
         static_cast<uint64_t>(T.tv_nsec);
}

/// CLOCK_MONOTONIC in nanoseconds. Thread-safe and async-signal-safe.
inline uint64_t now() { return readClock(CLOCK_MONOTONIC); }

} // namespace autoprof::runtime
