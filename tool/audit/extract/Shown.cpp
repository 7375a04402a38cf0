// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Shown.h"

#include "audit/extract/Changes.h"
#include "audit/extract/Sinks.h"

#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Stack.h"

using namespace clang;

namespace autoprof::audit {

/// The variable that gets the value of `E`, or null.
static const VarDecl *variableFor(const Expr *E, const Stmt *Parent) {
  if (const auto *Declaration = llvm::dyn_cast_or_null<DeclStmt>(Parent)) {
    for (const Decl *D : Declaration->decls())
      if (const auto *V = llvm::dyn_cast<VarDecl>(D);
          V && V->getInit() && V->getInit()->IgnoreImplicit() == E)
        return V;
    return nullptr;
  }
  const auto *Op = llvm::dyn_cast_or_null<BinaryOperator>(Parent);
  return Op && Op->getOpcode() == BO_Assign &&
                 Op->getRHS()->IgnoreParenImpCasts() == E
             ? variableOf(Op->getLHS())
             : nullptr;
}

namespace {

class Reads {
  const VarDecl *V;
  CalleeOf Callee;

public:
  Reads(const VarDecl *V, CalleeOf Callee) : V(V), Callee(Callee) {}

  /// Whether all reads in `S` are shown. `IsShown`: the value of `S` is.
  bool areShown(const Stmt *S, bool IsShown) const {
    if (!S || llvm::isa<UnaryExprOrTypeTraitExpr>(S))
      return true;
    if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S))
      return IsShown || Ref->getDecl() != V;
    if (const auto *Op = llvm::dyn_cast<BinaryOperator>(S);
        Op && Op->isAssignmentOp()) {
      const bool Overwrites =
          Op->getOpcode() == BO_Assign && variableOf(Op->getLHS()) == V;
      return (Overwrites || areShown(Op->getLHS(), false)) &&
             areShown(Op->getRHS(), false);
    }
    if (const auto *Call = llvm::dyn_cast<CallExpr>(S))
      return areShownBy(Call);
    return childrenAreShown(S, IsShown && llvm::isa<Expr>(S) &&
                                   !llvm::isa<LambdaExpr>(S));
  }

private:
  bool areShownBy(const CallExpr *Call) const {
    const std::optional<Sink> Printer = sinkOf(Call, Callee(Call));
    if (!Printer)
      return childrenAreShown(Call, false);
    for (unsigned I = 0; I < Call->getNumArgs(); ++I)
      if (!areShown(Call->getArg(I), I >= Printer->FirstArgument))
        return false;
    return true;
  }

  bool childrenAreShown(const Stmt *S, bool IsShown) const {
    bool Result = true;
    for (const Stmt *Child : S->children())
      runWithSufficientStackSpace(
          [] {}, [&] { Result = Result && areShown(Child, IsShown); });
    return Result;
  }
};

} // namespace

bool isOnlyShown(const Expr *Call, const Stmt *Parent, const Stmt *Body,
                 CalleeOf Callee) {
  const VarDecl *V = variableFor(Call, Parent);
  return V && V->hasLocalStorage() && !V->getType()->isReferenceType() &&
         Reads(V, Callee).areShown(Body, false);
}

} // namespace autoprof::audit
