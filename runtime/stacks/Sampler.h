// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the threads of a Python program that use CUDA are between their calls:
// a thread of the recorder looks at each of them about every millisecond. It
// notes the CPU time that the thread has used, whether it is running or in
// which kind of system call it sleeps, and its Python frames.
//
// The program's threads are not interrupted: no signal is sent, because a
// signal ends sleeps and reads of programs that do not expect one. So frames
// are read from outside while the thread runs (PythonStack.h), and threads
// without Python frames are not sampled.
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
  Other
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

/// To be called on a thread of the program that uses CUDA; cheap after the
/// first time. A thread counts once it runs Python code. Thread-safe; keeps
/// errno.
void sampleThisThread();

/// Goes on, or pauses. Thread-safe, and may be called in the child of a fork.
void setSampling(bool IsOn);

/// Returns the samples since the last call. Thread-safe.
std::vector<ThreadSample> takeSamples();

} // namespace autoprof::runtime
