// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Scopes.h"

#include "audit/extract/Syntax.h"
#include "source/ast/Functions.h"
#include "source/ast/Loops.h"

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

/// Whether it contains what scopes are for.
bool calls(const Expr *E) {
  return anyInside(E, [](const Stmt *S) {
    return llvm::isa<CallExpr, CXXConstructExpr, CXXDeleteExpr, CXXNewExpr,
                     LambdaExpr, StmtExpr, CXXThrowExpr>(S);
  });
}

class Walker {
  ASTContext &Context;
  const std::function<Place(SourceLocation)> &PlaceOf;
  Scopes &Out;
  int Innermost = -1;
  bool BreakEndsSwitch = false;
  bool InLoopCondition = false;
  std::vector<const Stmt *> Way;
  /// Terms need the scopes of all loops, so they are made at the end.
  std::vector<std::function<void()>> Later;

public:
  Walker(const ScopeContext &In, Scopes &Out)
      : Context(In.Context), PlaceOf(In.PlaceOf), Out(Out) {}

  void run(const Stmt *Body) {
    walk(Body);
    for (const auto &Make : Later)
      Make();
  }

private:
  void walk(const Stmt *S) {
    if (!S)
      return;
    Way.push_back(S);
    runWithSufficientStackSpace([] {}, [&] { enter(S); });
    Way.pop_back();
  }

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
    const bool IsCall = llvm::isa<CallExpr, CXXConstructExpr, CXXDeleteExpr,
                                  CXXNewExpr, LambdaExpr>(S);
    // What call_once is given runs once.
    if (const auto *Call = llvm::dyn_cast<CallExpr>(S); Call && callsOnce(Call))
      open(Scope::Once, Call->getBeginLoc(), "call_once");
    Out.Innermost[S] = Innermost;
    if (IsCall)
      note(llvm::cast<Expr>(S));
    enterKind(S);
    Innermost = Outer;
    BreakEndsSwitch = BreakEndedSwitch;
  }

  void enterKind(const Stmt *S) {
    if (const auto *If = llvm::dyn_cast<IfStmt>(S))
      return enterIf(If);
    if (isLoop(S))
      return enterLoop(S);
    if (const auto *Switch = llvm::dyn_cast<SwitchStmt>(S))
      return enterSwitch(Switch);
    if (const auto *Block = llvm::dyn_cast<CompoundStmt>(S))
      return enterSequence(llvm::SmallVector<const Stmt *>(Block->body()));
    if (const auto *Op = llvm::dyn_cast<ConditionalOperator>(S))
      return enterChoice(Op);
    if (const auto *Op = llvm::dyn_cast<BinaryOperator>(S);
        Op && Op->isLogicalOp())
      return enterLogical(Op);
    if (const auto *Catch = llvm::dyn_cast<CXXCatchStmt>(S)) {
      open(Scope::Error, Catch->getBeginLoc(), "catch");
      return walk(Catch->getHandlerBlock());
    }
    if (const auto *Do = llvm::dyn_cast<DoStmt>(S))
      return walk(Do->getBody()); // do ... while (0)
    if (const auto *Region = llvm::dyn_cast<CapturedStmt>(S))
      return walk(Region->getCapturedStmt());
    if (llvm::isa<LambdaExpr, UnaryExprOrTypeTraitExpr>(S))
      return;
    if (const auto *Return = llvm::dyn_cast<ReturnStmt>(S))
      Out.Returns.push_back(Return);
    if (const auto *Declaration = llvm::dyn_cast<DeclStmt>(S))
      enterDeclaration(Declaration);
    for (const Stmt *Child : S->children())
      walk(Child);
  }

  void enterDeclaration(const DeclStmt *Declaration) {
    for (const Decl *D : Declaration->decls())
      if (const auto *V = llvm::dyn_cast<VarDecl>(D)) {
        Out.DeclaredIn[V] = Innermost;
        if (V->isStaticLocal() && V->getInit())
          open(Scope::Once, V->getBeginLoc(), "static " + V->getNameAsString());
      }
  }

  //===-- Conditions ------------------------------------------------------===//

  /// A condition in the middle of a macro is shown as the macro has it; one
  /// that is the whole macro, as written.
  SourceRange spelled(SourceRange R) const {
    const SourceManager &SM = Context.getSourceManager();
    if (!SM.isMacroBodyExpansion(R.getBegin()) ||
        !SM.isMacroBodyExpansion(R.getEnd()))
      return R;
    const auto [Macro, Offset] = SM.getDecomposedLoc(R.getBegin());
    return Offset && Macro == SM.getFileID(R.getEnd())
               ? SourceRange(SM.getSpellingLoc(R.getBegin()),
                             SM.getSpellingLoc(R.getEnd()))
               : R;
  }

  std::string text(const Expr *E, bool Holds = true) const {
    if (const auto *Not =
            llvm::dyn_cast<UnaryOperator>(E->IgnoreParenImpCasts());
        Not && Not->getOpcode() == UO_LNot && !Holds)
      return text(Not->getSubExpr()->IgnoreParens());
    std::string Text = shortText(spelled(E->getSourceRange()), Context);
    return Holds ? Text : "!(" + Text + ")";
  }

  /// Opens the scope of code that runs only if the condition holds, or, without
  /// `Holds`, if it does not. It is an error if `IsError` or if it says so.
  void openCondition(const Expr *Condition, bool Holds, SourceLocation Loc,
                     bool IsError) {
    const int Inside = open(IsError ? Scope::Error : Scope::Condition, Loc,
                            text(Condition, Holds));
    Out.All[Inside].Decided = PlaceOf(Condition->getBeginLoc());
    Later.push_back([this, Inside, Condition, Holds] {
      Term When = Out.Terms->truthOf(Condition);
      if (!Holds)
        When = negate(When);
      if (impliesFailure(When))
        Out.All[Inside].Class = Scope::Error;
      Out.All[Inside].When = std::move(When);
    });
  }

  /// One side of a conditional operator, or the right side of `&&` and `||`.
  void enterOperand(const Expr *Condition, bool Holds, const Expr *Code) {
    const int Outer = Innermost;
    if (calls(Code)) {
      openCondition(Condition, Holds, Condition->getBeginLoc(),
                    givesUp(Code, Context));
      Out.All[Innermost].End = PlaceOf(Code->getEndLoc()).Offset;
    }
    walk(Code);
    Innermost = Outer;
  }

  void enterChoice(const ConditionalOperator *Op) {
    walk(Op->getCond());
    decide(Op->getCond(), false);
    enterOperand(Op->getCond(), true, Op->getTrueExpr());
    enterOperand(Op->getCond(), false, Op->getFalseExpr());
  }

  void enterLogical(const BinaryOperator *Op) {
    walk(Op->getLHS());
    // All parts of a loop's condition run in each iteration.
    if (InLoopCondition)
      walk(Op->getRHS());
    else
      enterOperand(Op->getLHS(), Op->getOpcode() == BO_LAnd, Op->getRHS());
  }

  void enterIf(const IfStmt *If) {
    const int Outer = Innermost;
    walk(If->getInit());
    walk(If->getConditionVariableDeclStmt());
    walk(If->getCond());
    decide(If->getCond(), false);
    enterBranch(If, true);
    Innermost = Outer;
    if (If->getElse())
      enterBranch(If, false);
  }

  void enterBranch(const IfStmt *If, bool Then) {
    const Stmt *const Branch = Then ? If->getThen() : If->getElse();
    openCondition(If->getCond(), Then,
                  Then ? If->getBeginLoc() : If->getElseLoc(),
                  givesUp(Branch, Context));
    Scope &Inside = Out.All[Innermost];
    Inside.Ends = exitOf(Branch, BreakEndsSwitch);
    Inside.End = PlaceOf(Branch->getEndLoc()).Offset;
    walk(Branch);
  }

  /// The code after a branch that leaves is under a condition, too.
  void enterSequence(llvm::ArrayRef<const Stmt *> Parts) {
    for (const Stmt *S : Parts) {
      walk(S);
      const Stmt *Last = S;
      while (const auto *Case = llvm::dyn_cast<SwitchCase>(Last))
        Last = Case->getSubStmt();
      if (const auto *If = llvm::dyn_cast_or_null<IfStmt>(Last))
        openRest(If, Parts.back());
    }
  }

  void openRest(const IfStmt *If, const Stmt *Last) {
    for (const bool Then : {true, false}) {
      const Stmt *Branch = Then ? If->getThen() : If->getElse();
      const Scope::Exit Exit = exitOf(Branch, BreakEndsSwitch);
      const Term Taken = Out.Terms->truthOf(If->getCond());
      if ((Exit != Scope::EndsCall && Exit != Scope::EndsIteration) ||
          givesUp(Branch, Context) ||
          impliesFailure(Then ? Taken : negate(Taken)))
        continue;
      openCondition(If->getCond(), !Then, If->getBeginLoc(), false);
      Out.All[Innermost].Left = Exit;
      Out.All[Innermost].End = PlaceOf(Last->getEndLoc()).Offset;
      return;
    }
  }

  //===-- Switches --------------------------------------------------------===//

  void enterSwitch(const SwitchStmt *Switch) {
    const int Outer = Innermost;
    walk(Switch->getInit());
    walk(Switch->getConditionVariableDeclStmt());
    walk(Switch->getCond());
    decide(Switch->getCond(), false);
    BreakEndsSwitch = true;
    const auto *Block = llvm::dyn_cast<CompoundStmt>(Switch->getBody());
    if (!Block)
      return walk(Switch->getBody());
    const llvm::SmallVector<const Stmt *> Parts(Block->body());
    bool FallsThrough = false;
    for (size_t I = 0; I < Parts.size();) {
      size_t End = I + 1;
      while (End < Parts.size() && !llvm::isa<SwitchCase>(Parts[End]))
        ++End;
      const auto Code = llvm::ArrayRef(Parts).slice(I, End - I);
      openCase(Switch, Code, FallsThrough);
      enterSequence(Code);
      Innermost = Outer;
      FallsThrough = llvm::all_of(
          Code, [](const Stmt *S) { return exitOf(S, false) == Scope::Stays; });
      I = End;
    }
  }

  void openCase(const SwitchStmt *Switch, llvm::ArrayRef<const Stmt *> Code,
                bool FallsThrough) {
    std::vector<const Expr *> Labels;
    bool IsDefault = false;
    const Expr *Value = Switch->getCond();
    std::string Text;
    for (const Stmt *S = Code.front();;) {
      const auto *Label = llvm::dyn_cast<SwitchCase>(S);
      if (!Label)
        break;
      if (const auto *Case = llvm::dyn_cast<CaseStmt>(Label)) {
        Labels.push_back(Case->getRHS() ? nullptr : Case->getLHS());
        Text += (Text.empty() ? "" : " || ") + text(Value) +
                " == " + text(Case->getLHS());
      } else {
        IsDefault = true;
      }
      S = Label->getSubStmt();
    }
    const int Inside =
        open(Scope::Condition, Code.front()->getBeginLoc(),
             IsDefault ? "default of switch (" + text(Value) + ")" : Text);
    Out.All[Inside].Decided = PlaceOf(Value->getBeginLoc());
    Out.All[Inside].Ends = exitOf(Code, true);
    Out.All[Inside].End = PlaceOf(Code.back()->getEndLoc()).Offset;
    if (FallsThrough)
      return;
    if (IsDefault)
      Labels = labelsOf(Switch, Code.front());
    Later.push_back([this, Inside, Value, Labels, IsDefault] {
      const Term Tested = Out.Terms->of(Value);
      std::vector<Term> Any;
      for (const Expr *Label : Labels)
        Any.push_back(simplify(Term::Equal, {Tested, Out.Terms->of(Label)}));
      const bool IsKnown =
          llvm::none_of(Any, [](const Term &T) { return T.isOpaque(); });
      Term When = IsKnown ? simplify(Term::Either, std::move(Any)) : Term();
      Out.All[Inside].When = IsDefault ? negate(When) : std::move(When);
    });
  }

  /// All labels of a switch but those at `Default`; null for ranges.
  static std::vector<const Expr *> labelsOf(const SwitchStmt *Switch,
                                            const Stmt *Default) {
    std::vector<const Expr *> Result;
    for (const SwitchCase *C = Switch->getSwitchCaseList(); C;
         C = C->getNextSwitchCase()) {
      const auto *Case = llvm::dyn_cast<CaseStmt>(C);
      const bool IsHere =
          anyInside(Default, [C](const Stmt *S) { return S == C; });
      if (Case && !IsHere)
        Result.push_back(Case->getRHS() ? nullptr : Case->getLHS());
    }
    return Result;
  }

  //===-- Loops -----------------------------------------------------------===//

  void enterLoop(const Stmt *S) {
    const Stmt *Body = source::loopBody(S);
    const Expr *Condition = conditionOf(S);
    const auto *For = llvm::dyn_cast<ForStmt>(S);
    const auto *Range = llvm::dyn_cast<CXXForRangeStmt>(S);
    if (For)
      walk(For->getInit());
    if (Range)
      for (const Stmt *Part :
           {Range->getInit(), static_cast<const Stmt *>(Range->getRangeStmt()),
            static_cast<const Stmt *>(Range->getBeginStmt()),
            static_cast<const Stmt *>(Range->getEndStmt())})
        walk(Part);
    const int Inside =
        open(Scope::Loop, S->getBeginLoc(), Condition ? text(Condition) : "");
    Out.Terms->addLoop(S, Inside);
    Later.push_back([this, Inside, S] {
      Out.All[Inside].When = iterationsOf(S, *Out.Terms);
    });
    if (Condition)
      Out.All[Inside].Decided = PlaceOf(Condition->getBeginLoc());
    Out.All[Inside].End = PlaceOf(S->getEndLoc()).Offset;
    if (Range) {
      walk(Range->getCond());
      walk(Range->getLoopVarStmt());
    }
    if (For)
      walk(For->getConditionVariableDeclStmt());
    if (const auto *While = llvm::dyn_cast<WhileStmt>(S))
      walk(While->getConditionVariableDeclStmt());
    InLoopCondition = true;
    walk(Condition);
    InLoopCondition = false;
    decide(Condition, true, spins(Condition, Body));
    BreakEndsSwitch = false;
    walk(Body);
    Innermost = Inside;
    walk(For ? For->getInc() : Range ? Range->getInc() : nullptr);
  }

  //===-- Expressions -----------------------------------------------------===//

  void note(const Expr *E) {
    Out.Parents[E] = parent();
    Out.Calls.push_back(E);
  }

  const Stmt *parent() const {
    for (size_t I = Way.size() - 1; I-- > 0;)
      if (!llvm::isa<ParenExpr, ImplicitCastExpr, FullExpr,
                     MaterializeTemporaryExpr, CXXBindTemporaryExpr>(Way[I]) &&
          (!llvm::isa<CXXFunctionalCastExpr>(Way[I]) ||
           llvm::cast<CXXFunctionalCastExpr>(Way[I])->getCastKind() !=
               CK_ConstructorConversion))
        return Way[I];
    return nullptr;
  }

  void decide(const Expr *Condition, bool IsLoop, bool Spins = false) {
    if (Condition)
      decideParts(Condition, Condition, IsLoop, Spins);
  }

  void decideParts(const Expr *Part, const Expr *Whole, bool IsLoop,
                   bool Spins) {
    const auto *Op =
        llvm::dyn_cast<BinaryOperator>(Part->IgnoreParenImpCasts());
    if (Op && Op->isLogicalOp()) {
      decideParts(Op->getLHS(), Whole, IsLoop, Spins);
      decideParts(Op->getRHS(), Whole, IsLoop, Spins);
    } else if (const auto *Not =
                   llvm::dyn_cast<UnaryOperator>(Part->IgnoreParenImpCasts());
               Not && Not->getOpcode() == UO_LNot) {
      decideParts(Not->getSubExpr(), Whole, IsLoop, Spins);
    } else {
      Out.Decisions.push_back({Part, Whole, IsLoop, Spins});
    }
  }
};

} // namespace

Scopes scopesOf(const Stmt *Body, const ScopeContext &In) {
  Scopes Result;
  Result.Terms =
      std::make_unique<TermMaker>(In.Context, In.TheNames, In.F, Body);
  Walker(In, Result).run(Body);
  return Result;
}

} // namespace autoprof::audit
