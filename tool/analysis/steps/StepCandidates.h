// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may be the steps of a program: the iterations of one loop, the runs of
// one function, or the user's ranges of one name, on one thread.
#ifndef AUTOPROF_ANALYSIS_STEPS_STEPCANDIDATES_H
#define AUTOPROF_ANALYSIS_STEPS_STEPCANDIDATES_H

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

struct StepCandidate {
  uint32_t Site = trace::None;
  uint32_t Thread = trace::None;
  std::string Name;     ///< A function's, or a range's; "": a loop.
  unsigned Depth = ~0u; ///< Ranges around it, where it is outermost.
  int64_t GpuTime = 0;  ///< ns launched inside, unions not taken.
  int64_t HostTime = 0; ///< ns, of all runs.
  std::vector<uint32_t> Ranges;
};

/// Those with at least so many runs, in the order of their sites and threads.
std::vector<StepCandidate> findStepCandidates(const trace::Timeline &T,
                                              size_t MinRuns = 1);

/// Which threads launch work for the ranges of others: those without ranges of
/// the program's code (they work for it, like an autograd engine's), for what
/// they do not run themselves. In a range on a lane, every thread works.
class Helpers {
  const trace::Timeline &T;
  std::vector<bool> HasOwn; ///< By thread.

public:
  explicit Helpers(const trace::Timeline &T);

  /// Does a launch by `Thread` belong to a range that is open on another
  /// thread? `Runs`: `Thread` runs the same thing itself.
  bool workFor(uint32_t Thread, uint32_t RangeThread, bool Runs) const;
};

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_STEPS_STEPCANDIDATES_H
