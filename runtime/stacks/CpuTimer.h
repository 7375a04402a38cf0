// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samples of threads without Python code. Only a signal can tell where such a
// thread is, and signals end sleeps and reads. But a timer of the thread's own
// CPU time expires only while it runs, and Linux sends its signal on the way
// back to user code (CONFIG_POSIX_CPU_TIMERS_TASK_WORK: Linux 5.10 on x86-64;
// elsewhere there are no timers). What the thread does in its sleep is not
// seen.
//
// The signal is SIGURG, which programs ignore that do not use it, so one that
// is pending when the program executes another does no harm there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace autoprof::runtime {

/// A thread was running, as a timer of its CPU time saw.
struct TimerSample {
  static constexpr size_t Most = 48;
  uint64_t Time; ///< CLOCK_MONOTONIC ns.
  uint64_t Cpu;  ///< CPU time of the thread since its start, ns.
  uint32_t Tid;
  uint32_t Count;
  uintptr_t Addresses[Most]; ///< Inside of instructions, innermost first.
};

/// Makes a timer for the calling thread, if it can have one. Not for signal
/// handlers.
void startCpuTimer();

/// Lets all timers run, or stops them. Thread-safe; does nothing in the child
/// of a fork, which has no timers.
void runCpuTimers(bool Run);

/// Stops all timers for good if the program has meanwhile set a handler for the
/// signal, which gets ours until then. Thread-safe.
void checkCpuTimers();

/// Takes the oldest sample that is left; false: none. For one thread.
bool takeTimerSample(TimerSample &S);

} // namespace autoprof::runtime
