// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables and fields by name: what a condition asks about, and what code
// assigns.
#ifndef AUTOPROF_AUDIT_EXTRACT_LVALUES_H
#define AUTOPROF_AUDIT_EXTRACT_LVALUES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <tuple>

namespace autoprof::audit {

/// `x`, `*x`, `x[i]`, `this->field`, `object.field`.
struct Lvalue {
  const clang::ValueDecl *Base = nullptr; ///< Null: `this`, or any object.
  const clang::FieldDecl *Field = nullptr;
  bool IsElement = false; ///< Behind a pointer, or in an array.

  friend bool operator==(const Lvalue &A, const Lvalue &B) {
    return std::tie(A.Base, A.Field, A.IsElement) ==
           std::tie(B.Base, B.Field, B.IsElement);
  }
  /// A variable that ends with its block, and no object elsewhere.
  const clang::VarDecl *localVariable() const;
};

/// None for what has no name: the result of a call, a constant.
std::optional<Lvalue> lvalueOf(const clang::Expr *E);

/// Does an expression name it?
bool names(const clang::Stmt *S, const Lvalue &L);

/// What may change in code: calls `Visit` for each assignment, increment, and
/// argument by address or reference. `Value` is what is assigned; null where it
/// is not known.
void forEachStore(
    const clang::Stmt *S,
    llvm::function_ref<void(const Lvalue &, const clang::Expr *Value)> Visit);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_LVALUES_H
