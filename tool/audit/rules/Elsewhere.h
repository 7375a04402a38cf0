// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules that are not about a wait in a loop.
#ifndef AUTOPROF_AUDIT_RULES_ELSEWHERE_H
#define AUTOPROF_AUDIT_RULES_ELSEWHERE_H

#include "audit/Finding.h"
#include "audit/walk/Trace.h"

namespace autoprof::audit {

void checkUnsafeEarlyRead(const Project &P, std::vector<Finding> &Out);
void checkUnsafeBufferLifetime(const Project &P, std::vector<Finding> &Out);
void checkGraphCaptureSync(const Project &P, std::vector<Finding> &Out);

/// Missing waits in the loop of a trace.
void findRaces(const Trace &T, std::vector<Finding> &Out);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_ELSEWHERE_H
