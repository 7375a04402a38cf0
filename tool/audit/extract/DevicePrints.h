// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds printf in device code. Nothing else is examined in device functions.
#ifndef AUTOPROF_AUDIT_EXTRACT_DEVICEPRINTS_H
#define AUTOPROF_AUDIT_EXTRACT_DEVICEPRINTS_H

#include "audit/extract/FunctionFlow.h"

namespace autoprof::audit {

/// Adds each printf that a kernel reaches by direct calls, except for those
/// under a condition that suggests an error and those in regions of debug
/// macros.
void findPrints(const clang::FunctionDecl *Kernel, Shared &Unit,
                std::vector<DevicePrint> &Out);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_DEVICEPRINTS_H
