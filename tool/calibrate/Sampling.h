// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which samples of a case are taken, and what they say together.
#ifndef AUTOPROF_CALIBRATE_SAMPLING_H
#define AUTOPROF_CALIBRATE_SAMPLING_H

#include "calibrate/Case.h"
#include "catalogue/Semantics.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace autoprof::calibrate {

struct Queued;
struct Sample;

/// How long the kernel in front of a call spins before it gives up, unless the
/// call itself takes longer.
constexpr int64_t QueuedNs = 20'000'000;

/// Takes one sample of a case; returns none that was taken after a failure.
using TakeSample = llvm::function_ref<Sample(Queued)>;

/// The call alone, first and then best of three; then behind work on each kind
/// of stream, best of two, or once where it waited for all of the work. Fewer
/// of calls that take long by themselves. The observation has times only; an
/// error is the caller's to add.
catalogue::Observation observe(const Case &C, TakeSample Take);

} // namespace autoprof::calibrate

#endif // AUTOPROF_CALIBRATE_SAMPLING_H
