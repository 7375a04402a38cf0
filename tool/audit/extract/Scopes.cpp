// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Scopes.h"

#include "audit/extract/Branches.h"
#include "audit/extract/Changes.h"
#include "audit/extract/Latches.h"
#include "audit/extract/Loops.h"
#include "audit/extract/Needs.h"
#include "audit/extract/Periodic.h"
#include "audit/extract/Queries.h"
#include "audit/extract/ShortText.h"
#include "audit/extract/Trips.h"
#include "source/ast/Functions.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Stack.h"

using namespace clang;

namespace autoprof::audit {

namespace {

/// Whether it is `std::call_once(flag, function)` or the like.
bool callsOnce(const CallExpr *Call) {
  const FunctionDecl *F = Call->getDirectCallee();
  return F && F->getIdentifier() &&
         (F->getName() == "call_once" || F->getName() == "pthread_once");
}

class Walker {
  const ScopeContext &In;
  ASTContext &Context;
  const Conditionals &Preprocessor;
  const std::function<Place(SourceLocation)> &PlaceOf;
  Scopes &Out;
  const Stmt *const Body;
  int Innermost = -1;
  bool BreakEndsSwitch = false;
  bool InLoopCondition = false;
  std::vector<const Stmt *> Way;
  llvm::DenseMap<const Expr *, unsigned> Numbers; ///< For Out.Expressions.
  Place Decided; ///< Place of the last condition.

public:
  Walker(const Stmt *Body, const ScopeContext &In, Scopes &Out)
      : In(In), Context(In.Context), Preprocessor(In.Preprocessor),
        PlaceOf(In.PlaceOf), Out(Out), Body(Body) {}

  void walk(const Stmt *S) {
    if (!S)
      return;
    Way.push_back(S);
    runWithSufficientStackSpace([] {}, [&] { enter(S); });
    Way.pop_back();
  }

private:
  int open(Scope::Kind Kind, SourceLocation Loc, std::string Text) {
    Scope S;
    S.Parent = Innermost;
    S.Class = Kind;
    S.Location = PlaceOf(Loc);
    S.Text = std::move(Text);
    Out.All.push_back(std::move(S));
    return Innermost = Out.All.size() - 1;
  }

