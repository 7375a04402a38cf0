// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers shared by the rules.
#ifndef AUTOPROF_AUDIT_RULES_COMMON_H
#define AUTOPROF_AUDIT_RULES_COMMON_H

#include "audit/Rules.h"

namespace autoprof::audit {

/// The severity of a wait in a loop: medium in each iteration of a launching
/// loop, high if that loop is inside another one of its function, low if it may
/// not wait or its condition is rarely true.
Severity severityOf(const Project &P, const LinkedSite &S, const Hot &H);

/// The same for a call that does not wait but costs as much.
Severity severityAsWait(const Project &P, LinkedSite S, const Hot &H);

enum class Cost { OfWait, AsWait };

/// A finding at a site in a loop, with its place, path, severity, what makes it
/// cheap, and the catalogue's replacement filled in. AsWait: it does not, or
/// may not, wait, but costs as much.
Finding findingAt(const Project &P, const LinkedSite &S, const Hot &H,
                  Cost C = Cost::OfWait);

/// "all work on the device", "the work queued before it", ...
std::string whatIsWaitedFor(const Project &P, const LinkedSite &S);

/// "cudaMemcpy waits for ... in each iteration of the loop at x.cu:12".
std::string eachIteration(const Project &P, const Hot &H);

/// ", because it maps pages; 4 KiB took 2 us": the catalogue's
/// reason for the end of a message; "" if there is none.
std::string because(llvm::StringRef Reason);

/// "solve.cu:12".
std::string fileAndLine(const Place &Location);

/// The argument at this position, or null.
const Arg *argument(const LinkedSite &S, unsigned I);

bool isExplicitWait(const LinkedSite &S);

/// A copy between host and device, or from the device to an unknown place.
bool isBetweenHostAndDevice(const LinkedSite &S);
bool isToHost(const LinkedSite &S);

/// How many bytes a copy moves, if that is constant.
std::optional<int64_t> bytesOf(const LinkedSite &S);

/// The site, with what is known of its handle's pointer mode.
LinkedSite withPointerMode(const Project &P, const LinkedSite &S);

/// Whether the name of the call contains "Async".
bool isAsynchronous(const LinkedSite &S);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_COMMON_H
