// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Changes.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Stack.h"

using namespace clang;

namespace autoprof::audit {

const VarDecl *variableOf(const Expr *E) {
  const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  return Ref ? llvm::dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

bool mentions(const Stmt *S, const Variables &Vars) {
  if (!S)
    return false;
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S))
    return Vars.contains(llvm::dyn_cast<VarDecl>(Ref->getDecl()));
  for (const Stmt *Child : S->children())
    if (mentions(Child, Vars))
      return true;
  return false;
}

static void add(const VarDecl *V, Variables &Out) {
  if (V)
    Out.insert(V);
}

static void collect(const Stmt *S, Variables &Out) {
  if (!S)
    return;
  if (const auto *Op = llvm::dyn_cast<BinaryOperator>(S)) {
    if (Op->isAssignmentOp())
      add(variableOf(Op->getLHS()), Out);
  } else if (const auto *Op = llvm::dyn_cast<UnaryOperator>(S)) {
    if (Op->isIncrementDecrementOp())
      add(variableOf(Op->getSubExpr()), Out);
  } else if (const auto *Call = llvm::dyn_cast<CXXOperatorCallExpr>(S)) {
    if (Call->isAssignmentOp() || Call->getOperator() == OO_PlusPlus ||
        Call->getOperator() == OO_MinusMinus)
      add(variableOf(Call->getArg(0)), Out);
  } else if (const auto *For = llvm::dyn_cast<CXXForRangeStmt>(S)) {
    add(For->getLoopVariable(), Out);
  } else if (const auto *Declaration = llvm::dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declaration->decls())
      if (const auto *V = llvm::dyn_cast<VarDecl>(D);
          V && mentions(V->getInit(), Out))
        Out.insert(V);
  }
  for (const Stmt *Child : S->children())
    runWithSufficientStackSpace([] {}, [&] { collect(Child, Out); });
}

Variables changedIn(const Stmt *Loop) {
  Variables Result;
  // Repeat, because a declaration may precede the change of the variable that
  // it depends on.
  for (size_t Before = ~size_t(0); Before != Result.size();) {
    Before = Result.size();
    collect(Loop, Result);
  }
  return Result;
}

const Expr *fixedInitializer(const Expr *E) {
  const VarDecl *V = variableOf(E);
  const auto *F = V && V->hasLocalStorage() && V->getInit()
                      ? llvm::dyn_cast<FunctionDecl>(V->getDeclContext())
                      : nullptr;
  if (!F || !F->getBody())
    return nullptr;
  const Variables Changed = changedIn(F->getBody());
  return Changed.contains(V) || mentions(V->getInit(), Changed) ? nullptr
                                                                : V->getInit();
}

/// Adds variables that are declared or assigned from those in the set.
static void addDerived(const Stmt *S, Variables &Out) {
  if (!S)
    return;
  if (const auto *Op = llvm::dyn_cast<BinaryOperator>(S);
      Op && Op->isAssignmentOp() && mentions(Op->getRHS(), Out))
    add(variableOf(Op->getLHS()), Out);
  if (const auto *Declaration = llvm::dyn_cast<DeclStmt>(S))
    for (const Decl *D : Declaration->decls())
      if (const auto *V = llvm::dyn_cast<VarDecl>(D);
          V && mentions(V->getInit(), Out))
        Out.insert(V);
  for (const Stmt *Child : S->children())
    runWithSufficientStackSpace([] {}, [&] { addDerived(Child, Out); });
}

static void collectOutsideLoops(const Stmt *S, Variables &Out) {
  if (!S || llvm::isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(S))
    return;
  if (const auto *Op = llvm::dyn_cast<UnaryOperator>(S);
      Op && Op->isIncrementDecrementOp())
    add(variableOf(Op->getSubExpr()), Out);
  if (const auto *Op = llvm::dyn_cast<CompoundAssignOperator>(S))
    add(variableOf(Op->getLHS()), Out);
  for (const Stmt *Child : S->children())
    collectOutsideLoops(Child, Out);
}

Variables countedBy(const Stmt *Loop) {
  Variables Result;
  if (const auto *For = llvm::dyn_cast<ForStmt>(Loop))
    collect(For->getInc(), Result);
  else if (const auto *For = llvm::dyn_cast<CXXForRangeStmt>(Loop))
    add(For->getLoopVariable(), Result);
  else
    for (const Stmt *Child : Loop->children())
      collectOutsideLoops(Child, Result);
  addDerived(Loop, Result);
  return Result;
}

static void collectVarying(const Stmt *S, bool IsRead, Variables &Out) {
  if (!S)
    return;
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S)) {
    if (!IsRead)
      add(llvm::dyn_cast<VarDecl>(Ref->getDecl()), Out);
    return;
  }
  const auto *Cast = llvm::dyn_cast<ImplicitCastExpr>(S);
  const bool Reads = llvm::isa<ParenExpr>(S)
                         ? IsRead
                         : Cast && Cast->getCastKind() == CK_LValueToRValue;
  for (const Stmt *Child : S->children())
    runWithSufficientStackSpace([] {},
                                [&] { collectVarying(Child, Reads, Out); });
}

Variables variesIn(const Stmt *Body) {
  Variables Result;
  collectVarying(Body, false, Result);
  return Result;
}

} // namespace autoprof::audit
