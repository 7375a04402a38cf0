// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trip count of a loop, as far as its function shows.
#ifndef AUTOPROF_AUDIT_EXTRACT_TRIPS_H
#define AUTOPROF_AUDIT_EXTRACT_TRIPS_H

#include "audit/Model.h"
#include "audit/extract/Changes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace autoprof::audit {

/// The value of a literal, of a variable that never changes, or of a parameter
/// of `F` that keeps its value. `Varying`: variables whose values may differ
/// from their initial ones (variesIn()).
Number numberOf(const clang::Expr *E, const clang::FunctionDecl *F,
                const Variables &Varying, const clang::ASTContext &Context);

struct LoopContext {
  const clang::Stmt *Body; ///< Body of the function.
  const clang::FunctionDecl *F;
  const Variables &Varying;
  const clang::ASTContext &Context;
};

/// The maximum trip count: known if the loop's counter goes from a number to a
/// number, if a function called by its condition counts down, or if it goes
/// over a list.
Number tripsOf(const clang::Stmt *Loop, const LoopContext &In);

/// The number of elements of `for (int size : {1, 2, 3})`, or of an array.
std::optional<int64_t> lengthOf(const clang::CXXForRangeStmt *For,
                                const clang::ASTContext &Context);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_TRIPS_H
