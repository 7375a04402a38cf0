// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Trips.h"

#include "audit/extract/Inside.h"
#include "audit/extract/LoopFlags.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace autoprof::audit {

static constexpr int64_t Limit = 1024; ///< Larger counts are unknown.

static Number constantNumber(int64_t N) { return {true, -1, N}; }

static int parameterIndex(const VarDecl *V, const FunctionDecl *F) {
  const auto *P = llvm::dyn_cast_or_null<ParmVarDecl>(V);
  if (!P || !F || P->getType()->isReferenceType())
    return -1;
  const unsigned I = P->getFunctionScopeIndex();
  return I < F->getNumParams() && F->getParamDecl(I) == P ? int(I) : -1;
}

/// Adds or subtracts two numbers: `n - 1`, `1 + n`.
static Number add(const Number &A, const Number &B, int Sign) {
  const bool IsSum = A.Known && B.Known && (A.Param < 0 || B.Param < 0) &&
                     (B.Param < 0 || Sign > 0) &&
                     std::abs(A.Offset) < Limit * Limit &&
                     std::abs(B.Offset) < Limit * Limit;
  return IsSum ? Number{true, std::max(A.Param, B.Param),
                        A.Offset + Sign * B.Offset}
               : Number();
}

Number numberOf(const Expr *E, const FunctionDecl *F, const Variables &Varying,
                const ASTContext &Context) {
  if (!E || E->isValueDependent() ||
      !E->getType()->isIntegralOrEnumerationType())
    return {};
  if (Expr::EvalResult Result; E->EvaluateAsInt(Result, Context)) {
    const std::optional<int64_t> N = Result.Val.getInt().tryExtValue();
    return N ? constantNumber(*N) : Number();
  }
  E = E->IgnoreParenImpCasts();
  if (const auto *Op = llvm::dyn_cast<BinaryOperator>(E);
      Op && Op->isAdditiveOp())
    return add(numberOf(Op->getLHS(), F, Varying, Context),
               numberOf(Op->getRHS(), F, Varying, Context),
               Op->getOpcode() == BO_Add ? 1 : -1);
  const VarDecl *V = variableOf(E);
  if (!V || !V->hasLocalStorage() || Varying.contains(V))
    return {};
  if (const int I = parameterIndex(V, F); I >= 0)
    return {true, I, 0};
  return llvm::isa<ParmVarDecl>(V)
             ? Number()
             : numberOf(V->getInit(), F, Varying, Context);
}

namespace {

unsigned changesOf(const Stmt *S, const VarDecl *V, bool IsRead = false) {
  if (!S)
    return 0;
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S))
    return Ref->getDecl() == V && !IsRead;
  const auto *Cast = llvm::dyn_cast<ImplicitCastExpr>(S);
  const bool Reads = llvm::isa<ParenExpr>(S)
                         ? IsRead
                         : Cast && Cast->getCastKind() == CK_LValueToRValue;
  unsigned Result = 0;
  for (const Stmt *Child : S->children())
    Result += changesOf(Child, V, Reads);
  return Result;
}

/// The parts of a loop with a condition.
struct LoopParts {
  const Stmt *Init = nullptr, *Body = nullptr;
  const Expr *Condition = nullptr, *Inc = nullptr;
  bool TestsLast = false; ///< do ... while

  static LoopParts of(const Stmt *Loop) {
    if (const auto *For = llvm::dyn_cast<ForStmt>(Loop))
      return {For->getInit(), For->getBody(), For->getCond(), For->getInc()};
    if (const auto *While = llvm::dyn_cast<WhileStmt>(Loop))
      return {nullptr, While->getBody(), While->getCond()};
    if (const auto *Do = llvm::dyn_cast<DoStmt>(Loop))
      return {nullptr, Do->getBody(), Do->getCond(), nullptr, true};
    return {};
  }
};

/// What `++i`, `i += k` or `i = i + k` does to its variable.
struct Step {
  const VarDecl *V = nullptr;
  BinaryOperatorKind Op = BO_Add;
  const Expr *Amount = nullptr; ///< Null: 1.
};

