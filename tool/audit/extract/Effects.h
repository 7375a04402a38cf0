// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The effects of a call on the memory, streams and handles of its arguments,
// from the table in Effects.def. Add new allocators there.
#pragma once

#include "clang/AST/Expr.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace autoprof::audit {

struct Effect {
  enum Kind { Makes, Becomes, Returns, Passes } Class;
  unsigned Parameter;
  uint32_t Mask; ///< 0: unknown.
};

/// The effect of a call of a function that is not the user's and has the name
/// `Name` (Names.h), if it has one.
std::optional<Effect> effectOf(llvm::StringRef Name,
                               const clang::CallExpr *Call,
                               const clang::ASTContext &Context);

/// The direction of a cudaMemcpyKind; 0 for cudaMemcpyDefault, which leaves it
/// to the pointers.
uint32_t directionOf(int64_t Kind);

/// The value of an integer expression, if it is constant.
std::optional<int64_t> constant(const clang::Expr *E,
                                const clang::ASTContext &Context);

} // namespace autoprof::audit
