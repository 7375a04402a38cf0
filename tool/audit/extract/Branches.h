// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The purpose of the branches of an `if`: work, an error report, the first or
// every n-th iteration, optional output, or an exit.
#ifndef AUTOPROF_AUDIT_EXTRACT_BRANCHES_H
#define AUTOPROF_AUDIT_EXTRACT_BRANCHES_H

#include "audit/Model.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace clang {
class VarDecl;
} // namespace clang

namespace autoprof::audit {

/// The kind of the first branch if `Then`, otherwise of the one after `else`,
/// which may be missing. `InSwitch`: a `break` there ends a switch, not a loop.
/// `IsCounted` returns whether an enclosing loop changes this variable.
Scope::Kind
kindOfBranch(const clang::IfStmt *If, bool Then, bool InSwitch,
             llvm::function_ref<bool(const clang::VarDecl *)> IsCounted);

/// The kind of code that runs only if a condition holds, or, without `Holds`,
/// if it does not: the right side of `&&` or `||`, or a side of `?:`. None: it
/// may be an error check, or nothing is known.
std::optional<Scope::Kind>
kindOfOperand(const clang::Expr *Condition, bool Holds,
              llvm::function_ref<bool(const clang::VarDecl *)> IsCounted);

/// Whether the branch ends with `return`, `continue`, `break`, or by giving up.
bool leavesAlways(const clang::Stmt *Branch);

/// Whether the branch ends with `continue`.
bool endsIteration(const clang::Stmt *Branch);

/// The kind of the code after an `if` without `else` whose branch always
/// leaves.
Scope::Kind
kindOfRest(const clang::IfStmt *If,
           llvm::function_ref<bool(const clang::VarDecl *)> IsCounted);

/// Whether it contains a status, such as a cudaError_t.
bool asksForStatus(const clang::Expr *Condition);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_BRANCHES_H
