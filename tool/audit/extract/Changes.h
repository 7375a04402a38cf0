// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables a loop changes, as far as its text tells.
#ifndef AUTOPROF_AUDIT_EXTRACT_CHANGES_H
#define AUTOPROF_AUDIT_EXTRACT_CHANGES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"

namespace autoprof::audit {

using Variables = llvm::DenseSet<const clang::VarDecl *>;

/// Those that are assigned or counted in the loop, and those that are declared
/// in it from such ones.
Variables changedIn(const clang::Stmt *Loop);

bool mentions(const clang::Stmt *S, const Variables &Any);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_CHANGES_H
