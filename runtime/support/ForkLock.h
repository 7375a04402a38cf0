// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutexes that a fork must not inherit locked. Before a fork the forking thread
// takes each of them, so that no other thread is changing what they guard. But
// the holder may be inside of CUPTI, which may hang, and the program's fork
// must not: where a mutex cannot be had in time, the child finds it lost, and
// leaves what it guards alone, which may be in pieces.
#ifndef AUTOPROF_RUNTIME_SUPPORT_FORKLOCK_H
#define AUTOPROF_RUNTIME_SUPPORT_FORKLOCK_H

#include "runtime/support/TimedMutex.h"

#include <atomic>
#include <chrono>
#include <mutex>

namespace autoprof::runtime {

/// Needs no constructor and no destructor at run time.
class ForkMutex {
public:
  /// Around fork, on the forking thread. False: another thread kept the mutex
  /// until `Deadline`. Allocates nothing.
  bool pause(std::chrono::steady_clock::time_point Deadline) {
    return M.try_lock_for(Deadline - std::chrono::steady_clock::now());
  }
  /// Afterwards in both processes, if pause() was true.
  void resume() { M.unlock(); }
  /// In the child, if it was false: no ForkLock gets it any more.
  void lose() { Lost.store(true); }

private:
  friend class ForkLock;
  TimedMutex M;
  std::atomic<bool> Lost{false};
};

/// Holds a mutex for a scope. False: this is a child that has lost it.
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

#endif // AUTOPROF_RUNTIME_SUPPORT_FORKLOCK_H
