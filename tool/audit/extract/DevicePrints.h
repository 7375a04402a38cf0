// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf in device code. Of device functions nothing else is looked at.
#ifndef AUTOPROF_AUDIT_EXTRACT_DEVICEPRINTS_H
#define AUTOPROF_AUDIT_EXTRACT_DEVICEPRINTS_H

#include "audit/extract/FunctionFlow.h"

namespace autoprof::audit {

/// Adds each printf that a kernel reaches by direct calls, but for those under
/// a condition that says error and those of debug macros.
void findPrints(const clang::FunctionDecl *Kernel, Shared &Unit,
                std::vector<DevicePrint> &Out);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_DEVICEPRINTS_H
