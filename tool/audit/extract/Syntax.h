// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about the syntax tree: text, forms of expressions, how branches
// end, and whether code asks if the GPU is done.
#pragma once

#include "audit/Model.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

#include <string>

namespace autoprof::audit {

/// The text of an expression as written, on one line, with at most 60
/// characters.
std::string shortText(clang::SourceRange R, const clang::ASTContext &Context);

/// Whether the predicate holds for a statement or one nested in it. False for
/// null.
template <typename Predicate>
bool anyInside(const clang::Stmt *S, const Predicate &Matches) {
  if (!S)
    return false;
  if (Matches(S))
    return true;
  // The children of an OpenMP region are only what it captures.
  if (const auto *Region = llvm::dyn_cast<clang::CapturedStmt>(S))
    return anyInside(Region->getCapturedStmt(), Matches);
  for (const clang::Stmt *Child : S->children())
    if (anyInside(Child, Matches))
      return true;
  return false;
}

/// Whether it is a call of cudaStreamQuery, cudaEventQuery or the like.
bool isQuery(const clang::Stmt *S);

/// Whether a loop only waits for another thread: nothing but its condition
/// runs, which reads volatile memory or an atomic variable.
bool spins(const clang::Expr *Condition, const clang::Stmt *Body);

/// The condition of a loop, or null.
const clang::Expr *conditionOf(const clang::Stmt *Loop);

/// How the code always ends. `InSwitch`: a `break` there ends a switch.
Scope::Exit exitOf(const clang::Stmt *Code, bool InSwitch);
Scope::Exit exitOf(llvm::ArrayRef<const clang::Stmt *> Code, bool InSwitch);

/// Whether the code always throws, ends the program, or returns an error: an
/// error code of an API, or -1, false or a null pointer after a message to
/// stderr.
bool givesUp(const clang::Stmt *Code, const clang::ASTContext &Context);

/// cudaError_t, cublasStatus_t, CUresult, ncclResult_t and the like.
bool isStatus(clang::QualType T);

/// cudaStream_t, CUstream and HIP's.
bool isStream(clang::QualType T);
/// The same of events.
bool isEvent(clang::QualType T);

/// Without parentheses, temporaries and default arguments around it, but with
/// casts.
const clang::Expr *bare(const clang::Expr *E);

/// Strips casts, too.
const clang::Expr *strip(const clang::Expr *E);

/// The variable, field or function that an expression names, or null.
const clang::ValueDecl *namedBy(const clang::Expr *E);

/// Whether it is a smart pointer, std::optional or std::function, which says as
/// a condition whether it holds anything.
bool isHolder(clang::QualType T);

/// The holder of which a call asks for that or for its content: `if (p)`,
/// `p.get()`, `p == nullptr`; null: it asks for something else.
const clang::Expr *holderAsked(const clang::CallExpr *Call);

/// "data" for `v.data()`; "" if it is not a method.
llvm::StringRef methodName(const clang::CallExpr *Call);

/// `v` for `v.data()` and `v[i]`, or null.
const clang::Expr *objectOf(const clang::CallExpr *Call);

/// The object of `v.data()`, `p.get()` or `v.begin()`, if the method returns
/// its memory; otherwise null.
const clang::Expr *ownerOf(const clang::CallExpr *Call);

/// The object whose element `v[i]`, `*p`, `v.at(i)` or `v.front()` is.
const clang::Expr *containerOf(const clang::CallExpr *Call);

} // namespace autoprof::audit
