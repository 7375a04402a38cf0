// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times steps that run before anything is recorded. That is the one time at
// which CUPTI costs them nothing: once it has recorded, each launch stays
// slower (docs/performance.md, "What CUPTI costs once it is switched off").
//
// A CPU that runs ahead ends its steps before the GPU does, and at the
// beginning, with empty queues, it runs further ahead than later. So the GPU is
// waited for at the begin and at the end of what is timed, a few steps at a
// time: the time in between is what these steps took, whoever limits them. What
// the waits add is little if the steps are many; that one group is slow by
// accident shows if there are several.
#ifndef AUTOPROF_RUNTIME_CONTROL_UNRECORDEDSTEPS_H
#define AUTOPROF_RUNTIME_CONTROL_UNRECORDEDSTEPS_H

#include "runtime/protocol/WindowPlan.h"

#include <cstdint>
#include <vector>

namespace autoprof::runtime {

/// What was timed: groups of successive steps.
struct TimedSteps {
  struct Batch {
    uint64_t Steps, Ns;
  };
  uint64_t First = 0; ///< The first one's number, counted from 0.
  std::vector<Batch> Batches;
};

/// Not thread-safe.
class UnrecordedSteps {
public:
  /// Steps of a program load modules and allocate at first. And of a step of
  /// 33 launches the first 30 are up to 5 % slower than later ones (on an H100,
  /// recorded or not), so those of the first 10 ms are not timed.
  static constexpr uint64_t WarmUp = 3, MostWarmUp = 30;
  static constexpr uint64_t WarmUpNs = 10'000'000;
  static constexpr uint64_t StepsInBatch = 5;
  /// No more steps are timed once this much time has passed.
  static constexpr uint64_t MostNs = 500'000'000;

  /// Of `Plan`, which is one of steps.
  explicit UnrecordedSteps(const WindowPlan &Plan);
  /// Times nothing.
  UnrecordedSteps() = default;

  /// Every step begins with this. Whether it is to be timed, or is the one
  /// after those that were.
  bool wants(uint64_t Number, uint64_t Now);

  /// At the begin of a step that is wanted, `Time` after the GPU was waited
  /// for; 0: that was not possible.
  void begin(uint64_t Number, uint64_t Time);

  /// Whether the GPU must be waited for at the begin of this wanted step.
  bool endsBatch(uint64_t Number, uint64_t Now) const;

  /// Nothing more will be timed.
  bool isDone() const { return Done; }
  const TimedSteps &timed() const { return Result; }

private:
  bool isOver(uint64_t Number, uint64_t Now) const;

  bool Done = true;
  uint64_t From = 0, To = 0; ///< Steps From to To - 1 are timed.
  uint64_t Most = 0;         ///< So many, where To depends on the warm-up.
  uint64_t FirstStart = 0;   ///< When the program's first step began.
  uint64_t BatchStep = UINT64_MAX; ///< The first of the batch that is timed.
  uint64_t Start = 0, BatchStart = 0;
  TimedSteps Result;
};

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CONTROL_UNRECORDEDSTEPS_H
