// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops and conditions around each call in a function's body.
#pragma once

#include "audit/Model.h"
#include "audit/extract/Terms.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>
#include <memory>

namespace autoprof::audit {

struct Scopes {
  std::unique_ptr<TermMaker> Terms;
  std::vector<Scope> All;
  /// The innermost scope of a statement or expression; -1: none.
  int scopeOf(const clang::Stmt *S) const {
    auto It = Innermost.find(S);
    return It == Innermost.end() ? -1 : It->second;
  }
  /// The calls and constructions of the body, in the order of the source.
  std::vector<const clang::Expr *> Calls;
  /// A condition of a branch or loop, or a part of one.
  struct Decision {
    /// The whole condition, or one of the parts joined by `&&` and `||`: the
    /// control-flow graph contains only those.
    const clang::Expr *Part;
    const clang::Expr *Condition;
    bool IsLoop;
    bool Spins = false; ///< The loop only waits for other threads.
  };
  std::vector<Decision> Decisions;

  /// The expression or statement around a call, ignoring parentheses, implicit
  /// conversions and temporaries.
  llvm::DenseMap<const clang::Expr *, const clang::Stmt *> Parents;
  /// The innermost scope that a variable is declared in.
  llvm::DenseMap<const clang::VarDecl *, int> DeclaredIn;
  llvm::DenseMap<const clang::Stmt *, int> Innermost;
  std::vector<const clang::ReturnStmt *> Returns;
};

/// A function's surroundings, as needed by scopesOf().
struct ScopeContext {
  clang::ASTContext &Context;
  /// Returns the place of a location in the original text.
  const std::function<Place(clang::SourceLocation)> &PlaceOf;
  Names &TheNames;
  const clang::FunctionDecl *F;
};

Scopes scopesOf(const clang::Stmt *Body, const ScopeContext &In);

} // namespace autoprof::audit
