// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the program's waits wait for, from CUPTI's callbacks at the calls that
// wait for an event, a stream or a context. CUPTI has records of its own for
// this (CUPTI_ACTIVITY_KIND_SYNCHRONIZATION), but as long as they are enabled,
// each call of the runtime and the driver takes 0.25 to 0.4 us longer, even
// those that are not recorded, of which PyTorch makes a thousand in a step
// (docs/performance.md).
#pragma once

#include "runtime/cupti/CuptiLibrary.h"
#include "runtime/trace/Trace.h"

#include <vector>

namespace autoprof::runtime {

/// Finds the functions. To be called before the first callback.
void findSynchronizations(const CuptiLibrary &Library);

/// Starts or stops callbacks at them. Calls that are open meanwhile are not
/// recorded.
void watchSynchronizations(const CuptiLibrary &Library,
                           CUpti_SubscriberHandle Subscriber, bool Watch);

/// Whether it is one of these calls. Thread-safe.
bool isSynchronization(CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id);

/// Handles CUPTI's callbacks before and after such a call, on its thread.
void onSynchronization(const CuptiLibrary &Library,
                       CUpti_CallbackDomain CallDomain, CUpti_CallbackId Id,
                       const CUpti_CallbackData &Call);

/// What was recorded since the last call, with CUPTI's correlation ids.
std::vector<Synchronization> takeSynchronizations();

} // namespace autoprof::runtime
