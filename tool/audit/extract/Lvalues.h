// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables and fields by name: what a condition tests, and what code assigns.
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
  bool IsElement = false; ///< Through a pointer, or in an array.

  friend bool operator==(const Lvalue &A, const Lvalue &B) {
    return std::tie(A.Base, A.Field, A.IsElement) ==
           std::tie(B.Base, B.Field, B.IsElement);
  }
  /// The variable if it ends with its block and does not refer to another
  /// object; or null.
  const clang::VarDecl *localVariable() const;
};

/// Returns none for expressions without a name: the result of a call, a
/// constant.
std::optional<Lvalue> lvalueOf(const clang::Expr *E);

/// Whether an expression names it.
bool names(const clang::Stmt *S, const Lvalue &L);

/// Calls `Visit` for everything that code may change: each assignment,
/// increment, and argument by address or reference. `Value` is the assigned
/// value; null if unknown.
void forEachStore(
    const clang::Stmt *S,
    llvm::function_ref<void(const Lvalue &, const clang::Expr *Value)> Visit);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_LVALUES_H
