// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutexes that a child must not inherit locked. Before a fork the forking
// thread takes each of them, so that no other thread is changing what they
// guard. But the holder may be inside CUPTI, which may hang, and the program's
// fork must not hang with it: a mutex that cannot be taken in time is marked as
// lost in the child, which then does not touch what it guards, because that may
// be inconsistent.
#pragma once

#include "runtime/support/TimedMutex.h"

#include <atomic>
#include <chrono>
#include <mutex>

namespace autoprof::runtime {

/// Needs no constructor and no destructor at run time.
class ForkMutex {
public:
  /// To be called before a fork, on the forking thread. Returns false if
  /// another thread kept the mutex until `Deadline`. Allocates nothing.
  bool pause(std::chrono::steady_clock::time_point Deadline) {
    return M.try_lock_for(Deadline - std::chrono::steady_clock::now());
  }
  /// To be called after the fork in both processes, if pause() returned true.
  void resume() { M.unlock(); }
  /// To be called in the child, if pause() returned false: no ForkLock gets the
  /// mutex any more.
  void lose() { Lost.store(true); }

private:
  friend class ForkLock;
  TimedMutex M;
  std::atomic<bool> Lost{false};
};

/// Holds a mutex for a scope. Converts to false if this is a child that has
/// lost it.
class ForkLock {
public:
  explicit ForkLock(ForkMutex &Mutex) {
    if (!Mutex.Lost.load())
      Lock = std::unique_lock<TimedMutex>(Mutex.M);
  }
  ForkLock(ForkMutex &Mutex, std::chrono::seconds Patience) {
    if (!Mutex.Lost.load())
      Lock = std::unique_lock<TimedMutex>(Mutex.M, Patience);
  }
  explicit operator bool() const { return Lock.owns_lock(); }

private:
  std::unique_lock<TimedMutex> Lock;
};

} // namespace autoprof::runtime