  void enter(const Stmt *S) {
    const int Outer = Innermost;
    const bool BreakEndedSwitch = BreakEndsSwitch;
    if (const auto *If = llvm::dyn_cast<IfStmt>(S))
      enterIf(If);
    else if (llvm::isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
      enterLoop(S);
    else if (const auto *Switch = llvm::dyn_cast<SwitchStmt>(S))
      enterSwitch(Switch);
    else if (const auto *Block = llvm::dyn_cast<CompoundStmt>(S))
      enterBlock(Block);
    else if (const auto *Op = llvm::dyn_cast<ConditionalOperator>(S)) {
      enterChoice(Op);
    } else if (const auto *Op = llvm::dyn_cast<BinaryOperator>(S);
               Op && Op->isLogicalOp()) {
      walk(Op->getLHS());
      enterRightSide(Op);
    } else if (const auto *Catch = llvm::dyn_cast<CXXCatchStmt>(S)) {
      open(Scope::ErrorPath, Catch->getBeginLoc(), "catch");
      walk(Catch->getHandlerBlock());
    } else if (const auto *Lambda = llvm::dyn_cast<LambdaExpr>(S)) {
      note(Lambda);
    } else if (const auto *Call = llvm::dyn_cast<CallExpr>(S);
               Call && callsOnce(Call)) {
      note(Call);
      open(Scope::Once, Call->getBeginLoc(), "call_once");
      walkChildren(Call);
    } else if (!llvm::isa<UnaryExprOrTypeTraitExpr>(S)) {
      if (const auto *E = llvm::dyn_cast<Expr>(S))
        note(E);
      if (llvm::isa<ReturnStmt>(S))
        Out.Innermost[S] = Innermost;
      if (const auto *Declaration = llvm::dyn_cast<DeclStmt>(S))
        enterDeclaration(Declaration);
      walkChildren(S);
    }
    Innermost = Outer;
    BreakEndsSwitch = BreakEndedSwitch;
  }

  /// Code that runs only if the condition holds, or if it does not.
  void enterOperand(const Expr *Condition, bool Holds, Scope::Kind Kind,
                    const Expr *Code) {
    const int Outer = Innermost;
    const std::string Text = shortText(Condition->getSourceRange(), Context);
    open(Kind, Condition->getBeginLoc(), Holds ? Text : "!(" + Text + ")");
    Out.All[Innermost].Decided = PlaceOf(Condition->getBeginLoc());
    Out.All[Innermost].Asks = slotAskedBy(Condition, Holds);
    walk(Code);
    Innermost = Outer;
  }

  void enterChoice(const ConditionalOperator *Op) {
    walk(Op->getCond());
    decide(Op->getCond(), false);
    for (const bool Holds : {true, false})
      enterOperand(
          Op->getCond(), Holds,
          kindOfOperand(Op->getCond(), Holds,
                        [this](const VarDecl *V) { return isCounted(V); })
              .value_or(Scope::Condition),
          Holds ? Op->getTrueExpr() : Op->getFalseExpr());
  }

  /// The right side of `&&` or `||`.
  void enterRightSide(const BinaryOperator *Op) {
    const bool Holds = Op->getOpcode() == BO_LAnd;
    const std::optional<Scope::Kind> Kind = kindOfOperand(
        Op->getLHS(), Holds, [this](const VarDecl *V) { return isCounted(V); });
    // All parts of a loop's condition run in each iteration.
    const bool IsPlain =
        Kind ? *Kind == Scope::Condition && InLoopCondition
             : InLoopCondition || slotAskedBy(Op->getLHS(), Holds).empty();
    if (IsPlain)
      walk(Op->getRHS());
    else
      enterOperand(Op->getLHS(), Holds, Kind.value_or(Scope::Condition),
                   Op->getRHS());
  }

  /// The slot of the boolean that must be true there, or "".
  std::string slotAskedBy(const Expr *Condition, bool Holds) const {
    const Asked By = askedBy(Condition, Holds);
    return By.Expression && By.IsTrue ? In.SlotOf(By.Expression) : "";
  }

  void walkChildren(const Stmt *S) {
    for (const Stmt *Child : S->children())
      walk(Child);
  }

  void enterDeclaration(const DeclStmt *Declaration) {
    for (const Decl *D : Declaration->decls())
      if (const auto *V = llvm::dyn_cast<VarDecl>(D)) {
        Out.DeclaredIn[V] = Innermost;
        Out.BlockOf[V] = Way[Way.size() - 2];
        if (V->isStaticLocal() && V->getInit())
          open(Scope::Once, V->getBeginLoc(), "static " + V->getNameAsString());
      }
  }

  /// The code after `if (...) return;` is under the negated condition.
  void enterBlock(const CompoundStmt *Block) {
    const llvm::SmallVector<const Stmt *> Parts(Block->body());
    for (size_t I = 0; I < Parts.size(); ++I) {
      walk(Parts[I]);
      const auto *If = llvm::dyn_cast<IfStmt>(Parts[I]);
      if (If && !If->getElse() && leavesAlways(If->getThen()))
        openRest(If, llvm::ArrayRef(Parts).drop_front(I + 1));
    }
  }

  void openRest(const IfStmt *If, llvm::ArrayRef<const Stmt *> Rest) {
    Scope::Kind Kind =
        kindOfRest(If, [this](const VarDecl *V) { return isCounted(V); });
    const std::optional<Latch> L =
        Kind == Scope::Condition
            ? latchOf({If->getCond(), false, Rest, loopAround(), true}, Context)
            : std::nullopt;
    if (Kind == Scope::Condition && !L &&
        llvm::any_of(Rest, [&](const Stmt *S) {
          return isCounterReset(If->getCond(), S, Body);
        }))
      Kind = Scope::EveryNth;
    const Asked By = askedBy(If->getCond(), false);
    std::string Slot = By.Expression ? In.SlotOf(By.Expression) : "";
    // An early return is mostly for cases that do not occur; an iteration that
    // ends early is like one whose branch is not taken.
    const bool Goes =
        Kind == Scope::Condition && !L &&
        (!endsIteration(If->getThen()) || asksForStatus(If->getCond()));
    if (Goes && Slot.empty())
      return;
    const int Outer = Innermost;
    open(Kind, If->getBeginLoc(),
         "!(" + shortText(If->getCond()->getSourceRange(), Context) + ")");
    latch(L, Outer);
    Out.All[Innermost].Asks = std::move(Slot);
    Out.All[Innermost].AsksIfTrue = By.IsTrue;
    Out.All[Innermost].RunsOtherwise = Goes;
    Out.All[Innermost].Decided = PlaceOf(If->getCond()->getBeginLoc());
    require(If->getCond(), false);
  }

  /// Sets what the scope that was just opened needs of parameters.
  void require(const Expr *Condition, bool Holds) {
    ConditionNeeds Needs =
        needsOf(Condition, Holds, In.F, Out.Varying, Context);
    Out.All[Innermost].Needs = std::move(Needs.All);
    Out.All[Innermost].NeedsNoMore = Needs.NoMore;
  }

  /// Marks the scope that was just opened as one that runs once.
  void latch(const std::optional<Latch> &L, int Outer) {
    if (!L)
      return;
    Scope &Now = Out.All[Innermost];
    Now.Class = Scope::Once;
    if (!L->Variable)
      return;
    // Parameters are not declared in a scope.
    auto Declared = Out.DeclaredIn.find(L->Variable);
    Now.Until = Declared == Out.DeclaredIn.end() ? -1 : Declared->second;
    // Each iteration has its own variable, so nothing happens only once.
    if (Now.Until == Outer)
      Now.Class = Scope::Condition;
  }

  const Stmt *loopAround() const {
    for (int I = Innermost; I >= 0; I = Out.All[I].Parent)
      if (auto Loop = Out.LoopOf.find(I); Loop != Out.LoopOf.end())
        return Loop->second;
    return Body;
  }

  void enterSwitch(const SwitchStmt *Switch) {
    walk(Switch->getCond());
    decide(Switch->getCond(), false);
    const Place Condition = Decided;
    const int Inside =
        open(Scope::Condition, Switch->getBeginLoc(),
             shortText(Switch->getCond()->getSourceRange(), Context));
    Out.All[Innermost].Decided = Condition;
    BreakEndsSwitch = true;
    const auto *Block = llvm::dyn_cast<CompoundStmt>(Switch->getBody());
    if (!Block)
      return walk(Switch->getBody());
    const llvm::SmallVector<const Stmt *> Parts(Block->body());
    for (size_t I = 0; I < Parts.size();) {
      size_t End = I + 1;
      while (End < Parts.size() && !llvm::isa<SwitchCase>(Parts[End]))
        ++End;
      enterCase(Switch, llvm::ArrayRef(Parts).slice(I, End - I));
      Innermost = Inside;
      I = End;
    }
  }

  void enterCase(const SwitchStmt *Switch, llvm::ArrayRef<const Stmt *> Code) {
    const auto *Case = llvm::dyn_cast<CaseStmt>(Code.front());
    if (Case && namesKey(Switch->getCond()))
      open(Scope::EveryNth, Code.front()->getBeginLoc(), "case");
    if (std::optional<Latch> L =
            latchOfCase(Switch->getCond(), Case ? Case->getLHS() : nullptr,
                        Code, Body, Context)) {
      const int Outer = Innermost;
      open(Scope::Condition, Code.front()->getBeginLoc(), "case");
      latch(L, Outer);
    }
    for (const Stmt *S : Code)
      walk(S);
  }

  void note(const Expr *E) {
    if (!llvm::isa<CallExpr, CXXConstructExpr, CXXDeleteExpr, CXXNewExpr,
                   LambdaExpr>(E))
      return;
    const int Outer = Innermost;
    Out.Parents[E] = parent();
    if (const Expr *Outermost = unorderedAround())
      Out.Expressions[E] =
          Numbers.try_emplace(Outermost, Numbers.size() + 1).first->second;
    if (const Conditionals::Region *R = Preprocessor.regionAround(
            E->getBeginLoc(), Context.getSourceManager()))
      open(Scope::DebugMacro, R->Loc, R->Macro);
    Out.Innermost[E] = Innermost;
    Out.Calls.push_back(E);
    Innermost = Outer;
  }

  const Stmt *parent() const {
    for (size_t I = Way.size() - 1; I-- > 0;)
      if (!llvm::isa<ParenExpr, ImplicitCastExpr, FullExpr,
                     MaterializeTemporaryExpr, CXXBindTemporaryExpr>(Way[I]) &&
          !(llvm::isa<CXXFunctionalCastExpr>(Way[I]) &&
            llvm::cast<CXXFunctionalCastExpr>(Way[I])->getCastKind() ==
                CK_ConstructorConversion))
        return Way[I];
    return nullptr;
  }

  /// Whether the order of the operands is fixed.
  static bool ordersOperands(const Expr *E) {
    if (const auto *Op = llvm::dyn_cast<BinaryOperator>(E))
      return Op->isLogicalOp() || Op->isAssignmentOp() || Op->isCommaOp();
    if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(E))
      return Op->isAssignmentOp() || Op->getOperator() == OO_LessLess ||
             Op->getOperator() == OO_GreaterGreater ||
             Op->getOperator() == OO_Comma || Op->getOperator() == OO_AmpAmp ||
             Op->getOperator() == OO_PipePipe;
    return llvm::isa<AbstractConditionalOperator, InitListExpr, LambdaExpr,
                     StmtExpr>(E);
  }

