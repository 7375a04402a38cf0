// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and sets, by what they move between.
#ifndef AUTOPROF_ANALYSIS_PROFILE_MEMORY_H
#define AUTOPROF_ANALYSIS_PROFILE_MEMORY_H

#include "trace/timeline/Timeline.h"

namespace autoprof::analysis {

/// Copies of one direction and pair of memory kinds, or sets of one kind.
struct MemoryRow {
  trace::OpKind Kind = trace::OpKind::Copy;
  trace::Direction Dir = trace::Direction::Unknown;
  trace::MemoryKind Source = trace::MemoryKind::Unknown;
  trace::MemoryKind Destination = trace::MemoryKind::Unknown;
  uint64_t Count = 0, Bytes = 0, LargestBytes = 0;
  int64_t Total = 0, Min = 0, Max = 0; ///< ns, durations on the GPU.

  int64_t mean() const { return Count ? Total / int64_t(Count) : 0; }
  /// Bytes per second while they ran; nullopt if bytes or time are 0.
  std::optional<double> rate() const;
};

/// By total, descending.
std::vector<MemoryRow> sumMemory(const trace::Timeline &T);

/// "HtoD", "DtoH", ...; "unknown".
llvm::StringRef name(trace::Direction D);
/// "pageable", "pinned", ...; "unknown".
llvm::StringRef name(trace::MemoryKind M);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_PROFILE_MEMORY_H