Step stepOf(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Op = llvm::dyn_cast<UnaryOperator>(E);
      Op && Op->isIncrementDecrementOp())
    return {variableOf(Op->getSubExpr()), Op->isIncrementOp() ? BO_Add : BO_Sub,
            nullptr};
  const auto *Op = llvm::dyn_cast<BinaryOperator>(E);
  if (!Op || !Op->isAssignmentOp())
    return {};
  const VarDecl *V = variableOf(Op->getLHS());
  if (Op->isCompoundAssignmentOp())
    return {V, BinaryOperator::getOpForCompoundAssignment(Op->getOpcode()),
            Op->getRHS()};
  const auto *Value =
      llvm::dyn_cast<BinaryOperator>(Op->getRHS()->IgnoreParenImpCasts());
  if (!V || !Value)
    return {};
  if (variableOf(Value->getLHS()) == V)
    return {V, Value->getOpcode(), Value->getRHS()};
  const bool MaySwap =
      Value->getOpcode() == BO_Add || Value->getOpcode() == BO_Mul;
  if (MaySwap && variableOf(Value->getRHS()) == V)
    return {V, Value->getOpcode(), Value->getLHS()};
  return {};
}

/// The counter of a loop and how it changes.
class Counter {
  const Stmt *Loop;
  const LoopContext &In;
  const LoopParts Parts;
  const VarDecl *V = nullptr;
  Step By;
  Number First;

public:
  Counter(const Stmt *Loop, const LoopContext &In)
      : Loop(Loop), In(In), Parts(LoopParts::of(Loop)) {}

  Number trips() {
    if (!Parts.Condition)
      return {};
    llvm::SmallVector<const Expr *> Steps;
    addSteps(Parts.Inc, Steps);
    if (!Parts.Inc)
      addStepsOfBody(Steps);
    for (const Expr *S : Steps) {
      By = stepOf(S);
      V = By.V;
      if (!V || !isOnlyStep() || !findBegin())
        continue;
      const Number Result = tripsWhile(Parts.Condition);
      if (Result.Known && !Parts.TestsLast)
        return Result;
      if (Result.Known && Result.Param < 0)
        return constantNumber(std::max<int64_t>(Result.Offset, 1));
    }
    return {};
  }

private:
  Number number(const Expr *E) const {
    return numberOf(E, In.F, In.Varying, In.Context);
  }

  /// Adds the parts of `++i, ++j`.
  static void addSteps(const Expr *Inc,
                       llvm::SmallVectorImpl<const Expr *> &Out) {
    if (!Inc)
      return;
    const auto *Op = llvm::dyn_cast<BinaryOperator>(Inc->IgnoreParenImpCasts());
    if (!Op || !Op->isCommaOp())
      return Out.push_back(Inc);
    addSteps(Op->getLHS(), Out);
    addSteps(Op->getRHS(), Out);
  }

  /// Adds the statements of the body that each iteration reaches.
  void addStepsOfBody(llvm::SmallVectorImpl<const Expr *> &Out) const {
    const auto *Block = llvm::dyn_cast_or_null<CompoundStmt>(Parts.Body);
    if (!Block || anyInside(Block, [](const Stmt *S) {
          return llvm::isa<ContinueStmt, GotoStmt>(S);
        }))
      return;
    for (const Stmt *S : Block->body())
      if (const auto *E = llvm::dyn_cast<Expr>(S))
        addSteps(E, Out);
  }

  bool isOnlyStep() const {
    if (changesOf(Parts.Condition, V))
      return false;
    return Parts.Inc ? changesOf(Parts.Inc, V) == 1 &&
                           !changedIn(Parts.Body).contains(V)
                     : changesOf(Parts.Body, V) == 1;
  }

  /// Handles `int i = 0`, `i = 0`, or a counter that is declared before the
  /// loop.
  bool findBegin() {
    const Expr *Begin = nullptr;
    const auto *D = llvm::dyn_cast_or_null<DeclStmt>(Parts.Init);
    const auto *Op = llvm::dyn_cast_or_null<BinaryOperator>(Parts.Init);
    const bool IsDeclared = D && llvm::is_contained(D->decls(), V);
    if (Op && Op->getOpcode() == BO_Assign)
      Begin = variableOf(Op->getLHS()) == V ? Op->getRHS() : nullptr;
    else if (IsDeclared || (!Parts.Init && V->hasLocalStorage() &&
                            keepsValueUntilLoop(In.Body)))
      Begin = V->getInit();
    First = Begin ? number(Begin) : Number();
    return First.Known;
  }

  /// Whether the code before the loop only reads the counter, and the loop is
  /// not nested in another one.
  bool keepsValueUntilLoop(const Stmt *S) const {
    for (const Stmt *Child : S->children()) {
      if (!Child)
        continue;
      if (Child == Loop)
        return true;
      if (!anyInside(Child, [this](const Stmt *I) { return I == Loop; })) {
        if (variesIn(Child).contains(V))
          return false;
      } else {
        return !llvm::isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt,
                          LambdaExpr>(Child) &&
               keepsValueUntilLoop(Child);
      }
    }
    return false;
  }

