// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times steps before anything is recorded. Only then does CUPTI cost them
// nothing: once it has recorded, each launch stays slower (docs/performance.md,
// "What CUPTI costs once it is switched off").
//
// A CPU that runs ahead ends its steps before the GPU does, and at the
// beginning, with empty queues, it runs further ahead than later. So steps are
// timed in batches of a few, and the GPU is waited for at the beginning and at
// the end of each batch: the time in between is what these steps took, whether
// the CPU or the GPU limits them. With enough steps the waits add little, and
// with several batches one that is slow by accident stands out.
#pragma once

#include "runtime/protocol/WindowPlan.h"

#include <cstdint>
#include <vector>

namespace autoprof::runtime {

/// The result: batches of successive steps.
struct TimedSteps {
  struct Batch {
    uint64_t Steps, Ns;
  };
  uint64_t First = 0; ///< Number of the first one, counted from 0.
  std::vector<Batch> Batches;
};

/// Not thread-safe.
class UnrecordedSteps {
public:
  /// In its first steps a program loads modules and allocates. Of a step of 33
  /// launches, the first 30 are up to 5 % slower than later ones (on an H100,
  /// recorded or not), so steps of the first 10 ms are not timed either.
  static constexpr uint64_t WarmUp = 3, MostWarmUp = 30;
  static constexpr uint64_t WarmUpNs = 10'000'000;
  static constexpr uint64_t StepsInBatch = 5;
  /// Timing stops once this much time has passed.
  static constexpr uint64_t MostNs = 500'000'000;

  /// `Plan` must be a plan of steps.
  explicit UnrecordedSteps(const WindowPlan &Plan);
  /// Times nothing.
  UnrecordedSteps() = default;

  /// To be called first at the beginning of every step. Returns whether begin()
  /// must be called: the step is to be timed, or follows the last timed one.
  bool wants(uint64_t Number, uint64_t Now);

  /// To be called at the beginning of a wanted step, with the `Time` at which
  /// the GPU had been waited for; 0: it could not be waited for.
  void begin(uint64_t Number, uint64_t Time);

  /// Whether the GPU must be waited for at the beginning of this wanted step.
  bool endsBatch(uint64_t Number, uint64_t Now) const;

  /// Nothing more will be timed.
  bool isDone() const { return Done; }
  const TimedSteps &timed() const { return Result; }

private:
  bool isOver(uint64_t Number, uint64_t Now) const;

  bool Done = true;
  uint64_t From = 0, To = 0; ///< Steps From to To - 1 are timed.
  /// Number of steps to time, where To depends on the warm-up.
  uint64_t Most = 0;
  uint64_t FirstStart = 0;         ///< When the program's first step began.
  uint64_t BatchStep = UINT64_MAX; ///< The first step of the current batch.
  uint64_t Start = 0, BatchStart = 0;
  TimedSteps Result;
};

} // namespace autoprof::runtime
