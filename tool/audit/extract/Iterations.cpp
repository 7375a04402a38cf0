// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of a loop's iterations.
#include "audit/extract/Syntax.h"
#include "audit/extract/Terms.h"

#include "source/ast/Loops.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace autoprof::audit {

namespace {

/// The number of times that a counter passes a test, if it is stepped after
/// each.
Term countTo(const Term &First, BinaryOperatorKind Op, const Term &Bound,
             bool IsUp, Term By) {
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

/// Adds the parts of `++i, ++j`.
void addParts(const Expr *E, llvm::SmallVectorImpl<const Expr *> &Out) {
  if (!E)
    return;
  E = bare(E)->IgnoreParenImpCasts();
  const auto *Op = llvm::dyn_cast<BinaryOperator>(E);
  if (!Op || !Op->isCommaOp())
    return Out.push_back(E);
  addParts(Op->getLHS(), Out);
  addParts(Op->getRHS(), Out);
}

/// The counters of a `for` loop, and how they change.
class Counters {
  const ForStmt *Loop;
  const TermMaker &Terms;
  std::vector<Term> Known;

public:
  Counters(const ForStmt *Loop, const TermMaker &Terms)
      : Loop(Loop), Terms(Terms) {}

  Term count() {
    llvm::SmallVector<const Expr *> Steps;
    addParts(Loop->getInc(), Steps);
    for (const Expr *E : Steps)
      if (const auto *Step = llvm::dyn_cast<UnaryOperator>(E);
          Step && Step->isIncrementDecrementOp())
        consider(Step->getSubExpr(), Step->isIncrementOp(), Term::constant(1));
      else if (const auto *Op = llvm::dyn_cast<CompoundAssignOperator>(E);
               Op && (Op->getOpcode() == BO_AddAssign ||
                      Op->getOpcode() == BO_SubAssign))
        consider(Op->getLHS(), Op->getOpcode() == BO_AddAssign,
                 Terms.of(Op->getRHS()));
    return Known.empty() ? Term() : simplify(Term::Least, std::move(Known));
  }

private:
  void consider(const Expr *Counter, bool IsUp, const Term &By) {
    const VarDecl *V = variableOf(Counter);
    if (!Loop->getCond() || !V || !V->getType()->isIntegerType() ||
        !isOnlyStep(V))
      return;
    const Term First = firstOf(V);
    if (!First.isOpaque() && !Terms.variesIn(Loop, By))
      test(Loop->getCond(), V, First, IsUp, By);
  }

  /// Whether nothing else in the loop changes it.
  bool isOnlyStep(const VarDecl *V) const {
    const Changes::OfVariable &Changed = Terms.changes().of(V);
    return V->hasLocalStorage() && !Changed.IsShared &&
           llvm::count_if(Changed.All, [&](const Changes::Change &C) {
             return Terms.changes().isWithin(C.Loop, Loop);
           }) == 1;
  }

  /// Handles `int i = 0` and `i = 0`.
  Term firstOf(const VarDecl *V) const {
    const auto *D = llvm::dyn_cast_or_null<DeclStmt>(Loop->getInit());
    if (D && llvm::is_contained(D->decls(), V))
      return Terms.of(V->getInit());
    llvm::SmallVector<const Expr *> Begins;
    addParts(llvm::dyn_cast_or_null<Expr>(Loop->getInit()), Begins);
    for (const Expr *E : Begins)
      if (const auto *Op = llvm::dyn_cast<BinaryOperator>(E);
          Op && Op->getOpcode() == BO_Assign && variableOf(Op->getLHS()) == V)
        return Terms.of(Op->getRHS());
    return {};
  }

  /// Adds the counts of the parts of a condition that test the counter. For
  /// `a && b`, either one ends the loop.
  void test(const Expr *Condition, const VarDecl *V, const Term &First,
            bool IsUp, const Term &By) {
    const auto *Op =
        llvm::dyn_cast<BinaryOperator>(bare(Condition)->IgnoreParenImpCasts());
    if (Op && Op->getOpcode() == BO_LAnd) {
      test(Op->getLHS(), V, First, IsUp, By);
      return test(Op->getRHS(), V, First, IsUp, By);
    }
    if (!Op || (!Op->isRelationalOp() && Op->getOpcode() != BO_NE))
      return;
    const Expr *Left = Op->getLHS(), *Right = Op->getRHS();
    BinaryOperatorKind Kind = Op->getOpcode();
    if (variableOf(Left) != V) { // `10 > i`.
      std::swap(Left, Right);
      if (Kind != BO_NE)
        Kind = BinaryOperator::reverseComparisonOp(Kind);
    }
    const Term Bound = variableOf(Left) == V ? Terms.of(Right) : Term();
    if (Terms.variesIn(Loop, Bound))
      return;
    Term Count = countTo(First, Kind, Bound, IsUp, By);
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
  if (exitOf(source::loopBody(Loop), false) >= Scope::EndsLoop)
    return Term::constant(1);
  if (const auto *For = llvm::dyn_cast<CXXForRangeStmt>(Loop)) {
    const std::optional<int64_t> Length = lengthOf(For, Terms.context());
    return Length ? Term::constant(*Length) : Term();
  }
  const auto *For = llvm::dyn_cast<ForStmt>(Loop);
  return For ? Counters(For, Terms).count() : Term();
}

} // namespace autoprof::audit
