// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results of calls that a function only prints or logs.
#ifndef AUTOPROF_AUDIT_EXTRACT_SHOWN_H
#define AUTOPROF_AUDIT_EXTRACT_SHOWN_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace autoprof::audit {

using CalleeOf =
    llvm::function_ref<const clang::FunctionDecl *(const clang::CallExpr *)>;

/// Whether the result of a call is stored in a local variable that the function
/// only prints or logs. `Parent`: see Scopes::Parents. `Body`: of the function.
bool isOnlyShown(const clang::Expr *Call, const clang::Stmt *Parent,
                 const clang::Stmt *Body, CalleeOf Callee);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_SHOWN_H
