// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What advice about waits and about copies has in common.
#ifndef AUTOPROF_AUDIT_RULES_ADVICEPARTS_H
#define AUTOPROF_AUDIT_RULES_ADVICEPARTS_H

#include "audit/Finding.h"

namespace autoprof::audit {

/// Adds a note where the host uses the result, if that is known.
void noteUse(Finding &F);

/// What to do if the function returns the value: it must be complete by then.
/// Only where callers get the memory instead can they wait later.
std::string byReturn(const FirstUse &Use, const char *ToKeep,
                     const char *Other);

/// "after the loop at solve.cu:12": the launching loop of the finding.
std::string afterLoop(const Finding &F);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_ADVICEPARTS_H
