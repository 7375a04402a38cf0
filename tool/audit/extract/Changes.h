// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a function changes variables and fields, as far as its text shows.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace autoprof::audit {

using Variables = llvm::DenseSet<const clang::VarDecl *>;

struct Changes {
  struct Change {
    const clang::Stmt *Loop;  ///< The innermost one around it, or null.
    const clang::Expr *Value; ///< What is assigned; null: unknown.
    bool IsAssignment;        ///< Otherwise, a call may change it.
  };
  struct OfVariable {
    const clang::Stmt *DeclaredIn = nullptr; ///< The innermost loop, or null.
    llvm::SmallVector<Change, 2> All;        ///< Without its initialization.
    /// Something else may refer to it and change it at any time.
    bool IsShared = false;
  };
  llvm::DenseMap<const clang::VarDecl *, OfVariable> Known;
  llvm::SetVector<const clang::FieldDecl *> Fields; ///< Of any object.
  /// Those that get a new value, not that of a parameter or of another field:
  /// configuration is copied, progress is computed.
  llvm::SetVector<const clang::FieldDecl *> Computed;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> LoopAround;
  /// Reads of variables before which the text has no change, and the innermost
  /// loops around them.
  llvm::DenseMap<const clang::Expr *, const clang::Stmt *> EarlyReads;

  const OfVariable &of(const clang::VarDecl *V) const;
  /// Whether it always has its initial value.
  bool keepsValue(const clang::VarDecl *V) const {
    return of(V).All.empty() && !of(V).IsShared;
  }
  /// Whether a reference reads the variable's initial value. Null: whether all
  /// do.
  bool readsInitial(const clang::DeclRefExpr *Ref,
                    const clang::VarDecl *V) const;
  /// Whether it gets a new value, see Computed.
  bool isComputed(const clang::VarDecl *V) const;
  /// Whether `Loop` is `Outer` or inside of it; `Outer` may be null.
  bool isWithin(const clang::Stmt *Loop, const clang::Stmt *Outer) const;
};

Changes changesIn(const clang::Stmt *Body);

/// The variable that an expression is, or null.
const clang::VarDecl *variableOf(const clang::Expr *E);

bool mentions(const clang::Stmt *S, const Variables &Vars);

/// Whether it is a loop, but not `do { } while (0)`.
bool isLoop(const clang::Stmt *S);

} // namespace autoprof::audit
