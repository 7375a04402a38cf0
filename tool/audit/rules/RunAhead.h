// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits that bound how far the host runs ahead of the GPU, which limits the
// memory of queued work and protects buffers that are reused.
#ifndef AUTOPROF_AUDIT_RULES_RUNAHEAD_H
#define AUTOPROF_AUDIT_RULES_RUNAHEAD_H

#include "audit/rules/AdviceParts.h"
#include "audit/rules/Common.h"

namespace autoprof::audit {

/// Whether it waits for an event of an earlier iteration, one not yet recorded
/// in this iteration: it keeps a few iterations in flight.
bool boundsRunAhead(const Project &P, const LinkedSite &S);

/// The advice for an explicit wait that something else may replace. In every
/// n-th iteration it may be there as a bound: nothing in the text shows that.
Advice unlessBound(const Project &P, const LinkedSite &S, Advice Instead);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_RUNAHEAD_H
