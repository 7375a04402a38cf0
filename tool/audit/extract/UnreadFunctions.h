// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that have errors: their effects are unknown.
#ifndef AUTOPROF_AUDIT_EXTRACT_UNREADFUNCTIONS_H
#define AUTOPROF_AUDIT_EXTRACT_UNREADFUNCTIONS_H

#include "audit/extract/FunctionFlow.h"

namespace autoprof::audit {

/// Marks `Out`, whose names are already set, as a function that may do
/// anything: launch, wait, and store anything in all variables, fields and
/// parameters of other functions that are named in it.
void extractUnread(const clang::FunctionDecl *F, Shared &Unit, Function &Out);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_UNREADFUNCTIONS_H