  /// For `a && b`, either one ends the loop.
  Number tripsWhile(const Expr *Condition) const {
    const auto *Op =
        llvm::dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
    if (!Op)
      return {};
    if (Op->getOpcode() != BO_LAnd)
      return tripsUntil(Op);
    const Number A = tripsWhile(Op->getLHS()), B = tripsWhile(Op->getRHS());
    if (A.Known && B.Known && A.Param < 0 && B.Param < 0)
      return A.Offset < B.Offset ? A : B;
    return A.Known && (A.Param < 0 || !B.Known) ? A : B;
  }

  Number tripsUntil(const BinaryOperator *Compare) const {
    BinaryOperatorKind Op = Compare->getOpcode();
    const Expr *Left = Compare->getLHS(), *Right = Compare->getRHS();
    if (variableOf(Left) != V) { // `10 > i`.
      std::swap(Left, Right);
      Op = BinaryOperator::isRelationalOp(Op)
               ? BinaryOperator::reverseComparisonOp(Op)
               : Op;
    }
    const Number Bound = number(Right);
    if (variableOf(Left) != V || !Bound.Known)
      return {};
    return First.Param < 0 && Bound.Param < 0 ? count(Op, Bound.Offset)
                                              : difference(Op, Bound);
  }

  Number count(BinaryOperatorKind Op, int64_t Bound) const {
    int64_t Current = First.Offset, Count = 0;
    while (holds(Current, Op, Bound) && Count < Limit) {
      const std::optional<int64_t> Next = step(Current);
      if (!Next)
        return {};
      Current = *Next;
      ++Count;
    }
    return Count < Limit ? constantNumber(Count) : Number();
  }

  /// The trip count of a counter that goes from or to a parameter in steps of
  /// one.
  Number difference(BinaryOperatorKind Op, const Number &Bound) const {
    const std::optional<int64_t> Step = step(0);
    const bool Up = Step == 1 && (Op == BO_LT || Op == BO_LE || Op == BO_NE);
    const bool Down = Step == -1 && (Op == BO_GT || Op == BO_GE || Op == BO_NE);
    if (!Up && !Down)
      return {};
    Number Result = Up ? add(Bound, First, -1) : add(First, Bound, -1);
    Result.Offset += Op == BO_LE || Op == BO_GE;
    return Result;
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
      return true; // Endless, as far as is known.
    }
  }

  /// The counter after a step.
  std::optional<int64_t> step(int64_t Current) const {
    const Number Amount = By.Amount ? number(By.Amount) : constantNumber(1);
    // Give up on numbers so large that a step could overflow.
    if (!Amount.Known || Amount.Param >= 0 ||
        std::abs(Current) > Limit * Limit ||
        std::abs(Amount.Offset) > Limit * Limit)
      return std::nullopt;
    const bool MayShift =
        Current >= 0 && Amount.Offset >= 0 && Amount.Offset < 32;
    switch (By.Op) {
    case BO_Add:
      return Current + Amount.Offset;
    case BO_Sub:
      return Current - Amount.Offset;
    case BO_Mul:
      return Current * Amount.Offset;
    case BO_Div:
      return Amount.Offset ? std::optional(Current / Amount.Offset)
                           : std::nullopt;
    case BO_Shl:
      return MayShift ? std::optional(Current << Amount.Offset) : std::nullopt;
    case BO_Shr:
      return MayShift ? std::optional(Current >> Amount.Offset) : std::nullopt;
    default:
      return std::nullopt;
    }
  }
};

//===-- A function that counts down ---------------------------------------===//

/// A function that begins with `if (left-- <= 0) return -1;`: the parameter
/// passed by reference, the number of calls that get past the check if its
/// initial value is N (N plus Offset), and the value returned afterwards.
struct CountedCall {
  unsigned Param = 0;
  int64_t Offset = 0;
  int64_t Returns = 0;
};

std::optional<int64_t> integer(const Expr *E, const ASTContext &Context) {
  const Number N = numberOf(E, nullptr, {}, Context);
  return N.Known ? std::optional(N.Offset) : std::nullopt;
}

