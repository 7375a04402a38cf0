// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of what is missing from a trace. All losses must be counted here: the
// report shows these totals next to its results.
#pragma once

#include <atomic>
#include <cstdint>

namespace autoprof::runtime {

/// Totals of this process. Any thread adds; the flush thread reads.
struct Loss {
  /// Records that CUPTI had no room for.
  std::atomic<uint64_t> CuptiDropped{0};
  std::atomic<uint64_t> ProbesDropped{0};    ///< Probe records without room.
  std::atomic<uint64_t> ZeroTimestamps{0};   ///< Records without times.
  std::atomic<uint64_t> BuffersRefused{0};   ///< Buffers denied to CUPTI.
  std::atomic<uint64_t> WriteErrors{0};      ///< Failed writes (the first ends
                                             ///< the recording).
  std::atomic<uint64_t> ProbesUnbalanced{0}; ///< Ends without a begin on their
                                             ///< thread, or the reverse.
  std::atomic<uint64_t> StacksDropped{0};    ///< Stacks without room, or of
                                             ///< modules that are gone.
};

inline Loss Lost;

} // namespace autoprof::runtime
