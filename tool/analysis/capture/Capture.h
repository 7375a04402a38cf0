// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a step would take if its launches were captured as a CUDA graph and
// replayed, and what prevents that.
//
// Replaying a graph costs the CPU one launch, and the GPU next to no pause
// between its nodes. So a captured step takes as long as the GPU is busy in it,
// and at least as long as the host needs between the last launch of a step and
// the first one of the next (preparing a batch, for example). If the host waits
// for the GPU in each step, the two add up.
//
// Checked on an H200 (docs/predictions.md, "Capture").
#ifndef AUTOPROF_ANALYSIS_CAPTURE_CAPTURE_H
#define AUTOPROF_ANALYSIS_CAPTURE_CAPTURE_H

#include "analysis/steps/Steps.h"
#include "analysis/waits/Attribution.h"

#include <optional>

namespace autoprof::analysis {

/// Why a call cannot be captured, or what it launches cannot be replayed.
enum class Obstacle : uint8_t {
  Synchronizes, ///< It waits for the GPU, which is an error in a capture.
  Pageable,     ///< It copies from or to pageable memory.
  Allocates,    ///< It allocates or frees memory, not in stream order.
  LegacyStream, ///< It launches into the legacy default stream.
  OtherThread   ///< It launches from another thread than most do.
};

/// "synchronizes", "pageable_copy", "allocates", "legacy_stream",
/// "other_thread".
llvm::StringRef name(Obstacle O);

struct CaptureBlocker {
  Obstacle Why;
  uint32_t Site = trace::None; ///< Into Timeline::Sites.
  uint32_t Call = trace::None; ///< Into Timeline::Strings: the call's name.
  uint64_t Count = 0;          ///< Calls, in the steps that count.
};

struct StepRange {
  int64_t Low = 0, High = 0; ///< ns, the median step.
};

struct Capture {
  StepRange Whole; ///< All launches of a step captured as one graph.
  /// The longest run of launches between two blockers captured; nullopt where
  /// nothing divides the step.
  std::optional<StepRange> Part;
  size_t PartOps = 0, Ops = 0; ///< Operations of that run, and of its step.
  /// Share of the steps that launch the same as most do: kernels with their
  /// shapes, and copies with their sizes, except copies to the host. A graph
  /// can replace only these.
  double Same = 0;
  bool IsPyTorch = false; ///< Which captures in a stream of its own.
  std::vector<CaptureBlocker> Blockers; ///< By count, descending.

  /// Whether nothing prevents capturing nearly every step as it is.
  bool isPossible() const { return Blockers.empty() && Same >= 0.9; }
};

/// nullopt without steps on the GPU's clock, or if most of their work was
/// already launched as a graph.
std::optional<Capture> findCapture(const trace::Timeline &T,
                                   const Attribution &A, const Steps &S);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_CAPTURE_CAPTURE_H
