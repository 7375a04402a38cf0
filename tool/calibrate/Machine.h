// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work whose recording tells what a machine's copies and pauses take: copies of
// several sizes, in both directions, of pageable and pinned memory; kernels,
// copies and events that are queued one after the other. It measures nothing
// itself: it runs recorded, as programs do, so that what is measured is what
// reports compare it with.
#ifndef AUTOPROF_CALIBRATE_MACHINE_H
#define AUTOPROF_CALIBRATE_MACHINE_H

#include "llvm/Support/Error.h"

namespace autoprof::calibrate {

/// Runs it on a GPU, counted from 0; well under a second. An error is a
/// sentence.
llvm::Error exerciseMachine(int Device);

} // namespace autoprof::calibrate

#endif // AUTOPROF_CALIBRATE_MACHINE_H
