// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that what they guard makes false
// -------------------------------------------
// `if (!handle) create(&handle)`, `if (need > have) { grow(); have = need; }`,
// `auto known = all.find(key); if (known == all.end()) all[key] = make()`: such
// code runs once, or once for each key or new size, however often it is
// reached. Whoever gives the handle up in the same loop makes it run again.
#ifndef AUTOPROF_AUDIT_EXTRACT_LATCHES_H
#define AUTOPROF_AUDIT_EXTRACT_LATCHES_H

#include "audit/extract/Lvalues.h"

#include "clang/AST/Stmt.h"
#include "llvm/ADT/ArrayRef.h"

namespace autoprof::audit {

/// Code that runs where a condition holds, or, without `Holds`, where it does
/// not.
struct Guarded {
  const clang::Expr *Condition = nullptr;
  bool Holds = true;
  llvm::ArrayRef<const clang::Stmt *> Code;
  /// The innermost loop around, or the whole body of the function.
  const clang::Stmt *Enclosing = nullptr;
};

/// What lets guarded code run only once.
struct Latch {
  /// A local variable: once for each time it is declared. Null: an object that
  /// outlives the function.
  const clang::VarDecl *Variable = nullptr;
};

/// None if the code may run each time.
std::optional<Latch> latchOf(const Guarded &G,
                             const clang::ASTContext &Context);

/// Of `switch (state)`: does the code behind a label leave it for good? `Label`
/// is the value that leads there.
std::optional<Latch> latchOfCase(const clang::Expr *State,
                                 const clang::Expr *Label,
                                 llvm::ArrayRef<const clang::Stmt *> Code,
                                 const clang::Stmt *Body,
                                 const clang::ASTContext &Context);

/// Does the body of a `while (!done)` set `done` on each way through it?
bool endsAfterFirst(const clang::Expr *Condition, const clang::Stmt *Body);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_LATCHES_H
