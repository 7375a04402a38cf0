// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for the read-back rules: which calls bring a GPU value to the host,
// and where it goes.
#ifndef AUTOPROF_AUDIT_RULES_READBACK_H
#define AUTOPROF_AUDIT_RULES_READBACK_H

#include "audit/rules/Common.h"

namespace autoprof::audit {

/// A waiting call that is a copy to the host of at most 256 bytes, as far as is
/// known at the call, or returns a library result in host memory.
bool isReadback(const LinkedSite &S);

/// A wait, and the call whose data it completes: itself, or a small
/// asynchronous copy into pinned memory just before it.
struct AwaitedReadback {
  const LinkedSite *Wait;
  const LinkedSite *Source;
};
std::vector<AwaitedReadback> readbacks(const Project &P);

/// A finding at the wait; names the source if it is another call.
Finding findingAt(const Project &P, const AwaitedReadback &R, const Hot &H);

/// The copies to the host just before an explicit wait that completes them, if
/// the host uses their data after it and the copies themselves wait.
std::vector<const LinkedSite *> readbacksCompletedBy(const Project &P,
                                                     const LinkedSite &Wait);

/// The explicit wait for which this is such a copy, or null.
const LinkedSite *completingWait(const Project &P, const LinkedSite &Copy);

/// Makes the finding of a copy cover the wait that follows it.
void addCompletingWait(const LinkedSite &Wait, Finding &F);

/// Printed or logged.
bool isShown(const Destination &D);

/// "it is printed here"
const char *shownHere(const Use &U);

/// Whether the place is under a condition that the site is not under, nor the
/// call of the site's function that gets the value.
bool isUnderOwnCondition(const Project &P, const Destination &D,
                         const LinkedSite &S);

/// "decides whether a loop continues", "decides the size of a launch", "decides
/// what runs next"; "" if it steers none of these.
llvm::StringRef whatItSteers(const Project &P, const Destination &D);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_READBACK_H
