// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long copies and pauses take on one machine: part of a calibration. Times
// are GPU times in ns, as in a recording.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace autoprof::catalogue {

/// Copies between the GPU and memory of the host.
struct CopyTime {
  bool ToDevice = false; ///< Else to the host.
  bool Pinned = false;   ///< The host's memory; else pageable.
  int64_t Bytes = 0, Count = 0;
  /// ns: of the tenth, fifth and ninth of ten copies.
  int64_t Short = 0, Median = 0, Long = 0;
  int64_t Host = 0; ///< ns in the synchronous call, median.
};

/// How long a stream pauses between two operations that are both queued.
struct PauseTime {
  bool ChangesEngine = false; ///< One of them is a copy, the other is not.
  int64_t Events = 0;         ///< Recorded between their launches.
  int64_t Count = 0;
  int64_t Short = 0, Median = 0; ///< ns; a tenth are shorter than Short.
};

/// The constants of one machine; empty: not measured.
struct Constants {
  std::vector<CopyTime> Copies; ///< By direction and memory, then bytes.
  std::vector<PauseTime> Pauses;
};

/// The time of most copies of one direction and kind of memory: a fixed time
/// plus a time per byte.
struct CopyRate {
  bool ToDevice = false, Pinned = false;
  int64_t Fixed = 0; ///< ns
  int64_t BytesPerSecond = 0;
};
/// For those with at least two sizes: the rate between the two largest, and
/// what the smallest takes in addition.
std::vector<CopyRate> copyRates(const Constants &C);

/// "pinned", "pageable".
llvm::StringRef memoryName(bool Pinned);

} // namespace autoprof::catalogue
