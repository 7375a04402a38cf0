// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the rules of read-backs share: which calls bring a value of the GPU to
// the host, and where it goes.
#ifndef AUTOPROF_AUDIT_RULES_READBACK_H
#define AUTOPROF_AUDIT_RULES_READBACK_H

#include "audit/rules/Common.h"

namespace autoprof::audit {

/// A copy to the host of at most 256 bytes, as far as is known at the call, or
/// a library's result in host memory; and it waits.
bool isReadback(const LinkedSite &S);

/// A wait, and the call whose data it brings to the host: itself, or a small
/// asynchronous copy into pinned memory just before it.
struct AwaitedReadback {
  const LinkedSite *Wait;
  const LinkedSite *Source;
};
std::vector<AwaitedReadback> readbacks(const Project &P);

/// A finding at the wait; names the source where it is another call.
Finding findingAt(const Project &P, const AwaitedReadback &R, const Hot &H);

/// Printed or logged.
bool isShown(const Destination &D);

/// Is the place under a condition that the site is not under?
bool isUnderOwnCondition(const Project &P, const Destination &D,
                         const LinkedSite &S);

/// "decides whether a loop goes on", "decides the size of a launch", "decides
/// what is done next"; "" when it steers none of these.
llvm::StringRef whatItSteers(const Project &P, const Destination &D);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_READBACK_H
