// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a trace lacks. A number that is not in the trace must be counted here:
// the report shows these totals beside its results.
#ifndef AUTOPROF_RUNTIME_SUPPORT_LOSS_H
#define AUTOPROF_RUNTIME_SUPPORT_LOSS_H

#include <atomic>
#include <cstdint>

namespace autoprof::runtime {

/// Totals of this process. Any thread adds; the flush thread reads.
struct Loss {
  std::atomic<uint64_t> CuptiDropped{0};     ///< Records CUPTI had no room for.
  std::atomic<uint64_t> ProbesDropped{0};    ///< Probe records without room.
  std::atomic<uint64_t> ZeroTimestamps{0};   ///< Records without times.
  std::atomic<uint64_t> BuffersRefused{0};   ///< Buffers not given to CUPTI.
  std::atomic<uint64_t> WriteErrors{0};      ///< Failed writes (the first ends
                                             ///< the recording).
  std::atomic<uint64_t> ProbesUnbalanced{0}; ///< Ends without a begin on their
                                             ///< thread, or the reverse.
  std::atomic<uint64_t> StacksDropped{0};    ///< Stacks without room, or of
                                             ///< modules that are gone.
};

extern Loss Lost;

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_SUPPORT_LOSS_H
