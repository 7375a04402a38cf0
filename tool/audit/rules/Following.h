// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows a wait: the calls and clock readings that decide what can be
// done instead of it.
#ifndef AUTOPROF_AUDIT_RULES_FOLLOWING_H
#define AUTOPROF_AUDIT_RULES_FOLLOWING_H

#include "audit/Link.h"

namespace autoprof::audit {

/// On every path, something is queued next, with only host code before it: the
/// wait only orders GPU work.
bool onlyOrders(const Project &P, const LinkedSite &S);

/// Where memory is freed next in the order of the stream that is waited for,
/// which does not need the wait.
Place nextOrderedFree(const Project &P, const LinkedSite &S);

/// Where an object that the GPU may use is destroyed or freed next.
Place nextEnd(const Project &P, const LinkedSite &S);

/// The synchronous copy that comes next on every path, or null. It may be on
/// another stream than the work that is waited for.
const LinkedSite *nextWaitingCopy(const Project &P, const LinkedSite &S);

/// Where a stream is destroyed next.
Place nextStreamEnd(const Project &P, const LinkedSite &S);

/// The next clock reading after a wait: what it measures must be complete by
/// then.
Place nextClock(const Project &P, const LinkedSite &S);

/// The next call that reads an event's time, in the loop of an explicit wait,
/// and fails if the event is not complete: without the wait, or with the wait
/// moved beyond it. Null if there is none, or if another wait comes first.
const LinkedSite *nextElapsedTime(const Project &P, const LinkedSite &S);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_FOLLOWING_H
