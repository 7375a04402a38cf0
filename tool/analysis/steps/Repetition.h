// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a program that nobody annotated. Between two runs of something
// that happens once per step (the anchor) is one step. The steps of a loop
// launch the same things, with few exceptions (an evaluation, a log). So every
// word of a thread's sequence is tried as an anchor, and the most consistent is
// taken:
//
// - An anchor is regular if most of the parts that it cuts the sequence into
//   are typical: as long as their median, and made of the same words.
// - Finer and coarser anchors may both be regular: a layer's in a step, a
//   step's in an epoch. The finest is taken that covers most of the sequence:
//   the layers of a forward pass do not cover the backward pass. Only where
//   the coarser one has kinds of kernels that the finer one lacks, a fifth of
//   as many or more, is it the step: a decoder's layers and its head, but not
//   an epoch's steps and its evaluation, nor ten steps and their log.
// - The cut is after the thread's longest pause, as a loop's body
//   begins where the host turns to the next batch.
//
// If no anchor is regular, nothing repeats.
#ifndef AUTOPROF_ANALYSIS_STEPS_REPETITION_H
#define AUTOPROF_ANALYSIS_STEPS_REPETITION_H

#include "analysis/common/Names.h"
#include "trace/timeline/Timeline.h"

#include <optional>
#include <string>
#include <vector>

namespace autoprof::analysis {

enum class Confidence : uint8_t { Low, Medium, High };

inline llvm::StringRef name(Confidence C) {
  return nth(C, {"low", "medium", "high"});
}

struct Repetition {
  uint32_t Thread;        ///< Into Timeline::Threads.
  uint64_t Anchor;        ///< Id: the same in every recording.
  std::string AnchorName; ///< What it is cut at: a kernel, "copy HtoD".
  uint32_t Call;          ///< Into HostEvents: an anchor's, of a typical step.
  Confidence Sure;
  /// Where steps begin, and where the last one ends; ns, host. At least three
  /// steps.
  std::vector<int64_t> Cuts;
};

/// In time linear in the events, times a small number of anchors. `Anchor`:
/// cut at this one, however regular it is (for recordings that are compared);
/// 0: at the best. nullopt: nothing repeats, or not often enough.
std::optional<Repetition> findRepetition(const trace::Timeline &T,
                                         uint64_t Anchor = 0);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_STEPS_REPETITION_H
