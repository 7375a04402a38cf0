// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntactic form of expressions: which object a call acts on.
#ifndef AUTOPROF_AUDIT_EXTRACT_SHAPES_H
#define AUTOPROF_AUDIT_EXTRACT_SHAPES_H

#include "clang/AST/Expr.h"

namespace autoprof::audit {

/// Strips parentheses, casts and temporaries.
const clang::Expr *strip(const clang::Expr *E);

/// "data" for `v.data()`; "" if it is not a method.
llvm::StringRef methodName(const clang::CallExpr *Call);

/// `v` for `v.data()` and `v[i]`, or null.
const clang::Expr *objectOf(const clang::CallExpr *Call);

/// The object of `v.data()`, `p.get()` or `v.begin()`, if the method returns
/// its memory; otherwise null.
const clang::Expr *ownerOf(const clang::CallExpr *Call);

/// The object whose element `v[i]`, `*p`, `v.at(i)` or `v.front()` is.
const clang::Expr *containerOf(const clang::CallExpr *Call);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_SHAPES_H
