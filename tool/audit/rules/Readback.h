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

/// Printed or logged.
bool isShown(const Destination &D);

/// Whether the place is under a condition that the site is not under.
bool isUnderOwnCondition(const Project &P, const Destination &D,
                         const LinkedSite &S);

/// "decides whether a loop continues", "decides the size of a launch", "decides
/// what runs next"; "" if it steers none of these.
llvm::StringRef whatItSteers(const Project &P, const Destination &D);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_READBACK_H
