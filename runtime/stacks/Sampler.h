// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the threads that use CUDA are between their calls. At those that run
// Python code a thread of the recorder looks about every millisecond: their CPU
// time, whether they run or in which kind of system call they sleep, and their
// Python frames, read from outside while they go on (PythonStack.h). In
// programs without Python, timers sample the threads (CpuTimer.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace autoprof::runtime {

/// What a thread does. The numbers are in traces (docs/trace-format.md).
enum class ThreadState : uint8_t {
  Running, ///< Or ready to run.
  Lock,    ///< A lock, a condition, a queue, or a future.
  Sleep,
  Io,    ///< Reading, writing, or waiting for a descriptor.
  Child, ///< Waiting for a process.
  Other,
  OnTimer ///< Running, as a timer of its CPU time saw: no sample says what it
          ///< did in the rest of the time.
};

struct ThreadSample {
  uint64_t Time; ///< CLOCK_MONOTONIC ns.
  uint32_t Tid;
  ThreadState State;
  uint64_t Cpu;     ///< CPU time of the thread since its start, ns.
  uint64_t Delayed; ///< Time that it was ready and did not run, ns; or Unknown.
  std::string Frames; ///< In the format of docs/trace-format.md.

  static constexpr uint64_t Unknown = ~uint64_t(0);
};

/// Starts the sampling thread, once; it waits for setSampling(). If there can
/// be no thread, nothing is sampled.
void startSampler();

/// To be called on a thread of the program at each call of CUDA; cheap after
/// the first times. A thread counts once it runs Python code, or, in programs
/// without Python, has made some calls. Thread-safe; keeps errno.
void sampleThisThread();

/// Goes on, or pauses. Thread-safe, and may be called in the child of a fork.
void setSampling(bool IsOn);

/// Returns the samples since the last call. Thread-safe.
std::vector<ThreadSample> takeSamples();

} // namespace autoprof::runtime
