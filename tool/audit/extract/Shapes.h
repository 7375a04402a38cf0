// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an expression is written as: which object a call acts on.
#ifndef AUTOPROF_AUDIT_EXTRACT_SHAPES_H
#define AUTOPROF_AUDIT_EXTRACT_SHAPES_H

#include "clang/AST/Expr.h"

namespace autoprof::audit {

/// Without parentheses, casts and temporaries.
const clang::Expr *strip(const clang::Expr *E);

/// "data" of `v.data()`; "" when it is no method.
llvm::StringRef methodName(const clang::CallExpr *Call);

/// `v` of `v.data()` and of `v[i]`, or null.
const clang::Expr *objectOf(const clang::CallExpr *Call);

/// `v.data()`, `p.get()`, `v.begin()`: the object, when a method of it gives
/// its memory; else null.
const clang::Expr *ownerOf(const clang::CallExpr *Call);

/// `v[i]`, `*p`, `v.at(i)`, `v.front()`: the object whose element it is.
const clang::Expr *containerOf(const clang::CallExpr *Call);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_SHAPES_H
