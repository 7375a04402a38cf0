// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef MLP_TRAIN_STEP_TIMER_H
#define MLP_TRAIN_STEP_TIMER_H

#include "cuda_check.h"

#include <chrono>
#include <vector>

/// Times the training loop twice: on the host's clock and by events on the
/// stream. If the CPU runs ahead, the two differ from step to step, and only
/// their totals agree.
class StepTimer {
public:
  StepTimer(int steps, cudaStream_t stream);
  StepTimer(const StepTimer &) = delete;
  StepTimer &operator=(const StepTimer &) = delete;
  ~StepTimer();

  /// Waits for the GPU, so that earlier work does not count.
  void start();
  void step_queued() { mark(); }
  /// Waits for the GPU and writes the summary to stderr.
  void report();

private:
  using Clock = std::chrono::steady_clock;

  void mark();

  cudaStream_t stream_;
  std::vector<cudaEvent_t> events_;
  std::vector<Clock::time_point> times_;
};

/// Keeps the CPU busy for this many microseconds.
void spin(int microseconds);

#endif // MLP_TRAIN_STEP_TIMER_H