  /// The outermost expression around the current one that evaluates its
  /// operands or arguments in any order, or null.
  const Expr *unorderedAround() const {
    const Expr *Result = nullptr;
    for (size_t I = Way.size() - 1; I-- > 0;) {
      const auto *Around = llvm::dyn_cast<Expr>(Way[I]);
      if (!Around || ordersOperands(Around))
        break;
      if (llvm::isa<CallExpr, CXXConstructExpr, BinaryOperator>(Around))
        Result = Around;
    }
    return Result;
  }

  void decide(const Expr *Condition, bool IsLoop) {
    Decided = Condition ? PlaceOf(Condition->getBeginLoc()) : Place();
    if (!Condition)
      return;
    decideParts(Condition, Condition, IsLoop);
    Out.Innermost[Condition] = Innermost;
  }

  void decideParts(const Expr *Part, const Expr *Whole, bool IsLoop) {
    const auto *Op =
        llvm::dyn_cast<BinaryOperator>(Part->IgnoreParenImpCasts());
    if (Op && Op->isLogicalOp()) {
      decideParts(Op->getLHS(), Whole, IsLoop);
      decideParts(Op->getRHS(), Whole, IsLoop);
    } else if (const auto *Not =
                   llvm::dyn_cast<UnaryOperator>(Part->IgnoreParenImpCasts());
               Not && Not->getOpcode() == UO_LNot) {
      decideParts(Not->getSubExpr(), Whole, IsLoop);
    } else {
      Out.Decisions.push_back({Part, Whole, IsLoop, Innermost, false});
    }
  }

