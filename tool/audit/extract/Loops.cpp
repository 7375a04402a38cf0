// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Loops.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace autoprof::audit {

namespace {

/// The counter of a `for` loop and how it goes.
class Counter {
  const ForStmt *For;
  const Variables &Varying;
  const ASTContext &Context;
  const VarDecl *V = nullptr;
  int64_t First = 0;

public:
  Counter(const ForStmt *For, const Variables &Varying,
          const ASTContext &Context)
      : For(For), Varying(Varying), Context(Context) {}

  std::optional<int64_t> trips() {
    if (!For->getCond() || !For->getInc() || !findBegin() ||
        changedIn(For->getBody()).contains(V))
      return std::nullopt;
    return tripsWhile(For->getCond());
  }

private:
  static constexpr int64_t Limit = 1024; ///< More are not counted.

  /// A number, or a variable that never has another value.
  std::optional<int64_t> number(const Expr *E) const {
    if (E->isValueDependent())
      return std::nullopt;
    Expr::EvalResult Result;
    if (E->getType()->isIntegralOrEnumerationType() &&
        E->EvaluateAsInt(Result, Context))
      return Result.Val.getInt().getExtValue();
    const VarDecl *Variable = variableOf(E);
    if (Variable && Variable->hasLocalStorage() &&
        !llvm::isa<ParmVarDecl>(Variable) && Variable->getInit() &&
        !Varying.contains(Variable))
      return number(Variable->getInit());
    return std::nullopt;
  }

  /// `int i = 0` or `i = 0`.
  bool findBegin() {
    const Expr *Begin = nullptr;
    if (const auto *D = llvm::dyn_cast_or_null<DeclStmt>(For->getInit());
        D && D->isSingleDecl()) {
      V = llvm::dyn_cast<VarDecl>(D->getSingleDecl());
      Begin = V ? V->getInit() : nullptr;
    } else if (const auto *Op =
                   llvm::dyn_cast_or_null<BinaryOperator>(For->getInit());
               Op && Op->getOpcode() == BO_Assign) {
      V = variableOf(Op->getLHS());
      Begin = Op->getRHS();
    }
    const std::optional<int64_t> N =
        V && Begin ? number(Begin) : std::optional<int64_t>();
    First = N.value_or(0);
    return N.has_value();
  }

  /// Of `a && b`, either one ends the loop.
  std::optional<int64_t> tripsWhile(const Expr *Condition) const {
    const auto *Op =
        llvm::dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
    if (!Op)
      return std::nullopt;
    if (Op->getOpcode() != BO_LAnd)
      return tripsUntil(Op);
    const auto A = tripsWhile(Op->getLHS()), B = tripsWhile(Op->getRHS());
    return A && B ? std::min(*A, *B) : A ? A : B;
  }

  std::optional<int64_t> tripsUntil(const BinaryOperator *Compare) const {
    BinaryOperatorKind Op = Compare->getOpcode();
    const Expr *Left = Compare->getLHS(), *Right = Compare->getRHS();
    if (variableOf(Left) != V) { // 10 > i
      std::swap(Left, Right);
      Op = BinaryOperator::isRelationalOp(Op)
               ? BinaryOperator::reverseComparisonOp(Op)
               : Op;
    }
    const std::optional<int64_t> Bound = number(Right);
    if (variableOf(Left) != V || !Bound)
      return std::nullopt;
    int64_t Current = First, Count = 0;
    while (holds(Current, Op, *Bound) && Count < Limit) {
      const std::optional<int64_t> Next = step(Current);
      if (!Next)
        return std::nullopt;
      Current = *Next;
      ++Count;
    }
    return Count < Limit ? std::optional(Count) : std::nullopt;
  }

  static bool holds(int64_t A, BinaryOperatorKind Op, int64_t B) {
    switch (Op) {
    case BO_LT:
      return A < B;
    case BO_LE:
      return A <= B;
    case BO_GT:
      return A > B;
    case BO_GE:
      return A >= B;
    case BO_NE:
      return A != B;
    default:
      return true; // for ever, as far as is known
    }
  }

  /// `++i`, `i--`, `i += 2`, `i *= 2`, ...
  std::optional<int64_t> step(int64_t Current) const {
    const Expr *Inc = For->getInc()->IgnoreParenImpCasts();
    if (const auto *Op = llvm::dyn_cast<UnaryOperator>(Inc);
        Op && Op->isIncrementDecrementOp() && variableOf(Op->getSubExpr()) == V)
      return Current + (Op->isIncrementOp() ? 1 : -1);
    const auto *Op = llvm::dyn_cast<CompoundAssignOperator>(Inc);
    const std::optional<int64_t> Amount = Op && variableOf(Op->getLHS()) == V
                                              ? number(Op->getRHS())
                                              : std::nullopt;
    // Numbers so large that a step might not fit are not counted.
    if (!Amount || std::abs(Current) > Limit * Limit ||
        std::abs(*Amount) > Limit * Limit)
      return std::nullopt;
    switch (Op->getOpcode()) {
    case BO_AddAssign:
      return Current + *Amount;
    case BO_SubAssign:
      return Current - *Amount;
    case BO_MulAssign:
      return Current * *Amount;
    case BO_DivAssign:
      return *Amount ? std::optional(Current / *Amount) : std::nullopt;
    default:
      return std::nullopt;
    }
  }
};

} // namespace

/// `for (int size : {1, 2, 3})`, or over an array.
static std::optional<int64_t> lengthOf(const CXXForRangeStmt *For,
                                       const ASTContext &Context) {
  const Expr *Range = For->getRangeInit();
  if (!Range || Range->isTypeDependent())
    return std::nullopt;
  Range = Range->IgnoreParenImpCasts();
  if (const auto *Full = llvm::dyn_cast<FullExpr>(Range))
    Range = Full->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *List = llvm::dyn_cast<CXXStdInitializerListExpr>(Range))
    Range = List->getSubExpr()->IgnoreParenImpCasts();
  if (const auto *Array = Context.getAsConstantArrayType(Range->getType()))
    return Array->getSize().getSExtValue();
  const auto *Class = llvm::dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      Range->getType()->getAsCXXRecordDecl());
  if (Class && Class->isInStdNamespace() && Class->getName() == "array" &&
      Class->getTemplateArgs().size() == 2 &&
      Class->getTemplateArgs()[1].getKind() == TemplateArgument::Integral)
    return Class->getTemplateArgs()[1].getAsIntegral().getExtValue();
  return std::nullopt;
}

std::optional<int64_t> tripsOf(const Stmt *Loop, const Variables &Varying,
                               const ASTContext &Context) {
  if (const auto *For = llvm::dyn_cast<ForStmt>(Loop))
    return Counter(For, Varying, Context).trips();
  if (const auto *For = llvm::dyn_cast<CXXForRangeStmt>(Loop))
    return lengthOf(For, Context);
  return std::nullopt;
}

static bool setsDevice(const Stmt *S, const Variables &Vars) {
  if (!S)
    return false;
  const auto *Call = llvm::dyn_cast<CallExpr>(S);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  if (F && F->getIdentifier() && F->getName() == "cudaSetDevice" &&
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
