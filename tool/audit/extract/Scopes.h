// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops and conditions around each call of a function's body.
#ifndef AUTOPROF_AUDIT_EXTRACT_SCOPES_H
#define AUTOPROF_AUDIT_EXTRACT_SCOPES_H

#include "audit/Model.h"
#include "audit/extract/Changes.h"
#include "audit/extract/Conditionals.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace autoprof::audit {

struct Scopes {
  const clang::Stmt *Body = nullptr; ///< Of the function.
  const clang::FunctionDecl *F = nullptr;
  Variables Varying; ///< variesIn(Body)
  std::vector<Scope> All;
  /// Innermost scope of an expression that is a call, a construction, a
  /// deletion, or a condition, or of a return; -1: none.
  int scopeOf(const clang::Stmt *S) const {
    auto It = Innermost.find(S);
    return It == Innermost.end() ? -1 : It->second;
  }
  /// The calls and constructions of the body, in the order of the source.
  std::vector<const clang::Expr *> Calls;
  /// For each condition of a branch or loop: what it decides.
  struct Decision {
    /// Whole, or one of the parts that `&&` and `||` join: control flow knows
    /// only those.
    const clang::Expr *Part;
    const clang::Expr *Condition;
    bool IsLoop;
    int Scope;          ///< Around it; of a loop's: the loop.
    bool Spins = false; ///< Of a loop that only waits for other threads.
  };
  std::vector<Decision> Decisions;

  /// What stands around a call, without parentheses, implicit conversions and
  /// temporaries.
  llvm::DenseMap<const clang::Expr *, const clang::Stmt *> Parents;
  /// The innermost scope that a variable is declared in.
  llvm::DenseMap<const clang::VarDecl *, int> DeclaredIn;
  /// The statement at whose end a variable's name ends.
  llvm::DenseMap<const clang::VarDecl *, const clang::Stmt *> BlockOf;
  llvm::DenseMap<const clang::Stmt *, int> Innermost;
  /// The statement of a scope that is a loop.
  llvm::DenseMap<int, const clang::Stmt *> LoopOf;
};

/// What scopesOf() has to know of a function's surroundings.
struct ScopeContext {
  clang::ASTContext &Context;
  const Conditionals &Preprocessor;
  /// Of a location, in the original text.
  const std::function<Place(clang::SourceLocation)> &PlaceOf;
  /// The slot of a boolean variable, field or result; "": it has none.
  std::function<std::string(const clang::Expr *)> SlotOf;
  const clang::FunctionDecl *F;
};

Scopes scopesOf(const clang::Stmt *Body, const ScopeContext &In);

/// The text of an expression as written, on one line, with at most 60
/// characters.
std::string shortText(clang::SourceRange R, const clang::ASTContext &Context);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_SCOPES_H
