// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which samples of a case are taken, and their combined result.
#ifndef AUTOPROF_CALIBRATE_SAMPLING_H
#define AUTOPROF_CALIBRATE_SAMPLING_H

#include "calibrate/Case.h"
#include "catalogue/Semantics.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace autoprof::calibrate {

struct Queued;
struct Sample;

/// How long the kernel before a call spins until it gives up, unless the call
/// itself takes longer.
constexpr int64_t QueuedNs = 20'000'000;

/// Takes one sample of a case; returns none that was taken after a failure.
using TakeSample = llvm::function_ref<Sample(Queued)>;

/// The call alone, first and then best of three; then after work on each kind
/// of stream, best of two, or once if it waited for all of the work. Fewer
/// samples of calls that take long by themselves. The observation has only
/// times; the caller adds errors.
catalogue::Observation observe(const Case &C, TakeSample Take);

} // namespace autoprof::calibrate

#endif // AUTOPROF_CALIBRATE_SAMPLING_H
