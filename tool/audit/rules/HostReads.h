// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may need a wait, and is not followed
// -----------------------------------------
// FirstUse.h knows where the host uses the memory that a copy names. The host
// may read the same memory under another name, through an accessor or in a
// caller. Advice to remove or move a wait must not depend on that.
#ifndef AUTOPROF_AUDIT_RULES_HOSTREADS_H
#define AUTOPROF_AUDIT_RULES_HOSTREADS_H

#include "audit/Link.h"

namespace autoprof::audit {

/// Where, in the loop around a wait and before the next call that waits, the
/// host may access what an asynchronous copy to the host has written before the
/// wait. Line is 0 if nowhere, or if there is no such copy.
Place mayReadCopied(const Project &P, const LinkedSite &Wait);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_HOSTREADS_H
