// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why a call waits in a loop, in the words of a rule.
#ifndef AUTOPROF_AUDIT_RULES_CAUSES_H
#define AUTOPROF_AUDIT_RULES_CAUSES_H

#include "audit/walk/Flow.h"
#include "audit/walk/Waits.h"

namespace autoprof::audit {

/// Sets the finding's rule, message, advice and notes, and lowers its severity
/// where the cause says that the wait costs little. Returns false if there is
/// nothing to report.
bool describe(const WaitOnPath &W, const Pending &Before, Finding &F);

/// The same for an allocation from the default pool, which does not wait.
bool describeTrimmedPool(const WaitOnPath &W, Finding &F);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_CAUSES_H
