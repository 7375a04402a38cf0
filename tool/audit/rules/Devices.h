// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits in loops that work on several devices: no stream orders work on
// different devices, so such a wait may be all that does.
#ifndef AUTOPROF_AUDIT_RULES_DEVICES_H
#define AUTOPROF_AUDIT_RULES_DEVICES_H

#include "audit/Link.h"

namespace autoprof::audit {

/// Whether the launching loop around a wait works on several devices: it
/// contains a loop over devices around the wait, possibly in a caller, selects
/// devices by different names, or copies between devices.
bool isPerDevice(const Project &P, const LinkedSite &S);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_RULES_DEVICES_H
