// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of a loop's iterations.
#include "audit/extract/Syntax.h"
#include "audit/extract/Terms.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace autoprof::audit {

namespace {

/// The parts of a loop with a condition.
struct LoopParts {
  const Stmt *Init = nullptr, *Body = nullptr;
  const Expr *Condition = nullptr, *Inc = nullptr;
  bool TestsLast = false; ///< do ... while

  static LoopParts of(const Stmt *Loop) {
    if (const auto *For = llvm::dyn_cast<ForStmt>(Loop))
      return {For->getInit(), For->getBody(), For->getCond(), For->getInc()};
    if (const auto *For = llvm::dyn_cast<CXXForRangeStmt>(Loop))
      return {nullptr, For->getBody()};
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

  static Step of(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Op = llvm::dyn_cast<UnaryOperator>(E);
        Op && Op->isIncrementDecrementOp())
      return {variableOf(Op->getSubExpr()),
              Op->isIncrementOp() ? BO_Add : BO_Sub, nullptr};
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
};

bool holds(int64_t A, BinaryOperatorKind Op, int64_t B) {
  switch (Op) {
  case BO_LT:
    return A < B;
  case BO_LE:
    return A <= B;
  case BO_GT:
    return A > B;
  case BO_GE:
    return A >= B;
  default:
    return A != B;
  }
}

std::optional<int64_t> stepped(int64_t N, BinaryOperatorKind Op, int64_t By) {
  constexpr int64_t Large = int64_t(1) << 40;
  const bool MayShift = N >= 0 && By >= 0 && By < 20;
  if (N > Large || N < -Large || By > Large || By < -Large)
    return std::nullopt;
  switch (Op) {
  case BO_Mul:
    return std::abs(By) < 1 << 20 ? std::optional(N * By) : std::nullopt;
  case BO_Div:
    return By ? std::optional(N / By) : std::nullopt;
  case BO_Shl:
    return MayShift ? std::optional(N << By) : std::nullopt;
  case BO_Shr:
    return MayShift ? std::optional(N >> By) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// The number of times that a counter passes a test, if it is stepped after
/// each.
Term countTo(const Term &First, BinaryOperatorKind Op, const Term &Bound,
             BinaryOperatorKind StepOp, Term By) {
  const bool IsConstant = First.Class == Term::Constant &&
                          Bound.Class == Term::Constant &&
                          By.Class == Term::Constant;
  if (StepOp != BO_Add && StepOp != BO_Sub) {
    constexpr int64_t Limit = 1024;
    int64_t Count = 0;
    std::optional<int64_t> Now =
        IsConstant ? std::optional(First.Number) : std::nullopt;
    for (; Now && Count < Limit && holds(*Now, Op, Bound.Number); ++Count)
      Now = stepped(*Now, StepOp, By.Number);
    return Now && Count < Limit ? Term::constant(Count) : Term();
  }
  bool IsUp = StepOp == BO_Add;
  if (By.Class == Term::Constant && By.Number < 0) {
    IsUp = !IsUp;
    By.Number = -By.Number;
  }
  const bool ByOne = By.Class == Term::Constant && By.Number == 1;
  const bool Ends = Op == BO_NE ? ByOne
                    : IsUp      ? Op == BO_LT || Op == BO_LE
                                : Op == BO_GT || Op == BO_GE;
  if (!Ends)
    return {};
  Term Way = IsUp ? simplify(Term::Subtract, {Bound, First})
                  : simplify(Term::Subtract, {First, Bound});
  if (Op == BO_LE || Op == BO_GE)
    Way = simplify(Term::Add, {std::move(Way), Term::constant(1)});
  Term Count = simplify(
      Term::Divide,
      {simplify(Term::Add, {std::move(Way),
                            simplify(Term::Subtract, {By, Term::constant(1)})}),
       By});
  if (Count.Class == Term::Constant)
    Count.Number = std::max<int64_t>(Count.Number, 0);
  return Count;
}

/// The counters of a loop, and how they change.
class Counters {
  const Stmt *Loop;
  const TermMaker &Terms;
  const LoopParts Parts;
  std::vector<Term> Known;

public:
  Counters(const Stmt *Loop, const TermMaker &Terms)
      : Loop(Loop), Terms(Terms), Parts(LoopParts::of(Loop)) {}

  Term count() {
    if (!Parts.Condition)
      return {};
    llvm::SmallVector<const Expr *> Steps;
    addSteps(Parts.Inc, Steps);
    if (!Parts.Inc)
      addStepsOfBody(Steps);
    for (const Expr *E : Steps)
      consider(Step::of(E), Parts.TestsLast);
    anyInside(Parts.Condition, [this](const Stmt *S) {
      if (const auto *Op = llvm::dyn_cast<UnaryOperator>(S);
          Op && Op->isIncrementDecrementOp())
        consider(Step::of(Op), Op->isPrefix());
      return false;
    });
    if (Known.empty())
      return {};
    Term Result = simplify(Term::Least, std::move(Known));
    if (!Parts.TestsLast)
      return Result;
    return simplify(Term::Most, {Term::constant(1),
                                 simplify(Term::Add, {std::move(Result),
                                                      Term::constant(1)})});
  }

private:
  /// Adds the parts of `++i, ++j`.
  static void addSteps(const Expr *Inc,
                       llvm::SmallVectorImpl<const Expr *> &Out) {
    if (!Inc)
      return;
    if (const auto *Full = llvm::dyn_cast<FullExpr>(Inc))
      Inc = Full->getSubExpr();
    const auto *Op = llvm::dyn_cast<BinaryOperator>(Inc->IgnoreParenImpCasts());
    if (!Op || !Op->isCommaOp())
      return Out.push_back(Inc);
    addSteps(Op->getLHS(), Out);
    addSteps(Op->getRHS(), Out);
  }

  /// Adds the statements of the body that each iteration reaches.
  void addStepsOfBody(llvm::SmallVectorImpl<const Expr *> &Out) const {
    const auto *Block = llvm::dyn_cast_or_null<CompoundStmt>(Parts.Body);
    if (!Block)
      return addSteps(llvm::dyn_cast_or_null<Expr>(Parts.Body), Out);
    if (anyInside(Block, [](const Stmt *S) {
          return llvm::isa<ContinueStmt, GotoStmt>(S);
        }))
      return;
    for (const Stmt *S : Block->body())
      addSteps(llvm::dyn_cast<Expr>(S), Out);
  }

  void consider(const Step &By, bool StepsFirst) {
    if (!By.V || !By.V->getType()->isIntegerType() || !isOnlyStep(By.V))
      return;
    const Term Amount = By.Amount ? Terms.of(By.Amount) : Term::constant(1);
    Term First = firstOf(By.V);
    if (First.isOpaque() || Terms.variesIn(Loop, Amount))
      return;
    if (StepsFirst) {
      if (By.Op != BO_Add && By.Op != BO_Sub)
        return;
      First = simplify(By.Op == BO_Add ? Term::Add : Term::Subtract,
                       {std::move(First), Amount});
    }
    test(Parts.Condition, By, First, Amount);
  }

  /// Whether nothing else in the loop changes it.
  bool isOnlyStep(const VarDecl *V) const {
    const Changes::OfVariable &Changed = Terms.changes().of(V);
    unsigned Inside = 0;
    bool IsDirect = false;
    for (const Changes::Change &C : Changed.All) {
      Inside += Terms.changes().isWithin(C.Loop, Loop);
      IsDirect |= C.Loop == Loop;
    }
    return V->hasLocalStorage() && !Changed.IsShared && Inside == 1 && IsDirect;
  }

  /// Handles `int i = 0`, `i = 0`, and a counter that is declared before the
  /// loop and only used by it.
  Term firstOf(const VarDecl *V) const {
    const auto *D = llvm::dyn_cast_or_null<DeclStmt>(Parts.Init);
    if (D && llvm::is_contained(D->decls(), V))
      return Terms.of(V->getInit());
    llvm::SmallVector<const Expr *> Begins;
    addSteps(llvm::dyn_cast_or_null<Expr>(Parts.Init), Begins);
    for (const Expr *E : Begins)
      if (const auto *Op =
              llvm::dyn_cast<BinaryOperator>(E->IgnoreParenImpCasts());
          Op && Op->getOpcode() == BO_Assign && variableOf(Op->getLHS()) == V)
        return Terms.of(Op->getRHS());
    const Changes::OfVariable &Changed = Terms.changes().of(V);
    if (Changed.All.size() != 1 ||
        Changed.DeclaredIn != Terms.changes().LoopAround.lookup(Loop))
      return {};
    const auto *P = llvm::dyn_cast<ParmVarDecl>(V);
    return P && !P->getType()->isReferenceType()
               ? Term{Term::Param, P->getFunctionScopeIndex(), {}, {}}
               : Terms.of(P ? nullptr : V->getInit());
  }

  /// Adds the counts of the parts of a condition that test the counter. For
  /// `a && b`, either one ends the loop.
  void test(const Expr *Condition, const Step &By, const Term &First,
            const Term &Amount) {
    if (const auto *Full = llvm::dyn_cast<FullExpr>(Condition))
      Condition = Full->getSubExpr();
    Condition = Condition->IgnoreParenImpCasts();
    const auto *Op = llvm::dyn_cast<BinaryOperator>(Condition);
    if (Op && Op->getOpcode() == BO_LAnd) {
      test(Op->getLHS(), By, First, Amount);
      return test(Op->getRHS(), By, First, Amount);
    }
    if (tests(Condition, By.V))
      return add(countTo(First, BO_NE, Term::constant(0), By.Op, Amount));
    if (!Op || (!Op->isRelationalOp() && Op->getOpcode() != BO_NE))
      return;
    const Expr *Left = Op->getLHS(), *Right = Op->getRHS();
    BinaryOperatorKind Kind = Op->getOpcode();
    if (!tests(Left, By.V)) { // `10 > i`.
      std::swap(Left, Right);
      if (Kind != BO_NE)
        Kind = BinaryOperator::reverseComparisonOp(Kind);
    }
    const Term Bound = tests(Left, By.V) ? Terms.of(Right) : Term();
    if (!Terms.variesIn(Loop, Bound))
      add(countTo(First, Kind, Bound, By.Op, Amount));
  }

  /// Whether it is `i`, `++i` or `i--`.
  static bool tests(const Expr *E, const VarDecl *V) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Op = llvm::dyn_cast<UnaryOperator>(E);
        Op && Op->isIncrementDecrementOp())
      E = Op->getSubExpr();
    return variableOf(E) == V;
  }

  void add(Term Count) {
    if (!Count.isOpaque())
      Known.push_back(std::move(Count));
  }
};

/// The number of elements of `for (int size : {1, 2, 3})`, or of an array.
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
  if (const auto *Made = llvm::dyn_cast<MaterializeTemporaryExpr>(Range))
    Range = Made->getSubExpr()->IgnoreParenImpCasts();
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

} // namespace

Term iterationsOf(const Stmt *Loop, const TermMaker &Terms) {
  if (exitOf(LoopParts::of(Loop).Body, false) >= Scope::EndsLoop)
    return Term::constant(1);
  if (const auto *For = llvm::dyn_cast<CXXForRangeStmt>(Loop)) {
    const std::optional<int64_t> Length = lengthOf(For, Terms.context());
    return Length ? Term::constant(*Length) : Term();
  }
  return Counters(Loop, Terms).count();
}

} // namespace autoprof::audit
