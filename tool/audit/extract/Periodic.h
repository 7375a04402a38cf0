// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that hold in every n-th iteration: `i % 100 == 0`, a boolean
// computed from one, `if (i % 100) continue`.
#ifndef AUTOPROF_AUDIT_EXTRACT_PERIODIC_H
#define AUTOPROF_AUDIT_EXTRACT_PERIODIC_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace autoprof::audit {

/// Whether a condition is rarely true, or, without `Holds`, rarely false. Every
/// second time does not count as rare. `IsCounted` returns whether an enclosing
/// loop changes this variable.
bool isSeldom(const clang::Expr *Condition, bool Holds,
              llvm::function_ref<bool(const clang::VarDecl *)> IsCounted);

/// Whether the name suggests a counter of iterations: `step`, `epoch`, `i`.
bool countsByName(const clang::VarDecl *V);

/// Whether it is `if (left == 0) { refill(); left = n; }` where the function
/// counts `left` elsewhere, or `if (kept.size() >= n) { ...; kept.clear(); }`:
/// it holds once in n times. `Body` is that of the function.
bool isCounterReset(const clang::Expr *Condition, const clang::Stmt *Branch,
                    const clang::Stmt *Body);

/// Whether it is `if (now - last > limit) { report(); last = now; }` where the
/// function gets `now` from a clock: it holds once in a while.
bool isTimerReset(const clang::Expr *Condition, const clang::Stmt *Branch,
                  const clang::Stmt *Body);

/// Whether the variable's name suggests input from a person: `key`, `command`.
bool namesKey(const clang::Expr *E);
/// Whether it is `key == 'r'` or the like.
bool asksForKey(const clang::Expr *Condition);

/// What a condition tests: a variable, a field or a call, looking through local
/// variables that stand for it; and whether it tests for true.
struct Asked {
  const clang::Expr *Expression = nullptr; ///< Null: something else.
  bool IsTrue = true;
};
Asked askedBy(const clang::Expr *Condition, bool Holds);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_PERIODIC_H
