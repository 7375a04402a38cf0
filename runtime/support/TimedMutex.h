// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mutex with a timeout. Not std::timed_mutex: that needs
// pthread_mutex_clocklock, which glibc has only since 2.30, and libstdc++ 14
// does not compile it under ThreadSanitizer.
#pragma once

#include <chrono>
#include <ctime>
#include <pthread.h>

namespace autoprof::runtime {

/// The function names are those that std::unique_lock needs.
class TimedMutex {
  pthread_mutex_t M = PTHREAD_MUTEX_INITIALIZER;

public:
  TimedMutex() = default;
  TimedMutex(const TimedMutex &) = delete;
  TimedMutex &operator=(const TimedMutex &) = delete;

  void lock() { pthread_mutex_lock(&M); }
  void unlock() { pthread_mutex_unlock(&M); }
  // NOLINTNEXTLINE(readability-identifier-naming)
  bool try_lock() { return pthread_mutex_trylock(&M) == 0; }
  /// Uses the wall clock, the only one that older C libraries support here: if
  /// that clock is set meanwhile, the timeout may come early or late.
  // NOLINTNEXTLINE(readability-identifier-naming)
  bool try_lock_for(std::chrono::nanoseconds Patience) {
    if (Patience.count() <= 0)
      return try_lock();
    timespec Until;
    clock_gettime(CLOCK_REALTIME, &Until);
    constexpr long Second = 1'000'000'000;
    const auto Ns = Until.tv_nsec + long(Patience.count() % Second);
    Until.tv_sec += time_t(Patience.count() / Second) + Ns / Second;
    Until.tv_nsec = Ns % Second;
    return pthread_mutex_timedlock(&M, &Until) == 0;
  }
};

} // namespace autoprof::runtime
