// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Needs.h"

#include "audit/extract/Trips.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace autoprof::audit {

namespace {

class NeedsFinder {
  const FunctionDecl *F;
  const Variables &Varying;
  const ASTContext &Context;
  ConditionNeeds Result;

public:
  NeedsFinder(const FunctionDecl *F, const Variables &Varying,
              const ASTContext &Context)
      : F(F), Varying(Varying), Context(Context) {}

  ConditionNeeds find(const Expr *Condition, bool Holds) {
    visit(Condition, Holds);
    return std::move(Result);
  }

private:
  void visit(const Expr *E, bool Holds) {
    if (const auto *Full = llvm::dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    E = E->IgnoreParenImpCasts();
    if (const auto *Not = llvm::dyn_cast<UnaryOperator>(E);
        Not && Not->getOpcode() == UO_LNot)
      return visit(Not->getSubExpr(), !Holds);
    const auto *Op = llvm::dyn_cast<BinaryOperator>(E);
    if (Op && Op->getOpcode() == (Holds ? BO_LAnd : BO_LOr)) {
      visit(Op->getLHS(), Holds);
      return visit(Op->getRHS(), Holds);
    }
    if (Op && Op->isEqualityOp())
      return compare(Op->getLHS(), Op->getRHS(),
                     (Op->getOpcode() == BO_EQ) == Holds);
    add(E, 0, !Holds);
  }

  void compare(const Expr *Left, const Expr *Right, bool IsEqual) {
    const Number A = numberOf(Left, F, Varying, Context),
                 B = numberOf(Right, F, Varying, Context);
    if (B.Known && B.Param < 0)
      add(Left, B.Offset, IsEqual);
    else if (A.Known && A.Param < 0)
      add(Right, A.Offset, IsEqual);
    else
      Result.NoMore = false;
  }

  void add(const Expr *E, int64_t Value, bool IsEqual) {
    const Number N = numberOf(E, F, Varying, Context);
    if (!N.Known || N.Param < 0) {
      Result.NoMore = false;
      return;
    }
    Value -= N.Offset;
    // A caller's number may become a boolean: any but 0 is true.
    if (F->getParamDecl(N.Param)->getType()->isBooleanType()) {
      IsEqual ^= Value != 0;
      Value = 0;
    }
    Result.All.push_back({N.Param, Value, IsEqual});
  }
};

} // namespace

ConditionNeeds needsOf(const Expr *Condition, bool Holds, const FunctionDecl *F,
                       const Variables &Varying, const ASTContext &Context) {
  if (!F || !Condition || Condition->isTypeDependent() ||
      Condition->isValueDependent())
    return {{}, false};
  return NeedsFinder(F, Varying, Context).find(Condition, Holds);
}

} // namespace autoprof::audit
