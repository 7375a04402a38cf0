// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A collective that waits for other ranks occupies multiprocessors meanwhile,
// so kernels that run beside it take longer: matrix products 5 % longer on an
// H100 (docs/model.md, "Several ranks"). The same kernels on a rank that does
// not wait show how long they would take.
#ifndef AUTOPROF_ANALYSIS_REPLAY_CONTENTION_H
#define AUTOPROF_ANALYSIS_REPLAY_CONTENTION_H

#include "trace/timeline/Timeline.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace autoprof::analysis {

/// One rank, and when its collectives waited for other ranks: in order, not
/// overlapping.
struct WaitingRank {
  const trace::Timeline &T;
  std::vector<trace::Window> Waiting;
};

/// By rank and operation: how long the operation takes if no collective waits
/// beside it, ns. That is as long as it took, except for a kernel that ran
/// beside a waiting collective for at least half of its time: it takes no
/// longer than the median of the same kernel, launched in the same shape, that
/// ran beside none, on any rank. Where that is less than three quarters of its
/// time, it is not the same work, and the time stays.
std::vector<std::vector<int64_t>>
durationsWithoutWaiting(llvm::ArrayRef<WaitingRank> Ranks);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_REPLAY_CONTENTION_H
