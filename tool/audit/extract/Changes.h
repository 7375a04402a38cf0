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

/// Those that count this loop, but not the loops in it, and those that are
/// declared or assigned from such ones.
Variables countedBy(const clang::Stmt *Loop);

/// Those that do more in a function than to be read: they may have other values
/// than the one they are declared with.
Variables variesIn(const clang::Stmt *Body);

/// The variable that an expression is, or null.
const clang::VarDecl *variableOf(const clang::Expr *E);

bool mentions(const clang::Stmt *S, const Variables &Vars);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_CHANGES_H
