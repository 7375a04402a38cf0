// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work whose recording shows how long a machine's copies and pauses take:
// copies of several sizes, in both directions, of pageable and pinned memory;
// kernels, copies and events that are queued one after the other. It measures
// nothing itself: it is recorded like other programs, so that the measurements
// are comparable with those in reports.
#ifndef AUTOPROF_CALIBRATE_MACHINE_H
#define AUTOPROF_CALIBRATE_MACHINE_H

#include "llvm/Support/Error.h"

namespace autoprof::calibrate {

/// Runs it on a GPU, counted from 0; well under a second. An error is a
/// sentence.
llvm::Error exerciseMachine(int Device);

} // namespace autoprof::calibrate

#endif // AUTOPROF_CALIBRATE_MACHINE_H
