// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the branches of an `if` are for: work, a report of an error, the first
// or each n-th iteration, output that is switched on, or the way out.
#ifndef AUTOPROF_AUDIT_EXTRACT_BRANCHES_H
#define AUTOPROF_AUDIT_EXTRACT_BRANCHES_H

#include "audit/Model.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class VarDecl;
} // namespace clang

namespace autoprof::audit {

/// `Then`: of the first branch, else of that behind `else`, which may be
/// missing. `InSwitch`: a `break` there ends a switch and no loop. `IsCounted`:
/// does a loop around change this variable?
Scope::Kind
kindOfBranch(const clang::IfStmt *If, bool Then, bool InSwitch,
             llvm::function_ref<bool(const clang::VarDecl *)> IsCounted);

/// Does it end with `return`, `continue`, `break`, or by giving up?
bool leavesAlways(const clang::Stmt *Branch);

/// Of what follows an `if` without `else` whose branch leaves always.
Scope::Kind
kindOfRest(const clang::IfStmt *If,
           llvm::function_ref<bool(const clang::VarDecl *)> IsCounted);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_BRANCHES_H
