// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The variables that a loop changes, as far as its text shows.
#ifndef AUTOPROF_AUDIT_EXTRACT_CHANGES_H
#define AUTOPROF_AUDIT_EXTRACT_CHANGES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"

namespace autoprof::audit {

using Variables = llvm::DenseSet<const clang::VarDecl *>;

/// Variables that are assigned or counted in the loop, and those that are
/// declared in it from such variables.
Variables changedIn(const clang::Stmt *Loop);

/// Variables that count this loop, but not nested loops, and those that are
/// declared or assigned from such variables.
Variables countedBy(const clang::Stmt *Loop);

/// Variables that a function uses in other ways than to read them: their values
/// may differ from their initial ones.
Variables variesIn(const clang::Stmt *Body);

/// The variable that an expression is, or null.
const clang::VarDecl *variableOf(const clang::Expr *E);

bool mentions(const clang::Stmt *S, const Variables &Vars);

/// The initializer of the local variable that `E` names, if the function
/// changes neither the variable nor one that the initializer names; or null.
const clang::Expr *fixedInitializer(const clang::Expr *E);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_CHANGES_H
