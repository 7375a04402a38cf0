// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a wait really waits for: work for which no earlier call, on each path to
// the wait, has already waited.
#ifndef AUTOPROF_AUDIT_RULES_OUTSTANDING_H
#define AUTOPROF_AUDIT_RULES_OUTSTANDING_H

#include "audit/Neighbors.h"
#include "audit/rules/Streams.h"

namespace autoprof::audit {

/// The stream of a call; that of a Thrust algorithm is its policy's.
StreamUse streamOfWork(const Project &P, const LinkedSite &S);

/// The streams of the work that a called function queues, without names unless
/// the call passes them; an unknown one for work that is not seen.
std::vector<StreamUse> streamsOfCall(const Project &P, const Moment &Call);

/// Whether the host waits there for all work that was queued on the stream
/// before: in a call of the API, or at the end of a called function.
bool completes(const Project &P, const Moment &M, const StreamUse &Stream);

/// Whether work on the stream may still run when the wait begins.
bool isOutstanding(const Project &P, const LinkedSite &Wait,
                   const StreamUse &Stream);
/// The same for work of the same function.
bool isOutstanding(const Project &P, const LinkedSite &Wait,
                   const LinkedSite &Work);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_OUTSTANDING_H
