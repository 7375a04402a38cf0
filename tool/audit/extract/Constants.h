// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that the source shows.
#ifndef AUTOPROF_AUDIT_EXTRACT_CONSTANTS_H
#define AUTOPROF_AUDIT_EXTRACT_CONSTANTS_H

#include "clang/AST/Expr.h"

namespace autoprof::audit {

/// Without full expressions, parentheses, and casts around it.
const clang::Expr *bare(const clang::Expr *E);

/// Whether it is `0`, `false` or `nullptr`.
bool isZero(const clang::Expr *E);

/// Whether it is a literal or an enumerator.
bool isConstant(const clang::Expr *E);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_CONSTANTS_H
