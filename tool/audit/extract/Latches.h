// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that the guarded code makes false
// --------------------------------------------
// `if (!handle) create(&handle)`, `if (need > have) { grow(); have = need; }`,
// `auto known = all.find(key); if (known == all.end()) all[key] = make()`: such
// code runs once, or once for each key or new size, however often it is
// reached. If the same loop also resets the handle, the code runs again.
#ifndef AUTOPROF_AUDIT_EXTRACT_LATCHES_H
#define AUTOPROF_AUDIT_EXTRACT_LATCHES_H

#include "audit/extract/Lvalues.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/ArrayRef.h"

namespace autoprof::audit {

/// Code that runs if a condition holds, or, without `Holds`, if it does not.
struct Guarded {
  const clang::Expr *Condition = nullptr;
  bool Holds = true;
  llvm::ArrayRef<const clang::Stmt *> Code;
  /// The innermost enclosing loop, or the whole body of the function.
  const clang::Stmt *Enclosing = nullptr;
  /// Code is what follows `if (condition) return;`, not a branch.
  bool AfterExit = false;
};

/// The variable that makes guarded code run only once.
struct Latch {
  /// A local variable: the code runs once for each time it is declared. Null:
  /// an object that outlives the function.
  const clang::VarDecl *Variable = nullptr;
};

/// Returns none if the code may run each time.
std::optional<Latch> latchOf(const Guarded &G,
                             const clang::ASTContext &Context);

/// The same for `switch (state)`: the code after a label leaves that state for
/// good. `Label` is the label's value.
std::optional<Latch> latchOfCase(const clang::Expr *State,
                                 const clang::Expr *Label,
                                 llvm::ArrayRef<const clang::Stmt *> Code,
                                 const clang::Stmt *Body,
                                 const clang::ASTContext &Context);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_LATCHES_H
