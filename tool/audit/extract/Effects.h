// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call makes of its arguments' memory, streams and handles: the table
// in Effects.def. Add an allocator there.
#ifndef AUTOPROF_AUDIT_EXTRACT_EFFECTS_H
#define AUTOPROF_AUDIT_EXTRACT_EFFECTS_H

#include "clang/AST/Expr.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace autoprof::audit {

struct Effect {
  enum Kind { Makes, Becomes, Returns, Passes } Class;
  unsigned Parameter;
  uint32_t Mask; ///< 0: not known.
  /// For messages: what made it.
  llvm::StringRef Maker;
};

/// The effect of a call of a function that is not the user's and is called
/// `Name` (Names.h), if it has one.
std::optional<Effect> effectOf(llvm::StringRef Name,
                               const clang::CallExpr *Call,
                               const clang::ASTContext &Context);

/// Of a cudaMemcpyKind: the direction, 0 for the one that leaves it to the
/// pointers.
uint32_t directionOf(int64_t Kind);

/// The integer that an expression is, if it is constant.
std::optional<int64_t> constant(const clang::Expr *E,
                                const clang::ASTContext &Context);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_EFFECTS_H
