// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts planned probes into the bodies for which code will be generated.
// This happens after the translation unit was parsed and instantiated, and
// before any of it is passed to the code generator. All diagnostics about the
// user's code have been issued by then, and its text does not change, so
// messages, lines, columns and dependencies are those of the original.
//
// A body is read completely before it is changed: replacements are recorded,
// and made at the end. Only the user's functions, variables and fields, and
// instantiations of the user's templates, are visited.
#pragma once

#include "source/syntax/ProbeNodes.h"
#include "source/syntax/SyntaxPlan.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <functional>

namespace autoprof::source {

class Weaver {
public:
  /// `IsCovered`: code is generated with a coverage map of its branches.
  Weaver(clang::ASTContext &Context, SyntaxPlan &Plan, ProbeNodes &Nodes,
         bool IsCovered)
      : Context(Context), Plan(Plan), Nodes(Nodes), IsCovered(IsCovered) {}

  /// Handles one of the user's declarations, with everything in it and
  /// everything instantiated from it.
  void weave(clang::Decl *D);

private:
  struct Replacement {
    clang::Stmt **Slot;
    clang::Stmt *New;
  };
  /// The changes in one function, or outside functions.
  struct Body {
    clang::DeclContext *Scope;
    std::vector<Replacement> Replacements;
    std::vector<std::function<void()>> Actions;
  };

  template <typename TemplateT> void weaveInstances(TemplateT *T);
  void weaveFunction(clang::FunctionDecl *F);
  void weaveVariable(clang::VarDecl *V);
  void weaveField(clang::FieldDecl *F);
  clang::Expr *memberInitialiser(clang::FieldDecl *F);
  void commit(Body &B);

  clang::Stmt *statement(clang::Stmt *S, Body &B);
  clang::Expr *fullExpression(clang::Expr *E, Body &B);
  clang::Expr *expression(clang::Expr *E, Body &B, bool &HasTemporary);
  clang::Expr *defaultInitialiser(clang::CXXDefaultInitExpr *E, Body &B);
  void children(clang::Stmt *S, Body &B, bool &HasTemporary);
  void lambda(clang::LambdaExpr *L, Body &B, bool &HasTemporary);
  void captured(clang::CapturedStmt *S, Body &B);
  void declarations(clang::DeclStmt *S, Body &B);
  clang::Expr *initialiser(clang::VarDecl *V, Body &B);
  void initialisers(clang::CXXConstructorDecl *C, Body &B);

  clang::ASTContext &Context;
  SyntaxPlan &Plan;
  ProbeNodes &Nodes;
  const bool IsCovered;
  llvm::DenseSet<const clang::Decl *> Woven;
  /// A node may have two parents: both get the same new node, once.
  llvm::DenseMap<const clang::Expr *, clang::Expr *> Wrapped;
  llvm::DenseSet<const clang::Expr *> Made;
  llvm::DenseMap<const clang::FieldDecl *, clang::Expr *> OfMembers;
  /// The probe of the enclosing expression, whose conversions have its place.
  uint64_t EnclosingId = 0;
};

} // namespace autoprof::source
