// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/LoopFlags.h"

#include "audit/extract/Constants.h"
#include "audit/extract/Inside.h"
#include "audit/extract/Lvalues.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace autoprof::audit {

/// Whether it is an assignment that ends the loop, as a statement of its own.
static bool ends(const Stmt *S, const Lvalue &L, bool GoesOnWhile) {
  const auto *E = llvm::dyn_cast<Expr>(S);
  const auto *Op =
      E ? llvm::dyn_cast<BinaryOperator>(E->IgnoreParens()) : nullptr;
  if (!Op || Op->getOpcode() != BO_Assign || !isConstant(Op->getRHS()))
    return false;
  const std::optional<Lvalue> To = lvalueOf(Op->getLHS());
  return To && *To == L && isZero(Op->getRHS()) == GoesOnWhile;
}

/// Whether other code may see the variable: it is no local one, or something
/// keeps its address.
static bool isSharedWith(const Stmt *Function, const Lvalue &L) {
  const VarDecl *V = L.localVariable();
  auto IsV = [V](const Expr *E) {
    const std::optional<Lvalue> Named = E ? lvalueOf(E) : std::nullopt;
    return Named && Named->Base == V;
  };
  return !V || L.IsElement || anyInside(Function, [&](const Stmt *S) {
    if (const auto *Op = llvm::dyn_cast<UnaryOperator>(S))
      return Op->getOpcode() == UO_AddrOf && IsV(Op->getSubExpr());
    if (const auto *Lambda = llvm::dyn_cast<LambdaExpr>(S))
      return llvm::any_of(Lambda->captures(), [V](const auto &C) {
        return C.getCaptureKind() == LCK_ByRef && C.capturesVariable() &&
               C.getCapturedVar() == V;
      });
    const auto *D = llvm::dyn_cast<DeclStmt>(S);
    return D && llvm::any_of(D->decls(), [&](const Decl *Declared) {
             const auto *Ref = llvm::dyn_cast<VarDecl>(Declared);
             return Ref && Ref->getType()->isReferenceType() &&
                    IsV(Ref->getInit());
           });
  });
}

namespace {

/// A flag that a loop tests. Goes on while it is not 0, or while it is 0.
struct LoopFlag {
  Lvalue L;
  bool GoesOnWhile;
  bool IsShared;

  /// Whether the code may let the loop go on: it sets the flag again, or calls
  /// something that may, such as a kernel or a copy that has its address.
  bool mayBeSetIn(const Stmt *S) const {
    if (IsShared &&
        anyInside(S, [](const Stmt *I) { return llvm::isa<CallExpr>(I); }))
      return true;
    bool Result = false;
    forEachStore(S, [&](const Lvalue &To, const Expr *Value) {
      const bool Ends =
          Value && isConstant(Value) && isZero(Value) == GoesOnWhile;
      const bool Holds = To.Base && To.Base == L.Base && !To.Field;
      Result |= (To == L && !Ends) || (!(To == L) && Holds);
    });
    return Result;
  }

  bool endsOnEachWay(const Stmt *Body) const {
    const auto *Block = llvm::dyn_cast<CompoundStmt>(Body);
    if (!Block)
      return ends(Body, L, GoesOnWhile);
    bool Ended = false;
    for (const Stmt *S : Block->body()) {
      Ended = ends(S, L, GoesOnWhile) || (Ended && !mayBeSetIn(S));
      if (!Ended && anyInside(S, [](const Stmt *I) {
            return llvm::isa<ContinueStmt>(I);
          }))
        return false;
    }
    return Ended;
  }
};

} // namespace

bool endsAfterFirst(const Expr *Condition, const LoopCode &Code) {
  const Expr *E = Condition->IgnoreParenImpCasts();
  if (const auto *Op = llvm::dyn_cast<BinaryOperator>(E);
      Op && Op->getOpcode() == BO_LAnd)
    return endsAfterFirst(Op->getLHS(), Code) ||
           endsAfterFirst(Op->getRHS(), Code);
  const auto *Not = llvm::dyn_cast<UnaryOperator>(E);
  const bool Negated = Not && Not->getOpcode() == UO_LNot;
  const std::optional<Lvalue> L = lvalueOf(Negated ? Not->getSubExpr() : E);
  if (!L || !Code.Body)
    return false;
  const LoopFlag Flag{*L, !Negated, isSharedWith(Code.Function, *L)};
  return Flag.endsOnEachWay(Code.Body) && !Flag.mayBeSetIn(Code.Inc) &&
         !Flag.mayBeSetIn(Code.Condition);
}

} // namespace autoprof::audit
