// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that hold with every n-th iteration: `i % 100 == 0`, a boolean
// that was made from one, `if (i % 100) continue`.
#ifndef AUTOPROF_AUDIT_EXTRACT_PERIODIC_H
#define AUTOPROF_AUDIT_EXTRACT_PERIODIC_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace autoprof::audit {

/// Is a condition seldom true, or, without `Holds`, seldom false? `IsCounted`:
/// does a loop around change this variable? Each second time is often.
bool isSeldom(const clang::Expr *Condition, bool Holds,
              llvm::function_ref<bool(const clang::VarDecl *)> IsCounted);

/// A name that counts iterations: `step`, `epoch`, `i`.
bool countsByName(const clang::VarDecl *V);

/// `if (left == 0) { refill(); left = n; }` where the function counts `left`
/// elsewhere: it holds once in n times. `Body`: of the function.
bool isCounterReset(const clang::Expr *Condition, const clang::Stmt *Branch,
                    const clang::Stmt *Body);

/// Is it a variable for what a person has pressed or typed? `key`, `command`.
bool namesKey(const clang::Expr *E);
/// `key == 'r'`.
bool asksForKey(const clang::Expr *Condition);

/// What a condition asks for: a variable, a field or a call, behind local
/// variables that stand for it; and whether it asks for its truth.
struct Asked {
  const clang::Expr *Expression = nullptr; ///< Null: something else.
  bool IsTrue = true;
};
Asked askedBy(const clang::Expr *Condition, bool Holds);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_PERIODIC_H
