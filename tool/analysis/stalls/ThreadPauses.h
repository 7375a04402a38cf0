// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What other threads did for a thread between two of its calls. A thread that
// sleeps until another one has fetched a result from the GPU waits for the GPU,
// although none of its own calls does: float(x) of JAX, a future, a queue. A
// thread that sleeps while another one launches kernels has handed its work
// over, as the backward pass of a framework is.
#ifndef AUTOPROF_ANALYSIS_STALLS_THREADPAUSES_H
#define AUTOPROF_ANALYSIS_STALLS_THREADPAUSES_H

#include "analysis/waits/Waits.h"

namespace autoprof::analysis {

/// Between two outermost calls of a thread.
struct ThreadPause {
  trace::Window When;
  /// Work that was queued before the pause was unfinished when it began, and
  /// another thread began to copy to the host, or ended a wait.
  bool Fetches = false;
  bool Launches = false; ///< Another thread launched a kernel or a graph.
};

/// The pauses of a thread that are one or the other, in order of time.
std::vector<ThreadPause> findPauses(const trace::Timeline &T,
                                    const Attribution &A,
                                    const std::vector<Wait> &Waits,
                                    uint32_t Thread);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_STALLS_THREADPAUSES_H