  /// Whether an enclosing loop changes the variable.
  bool isCounted(const VarDecl *V) const {
    for (int I = Innermost; I >= 0; I = Out.All[I].Parent)
      if (auto Loop = Out.LoopOf.find(I);
          Loop != Out.LoopOf.end() && changedIn(Loop->second).contains(V))
        return true;
    return false;
  }

  Scope::Kind kindOf(const IfStmt *If, bool Then) const {
    return kindOfBranch(If, Then, BreakEndsSwitch,
                        [this](const VarDecl *V) { return isCounted(V); });
  }

  void enterIf(const IfStmt *If) {
    const int Outer = Innermost;
    walk(If->getInit());
    if (const DeclStmt *Variable = If->getConditionVariableDeclStmt())
      walk(Variable);
    walk(If->getCond());
    decide(If->getCond(), false);
    const std::string Text =
        shortText(If->getCond()->getSourceRange(), Context);
    const Place Condition = Decided;
    openBranch(If, true, Text, Condition);
    walk(If->getThen());
    Innermost = Outer;
    if (!If->getElse())
      return;
    openBranch(If, false, "!(" + Text + ")", Condition);
    walk(If->getElse());
  }

  void openBranch(const IfStmt *If, bool Then, std::string Text,
                  const Place &Condition) {
    const int Outer = Innermost;
    const Stmt *const Branch = Then ? If->getThen() : If->getElse();
    Scope::Kind Kind = kindOf(If, Then);
    if (Kind == Scope::Condition && Then &&
        (asksForKey(If->getCond()) ||
         isTimerReset(If->getCond(), Branch, Body)))
      Kind = Scope::EveryNth;
    if ((Kind == Scope::Condition || Kind == Scope::Once) && Then &&
        isCounterReset(If->getCond(), Branch, Body))
      Kind = Scope::EveryNth;
    const std::optional<Latch> L =
        Kind == Scope::Condition
            ? latchOf({If->getCond(), Then, Branch, loopAround()}, Context)
            : std::nullopt;
    open(Kind, Then ? If->getBeginLoc() : If->getElseLoc(), std::move(Text));
    Out.All[Innermost].End = PlaceOf(Branch->getEndLoc()).Offset;
    latch(L, Outer);
    require(If->getCond(), Then);
    Out.All[Innermost].TestsQuery = queryTestedBy(If->getCond(), loopAround());
    Out.All[Innermost].Decided = Condition;
    if (const Asked By = askedBy(If->getCond(), Then); By.Expression) {
      Out.All[Innermost].Asks = In.SlotOf(By.Expression);
      Out.All[Innermost].AsksIfTrue = By.IsTrue;
    }
  }

