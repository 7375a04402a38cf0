// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may be the steps of a program: the iterations of one loop, the runs of
// one function, or the user's ranges of one name, on one thread.
//
// Users number their ranges: "epoch 1", "epoch 2". Ranges whose names differ in
// their last number only are runs of one thing ("epoch #") if that number rises
// from each to the next; "layer 1", "layer 2" in every step do not.
#ifndef AUTOPROF_ANALYSIS_STEPS_STEPCANDIDATES_H
#define AUTOPROF_ANALYSIS_STEPS_STEPCANDIDATES_H

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

struct StepCandidate {
  uint32_t Site = trace::None; ///< Of the first, if they are numbered.
  uint32_t Thread = trace::None;
  uint64_t Id = 0;      ///< The site's, or one for the numbered name.
  std::string Name;     ///< A function's, or a range's; "": a loop.
  unsigned Depth = ~0u; ///< Ranges around it, where it is outermost.
  int64_t GpuTime = 0;  ///< ns launched inside, unions not taken.
  std::vector<uint32_t> Ranges;
};

/// In the order of their sites and threads. Numbered ranges are one thing from
/// `MinNumbered` of them on one thread on: a few may have numbers by chance.
std::vector<StepCandidate> findStepCandidates(const trace::Timeline &T,
                                              size_t MinNumbered = 3);

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
