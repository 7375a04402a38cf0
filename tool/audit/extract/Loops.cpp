// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Loops.h"

#include "audit/extract/Inside.h"
#include "audit/extract/Trips.h"
#include "catalogue/HipNames.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace autoprof::audit {

/// Whether it is `n *= 2`, `n = n * 2` or `n <<= 1` for one of these variables.
static bool multiplies(const Stmt *S, const Variables &Any) {
  return anyInside(S, [&Any](const Stmt *Inner) {
    const auto *Op = llvm::dyn_cast<BinaryOperator>(Inner);
    if (!Op || !Op->isAssignmentOp() || !mentions(Op->getLHS(), Any))
      return false;
    const auto IsScaling = [](BinaryOperatorKind Kind) {
      return llvm::is_contained({BO_Mul, BO_Div, BO_Shl, BO_Shr}, Kind);
    };
    if (Op->isCompoundAssignmentOp())
      return IsScaling(
          BinaryOperator::getOpForCompoundAssignment(Op->getOpcode()));
    const auto *Value =
        llvm::dyn_cast<BinaryOperator>(Op->getRHS()->IgnoreParenImpCasts());
    return Value && IsScaling(Value->getOpcode()) && mentions(Value, Any);
  });
}

static Variables variablesIn(const Expr *Condition) {
  Variables Result;
  anyInside(Condition, [&Result](const Stmt *S) {
    if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S))
      if (const auto *V = llvm::dyn_cast<VarDecl>(Ref->getDecl()))
        Result.insert(V);
    return false;
  });
  return Result;
}

bool triesSizes(const Stmt *Loop, const ASTContext &Context) {
  if (const auto *For = llvm::dyn_cast<CXXForRangeStmt>(Loop))
    return lengthOf(For, Context).has_value();
  if (const auto *For = llvm::dyn_cast<ForStmt>(Loop))
    return For->getInc() && multiplies(For->getInc(), countedBy(Loop));
  if (const auto *While = llvm::dyn_cast<WhileStmt>(Loop))
    return multiplies(While->getBody(), variablesIn(While->getCond()));
  return false;
}

/// Adds pointers that a loop redirects: `std::swap(in, out)`, `p = next`.
static void addMovedPointers(const Stmt *Loop, Variables &Out) {
  for (const VarDecl *V : changedIn(Loop))
    if (V->getType()->isPointerType())
      Out.insert(V);
  anyInside(Loop, [&Out](const Stmt *S) {
    const auto *Call = llvm::dyn_cast<CallExpr>(S);
    const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
    if (F && F->getIdentifier() && F->getName().contains_insensitive("swap"))
      for (const Expr *Arg : Call->arguments())
        if (const VarDecl *V = variableOf(Arg))
          Out.insert(V);
    return false;
  });
}

static bool prints(const CallExpr *Call) {
  if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Call))
    return Op->getOperator() == OO_LessLess;
  const FunctionDecl *F = Call->getDirectCallee();
  return F && F->getIdentifier() && F->getName().contains("print");
}

/// Whether it is `i == 0`.
static bool isFirst(const Expr *Condition) {
  const auto *Op =
      llvm::dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  return Op && Op->getOpcode() == BO_EQ &&
         llvm::isa<IntegerLiteral>(Op->getRHS()->IgnoreParenImpCasts());
}

bool repeatsWork(const Stmt *Loop) {
  const auto *For = llvm::dyn_cast<ForStmt>(Loop);
  const auto *Condition = For && For->getCond()
                              ? llvm::dyn_cast<BinaryOperator>(
                                    For->getCond()->IgnoreParenImpCasts())
                              : nullptr;
  const auto *Step =
      For ? llvm::dyn_cast_or_null<UnaryOperator>(For->getInc()) : nullptr;
  if (!Condition || !Condition->isComparisonOp() || !Step ||
      !Step->isIncrementDecrementOp() ||
      mentions(Condition, changedIn(For->getBody())))
    return false;
  Variables Moving = countedBy(Loop);
  addMovedPointers(Loop, Moving);
  return !anyInside(For->getBody(), [&Moving](const Stmt *S) {
    if (const auto *If = llvm::dyn_cast<IfStmt>(S))
      return mentions(If->getCond(), Moving) && !isFirst(If->getCond());
    if (const auto *Op = llvm::dyn_cast<ConditionalOperator>(S))
      return mentions(Op->getCond(), Moving);
    if (const auto *Switch = llvm::dyn_cast<SwitchStmt>(S))
      return mentions(Switch->getCond(), Moving);
    const auto *Call = llvm::dyn_cast<CallExpr>(S);
    return Call && !prints(Call) && mentions(Call, Moving);
  });
}

static bool setsDevice(const Stmt *S, const Variables &Vars) {
  if (!S)
    return false;
  const auto *Call = llvm::dyn_cast<CallExpr>(S);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  if (F && F->getIdentifier() &&
      F->getName().contains_insensitive("SetDevice") &&
      Call->getNumArgs() == 1 && mentions(Call->getArg(0), Vars))
    return true;
  for (const Stmt *Child : S->children())
    if (setsDevice(Child, Vars))
      return true;
  return false;
}

bool choosesDevice(const Stmt *Loop) {
  return setsDevice(Loop, countedBy(Loop));
}

} // namespace autoprof::audit
