// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often a loop goes round, as far as its function tells.
#ifndef AUTOPROF_AUDIT_EXTRACT_TRIPS_H
#define AUTOPROF_AUDIT_EXTRACT_TRIPS_H

#include "audit/Model.h"
#include "audit/extract/Changes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace autoprof::audit {

/// A number that is written, a variable that never has another value, or a
/// parameter of `F` that keeps its value. `Varying`: variables that may have
/// other values than the one they are declared with (variesIn()).
Number numberOf(const clang::Expr *E, const clang::FunctionDecl *F,
                const Variables &Varying, const clang::ASTContext &Context);

struct LoopContext {
  const clang::Stmt *Body; ///< Of the function.
  const clang::FunctionDecl *F;
  const Variables &Varying;
  const clang::ASTContext &Context;
};

/// At most: when the loop's counter goes from a number to a number, a function
/// that its condition calls counts down, or it goes over a list.
Number tripsOf(const clang::Stmt *Loop, const LoopContext &In);

/// The number of elements of `for (int size : {1, 2, 3})`, or of an array.
std::optional<int64_t> lengthOf(const clang::CXXForRangeStmt *For,
                                const clang::ASTContext &Context);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_TRIPS_H
