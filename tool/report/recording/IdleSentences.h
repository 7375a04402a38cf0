// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why the GPU was idle, in words.
#ifndef AUTOPROF_REPORT_RECORDING_IDLESENTENCES_H
#define AUTOPROF_REPORT_RECORDING_IDLESENTENCES_H

#include "report/recording/Report.h"

namespace autoprof::report {

/// What the cause of a GPU gap means, in words.
llvm::StringRef phrase(analysis::Cause C);

/// ns, what shares of idle time are of: the GPU time of the steps that count,
/// or of the run from the first to the last operation; sums over the devices in
/// use.
int64_t idleBasis(const analysis::Result &R);

/// The range that names a cause: a function, "loop", or a range of the user's
/// own; "" where no range does.
std::string rangeName(const trace::Timeline &T, const analysis::Reason &R);

/// "CPU busy in forward (train.cu:40)", "CPU in cudaMalloc, called in train
/// (loop at train.cu:12)", "exposed stall of cudaMemcpy at train.cu:88".
/// QueuedLate: what the trace shows about it.
std::string reasonText(const trace::Timeline &T, const analysis::Reason &R);

/// ns, of the run; sums over the devices.
int64_t busyTime(const analysis::Result &R);

/// ns, of all causes.
int64_t idleTime(const std::vector<analysis::CauseTotal> &Gaps);

/// Where a busy host, slow launching, or late starts left the GPU idle, the
/// worst few: "GPU idle 166 us per step (45.1 %): CPU busy in forward
/// (train.cu:40)". Then the idle time outside the steps.
std::vector<std::string> idleSentences(const Input &Subject);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_IDLESENTENCES_H