std::optional<CountedCall> asksCounter(const IfStmt *If,
                                       const FunctionDecl *Callee,
                                       const ASTContext &Context) {
  const auto *Compare =
      llvm::dyn_cast<BinaryOperator>(If->getCond()->IgnoreParenImpCasts());
  const auto *Step = Compare ? llvm::dyn_cast<UnaryOperator>(
                                   Compare->getLHS()->IgnoreParenImpCasts())
                             : nullptr;
  const Stmt *Then = If->getThen();
  if (const auto *Block = llvm::dyn_cast<CompoundStmt>(Then))
    Then = Block->size() == 1 ? Block->body_front() : nullptr;
  const auto *Return = llvm::dyn_cast_or_null<ReturnStmt>(Then);
  if (!Step || !Step->isDecrementOp() || !Return || !Return->getRetValue())
    return std::nullopt;
  const auto *P =
      llvm::dyn_cast_or_null<ParmVarDecl>(variableOf(Step->getSubExpr()));
  const std::optional<int64_t> Least = integer(Compare->getRHS(), Context),
                               Value = integer(Return->getRetValue(), Context);
  if (!P || !P->getType()->isReferenceType() || !Least || !Value ||
      changesOf(Callee->getBody(), P) != 1)
    return std::nullopt;
  int64_t Offset = -*Least - Step->isPrefix();
  if (Compare->getOpcode() == BO_LT)
    ++Offset;
  else if (Compare->getOpcode() != BO_LE && Compare->getOpcode() != BO_EQ)
    return std::nullopt;
  return CountedCall{P->getFunctionScopeIndex(), Offset, *Value};
}

std::optional<CountedCall> countedCall(const CallExpr *Call,
                                       const ASTContext &Context) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  Callee = Callee ? Callee->getDefinition() : nullptr;
  const auto *Body =
      Callee ? llvm::dyn_cast_or_null<CompoundStmt>(Callee->getBody())
             : nullptr;
  if (!Body)
    return std::nullopt;
  for (const Stmt *S : Body->body()) {
    if (const auto *If = llvm::dyn_cast<IfStmt>(S))
      return asksCounter(If, Callee, Context);
    if (!llvm::isa<DeclStmt, NullStmt>(S))
      return std::nullopt;
  }
  return std::nullopt;
}

/// Handles `while (next(left) == 0)`.
Number tripsByCalls(const WhileStmt *While, const LoopContext &In) {
  const Expr *Condition = While->getCond()->IgnoreParenImpCasts();
  const auto *Compare = llvm::dyn_cast<BinaryOperator>(Condition);
  const auto *Call = llvm::dyn_cast<CallExpr>(
      Compare ? Compare->getLHS()->IgnoreParenImpCasts() : Condition);
  const std::optional<CountedCall> Counted =
      Call ? countedCall(Call, In.Context) : std::nullopt;
  if (!Counted || Counted->Param >= Call->getNumArgs())
    return {};
  if (Compare) {
    const std::optional<int64_t> Asked = integer(Compare->getRHS(), In.Context);
    const bool Ends =
        Asked &&
        ((Compare->getOpcode() == BO_EQ && *Asked != Counted->Returns) ||
         (Compare->getOpcode() == BO_NE && *Asked == Counted->Returns));
    if (!Ends)
      return {};
  } else if (Counted->Returns) {
    return {};
  }
  const VarDecl *V = variableOf(Call->getArg(Counted->Param));
  if (!V || !V->hasLocalStorage() || changesOf(In.Body, V) != 1)
    return {};
  const Number First = numberOf(V->getInit(), In.F, In.Varying, In.Context);
  return add(First, constantNumber(Counted->Offset), 1);
}

} // namespace

std::optional<int64_t> lengthOf(const CXXForRangeStmt *For,
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

/// Whether the body ends with `break` or `return`, and has no `continue`.
static bool leavesInFirst(const Stmt *Body) {
  const auto *Block = llvm::dyn_cast_or_null<CompoundStmt>(Body);
  return Block && !Block->body_empty() &&
         llvm::isa<BreakStmt, ReturnStmt>(Block->body_back()) &&
         !anyInside(Body,
                    [](const Stmt *S) { return llvm::isa<ContinueStmt>(S); });
}

static bool runsOnce(const Stmt *Loop, const Stmt *Function) {
  const LoopParts Parts = LoopParts::of(Loop);
  return leavesInFirst(Parts.Body) ||
         (Parts.Condition &&
          endsAfterFirst(Parts.Condition,
                         {Function, Parts.Body, Parts.Condition, Parts.Inc}));
}

Number tripsOf(const Stmt *Loop, const LoopContext &In) {
  if (runsOnce(Loop, In.Body))
    return constantNumber(1);
  if (const Number Counted = Counter(Loop, In).trips(); Counted.Known)
    return Counted;
  if (const auto *While = llvm::dyn_cast<WhileStmt>(Loop))
    return tripsByCalls(While, In);
  if (const auto *For = llvm::dyn_cast<CXXForRangeStmt>(Loop))
    if (const std::optional<int64_t> Length = lengthOf(For, In.Context))
      return constantNumber(*Length);
  return {};
}

} // namespace autoprof::audit
