// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a program: iterations of its outermost hot loop, found among
// the recorded ranges, or a range the user names; else what repeats.
#pragma once

#include "analysis/common/Names.h"
#include "config/ErrorKind.h"
#include "trace/timeline/Timeline.h"

#include "llvm/Support/Error.h"

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

struct Step {
  int64_t Start, End; ///< ns, host: the range itself.
  /// ns: what the step took. From the end of the GPU work launched by the
  /// step before to the end of its own, because a CPU that runs ahead finishes
  /// its iterations early; the host's time where no GPU work is known.
  int64_t Time;
  int64_t Lead = 0; ///< ns of GPU work queued when the step ended.
  /// False: the GPU may have worked for the step before, which was not
  /// recorded, so Time may be too long.
  bool TimeKnown = true;
};

/// How the steps were found.
enum class StepsFrom : uint8_t {
  Nothing,   ///< There are none.
  Range,     ///< Runs of a range: surely steps of something.
  Repetition ///< The same work again and again.
};

inline llvm::StringRef name(StepsFrom F) {
  return nth(F, {"", "range", "repetition"});
}

/// A loop inside the steps that holds most of their work.
struct InnerSteps {
  std::string Source, Name; ///< As in Steps.
  size_t Runs = 0;
  double GpuShare = 0; ///< Of the GPU time that the steps launched.
};

struct Steps {
  std::string Source; ///< "loop at train.cu:310 in main", "repetition of 228
                      ///< operations, cut at train.py:52"; "" if none found.
  std::string Name;   ///< As --step takes it: "loop:train.cu:310"; "": none is.
  StepsFrom From = StepsFrom::Nothing;
  Confidence Sure = Confidence::High;
  uint32_t Thread = trace::None; ///< Into Timeline::Threads.
  uint64_t Site = 0;      ///< Id of the range or Repetition::Anchor; 0: none.
  std::vector<Step> List; ///< In order. All of one thread.
  size_t WarmUp = 0;      ///< So many steps at the start are not counted.
  size_t Empty = 0;       ///< Runs without GPU work, not in the list.
  bool FromGpu = false;   ///< Whether Time is the GPU's.
  /// The operation (into GpuOps) that ends each step; empty if Time is the
  /// host's.
  std::vector<uint32_t> LastOps;

  /// Of the program's other phases (findPhases), in their order.
  std::vector<Steps> Others;
  std::optional<InnerSteps> Inner;

  /// If there are none in this part of a recording: the Source of the whole
  /// recording's steps. "": it has none either, or was not searched.
  std::string SourceOfWhole;

  /// Steps that count.
  size_t measured() const { return List.size() - WarmUp; }
  /// The operations that end the warm-up and the last step; None: no warm-up,
  /// or Time is the host's.
  uint32_t fromOp() const {
    return WarmUp && !LastOps.empty() ? LastOps[WarmUp - 1] : trace::None;
  }
  uint32_t toOp() const {
    return LastOps.empty() ? trace::None : LastOps.back();
  }

  /// Times of the steps after the warm-up, where they are known.
  std::vector<int64_t> times() const;
  std::vector<int64_t> leads() const;
};

/// The recording has no steps of the name that the user gave.
using NoSuchStep = ErrorOf<Steps>;

/// With a `Name`: "function:NAME", "loop:FILE:LINE", "range:NAME" (the user's
/// own NVTX ranges), or only the part after the colon. NoSuchStep if there is
/// none, which lists the available names. Without: the first phase
/// (findPhases); else what repeats (findRepetition); else no steps.
llvm::Expected<Steps> findSteps(const trace::Timeline &T, llvm::StringRef Name);

/// The steps of the whole recording (findSteps with `Name`, or without where it
/// has none of that name) that lie in a part of it. A part with few of their
/// ranges would be cut at what repeats inside a step. `Found`, which is of the
/// part alone, if the whole recording has none.
Steps findStepsOfPart(const trace::Timeline &Part, const trace::Timeline &Whole,
                      llvm::StringRef Name, Steps Found);

/// The runs of the range with this site id, or the parts between runs of the
/// anchor with this id; no steps if there are none.
Steps findStepsOfSite(const trace::Timeline &T, uint64_t Site);

} // namespace autoprof::analysis