  void enterLoop(const Stmt *S) {
    const Stmt *Body = nullptr, *Head = nullptr, *Step = nullptr;
    const Expr *Condition = nullptr;
    if (const auto *For = llvm::dyn_cast<ForStmt>(S)) {
      walk(For->getInit());
      Body = For->getBody();
      Condition = For->getCond();
      Step = For->getInc();
    } else if (const auto *For = llvm::dyn_cast<CXXForRangeStmt>(S)) {
      walk(For->getInit());
      walk(For->getRangeStmt());
      Head = For->getLoopVarStmt();
      Body = For->getBody();
    } else if (const auto *While = llvm::dyn_cast<WhileStmt>(S)) {
      Body = While->getBody();
      Condition = While->getCond();
    } else if (const auto *Do = llvm::dyn_cast<DoStmt>(S)) {
      if (source::runsOnce(Do))
        return walk(Do->getBody());
      Body = Do->getBody();
      Condition = Do->getCond();
    }
    const int Loop =
        open(Scope::Loop, S->getBeginLoc(),
             Condition ? shortText(Condition->getSourceRange(), Context) : "");
    Out.LoopOf[Loop] = S;
    const Number Trips = tripsOf(S, {this->Body, In.F, Out.Varying, Context});
    if (Trips.Known && Trips.Param < 0)
      Out.All[Loop].Trips = Trips.Offset;
    else
      Out.All[Loop].TripsOfCall = Trips;
    Out.All[Loop].Repeats = repeatsWork(S);
    Out.All[Loop].OverDevices = choosesDevice(S);
    Out.All[Loop].Scales = triesSizes(S, Context);
    Out.All[Loop].End = PlaceOf(S->getEndLoc()).Offset;
    Out.All[Loop].TestsQuery = queryTestedBy(Condition, S);
    Out.All[Loop].Polls = pollsTheGPU(Condition, Body);
    walk(Head);
    InLoopCondition = true;
    walk(Condition);
    InLoopCondition = false;
    const size_t Before = Out.Decisions.size();
    decide(Condition, true);
    if (spins(Condition, Body))
      for (size_t I = Before; I < Out.Decisions.size(); ++I)
        Out.Decisions[I].Spins = true;
    BreakEndsSwitch = false;
    walk(Body);
    Innermost = Loop;
    walk(Step);
  }
};

} // namespace

Scopes scopesOf(const Stmt *Body, const ScopeContext &In) {
  Scopes Result;
  Result.Body = Body;
  Result.F = In.F;
  Result.Varying = variesIn(Body);
  Walker(Body, In, Result).walk(Body);
  return Result;
}

} // namespace autoprof::audit
