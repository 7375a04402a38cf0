// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long copies between host and GPU take on the machine of a recording, by
// direction, memory, and size; and how long one of pageable memory would take
// with pinned memory (docs/model.md, "Transfers").
#pragma once

#include "analysis/common/Names.h"
#include "catalogue/Semantics.h"
#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

/// Where a constant of the machine comes from.
enum class ConstantSource : uint8_t { Recording, Calibration, BuiltIn };

inline llvm::StringRef name(ConstantSource S) {
  return nth(S, {"recording", "calibration", "built_in"});
}

/// A copy between host and device that a call of its own makes.
bool isTransfer(const trace::Stage &S);
/// The host's side of it.
trace::MemoryKind hostMemory(const trace::Stage &S);

/// Copies of pageable and pinned memory that calls of their own made, by size;
/// sizes that occur less than three times are left out.
std::vector<catalogue::CopyTime> measureCopies(const trace::Timeline &T);

/// Copies of pinned memory.
class PinnedCopies {
public:
  /// `Measured`: of the recording's machine, or null.
  PinnedCopies(const trace::Timeline &T, const catalogue::Semantics *Measured);

  struct Estimate {
    int64_t Short = 0, Long = 0; ///< ns on the GPU; Short < Long.
    ConstantSource From = ConstantSource::BuiltIn;
  };
  Estimate of(trace::Direction Dir, uint64_t Bytes) const;

private:
  /// By direction: to the device, to the host.
  std::vector<catalogue::CopyTime> Recorded[2], Calibrated[2];
  bool IsPciExpress5 = false; ///< By the GPU's generation.
};

} // namespace autoprof::analysis
