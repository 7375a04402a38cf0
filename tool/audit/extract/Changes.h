// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a function changes variables and fields, as far as its text shows.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace autoprof::audit {

using Variables = llvm::DenseSet<const clang::VarDecl *>;

struct Changes {
  struct Change {
    const clang::Stmt *Loop; ///< The innermost one around it, or null.
    /// What is assigned; null: unknown. Or the call that may change it.
    const clang::Expr *Value;
    bool IsAssignment;     ///< Otherwise, a call may change it.
    const clang::Expr *To; ///< As written.
    /// Whether it gets what a parameter or a field has: configuration is
    /// copied, progress is computed.
    bool isCopy() const;
    /// Whether it is an option that is read by a name in quotes.
    bool isInput() const;
  };
  struct OfVariable {
    const clang::Stmt *DeclaredIn = nullptr; ///< The innermost loop, or null.
    llvm::SmallVector<Change, 2> All;        ///< Without its initialization.
    /// Something else may refer to it and change it at any time.
    bool IsShared = false;
  };
  llvm::DenseMap<const clang::VarDecl *, OfVariable> Known;
  llvm::MapVector<const clang::FieldDecl *, llvm::SmallVector<Change, 1>>
      Fields; ///< Of any object.
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
  /// Whether `Loop` is `Outer` or inside of it; `Outer` may be null.
  bool isWithin(const clang::Stmt *Loop, const clang::Stmt *Outer) const;
};

Changes changesIn(const clang::Stmt *Body);

/// The variable that an expression is, or null.
const clang::VarDecl *variableOf(const clang::Expr *E);

/// The static variable to which a call of the function refers, or null:
/// `bool &debug() { static bool On; return On; }`.
const clang::VarDecl *staticOf(const clang::FunctionDecl *F);

bool mentions(const clang::Stmt *S, const Variables &Vars);

/// Whether it is a loop, but not `do { } while (0)`.
bool isLoop(const clang::Stmt *S);

} // namespace autoprof::audit
