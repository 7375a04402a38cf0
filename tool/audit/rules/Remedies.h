// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What to do instead of a wait. A remedy is chosen from what precedes and
// follows the wait in the loop; its text is made at the end.
#ifndef AUTOPROF_AUDIT_RULES_REMEDIES_H
#define AUTOPROF_AUDIT_RULES_REMEDIES_H

#include "audit/walk/Flow.h"
#include "audit/walk/Waits.h"

namespace autoprof::audit {

/// Each sets the replacement and adds notes.
void adviseWait(const WaitOnPath &W, const Pending &Before, Finding &F);
void adviseCopy(const WaitOnPath &W, Finding &F);
void advisePageable(const WaitOnPath &W, Finding &F);
/// Adds what else a copy orders: later work on other streams.
void adviseOrder(const WaitOnPath &W, Finding &F);
void adviseMemory(const WaitOnPath &W, bool InObject, Finding &F);

/// "solver.cu:12".
std::string fileAndLine(const Place &Location);
/// "after the loop at solver.cu:12".
std::string afterLoop(const WaitOnPath &W);

/// The first step after the wait that is more than an error check or host code
/// that touches nothing of the GPU; null: there is none in the loop.
const Step *nextMoment(const WaitOnPath &W);
/// Whether documentation says that the work is complete when a call returns.
/// That cudaFree and the like wait is only measured.
bool promisesToWait(const LinkedSite &S);
/// Whether a clock, or the time of an event, is read there.
bool readsClock(const Step &S);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_REMEDIES_H
