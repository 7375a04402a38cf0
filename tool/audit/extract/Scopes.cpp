// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Scopes.h"

#include "audit/extract/Branches.h"
#include "audit/extract/Changes.h"
#include "audit/extract/Inside.h"
#include "audit/extract/Loops.h"
#include "source/ast/Functions.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Stack.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

std::string shortText(SourceRange R, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  CharSourceRange Text = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(R), SM, Context.getLangOpts());
  // What a macro made is shown as it was written: by the macro's name.
  if (Text.isInvalid())
    Text = SM.getExpansionRange(R);
  std::string Result;
  bool Space = false;
  for (char C : Lexer::getSourceText(Text, SM, Context.getLangOpts())) {
    if (isWhitespace(C)) {
      Space = !Result.empty();
      continue;
    }
    if (Space)
      Result += ' ';
    Space = false;
    Result += C;
    if (Result.size() > 60)
      return Result.substr(0, 57) + "...";
  }
  return Result;
}

namespace {

bool asksWhetherDone(const Stmt *S) {
  return anyInside(S, [](const Stmt *Inner) {
    const auto *Call = llvm::dyn_cast<CallExpr>(Inner);
    const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
    if (!F || !F->getIdentifier())
      return false;
    StringRef Name = F->getName();
    return Name.starts_with("cudaStreamQuery") ||
           Name.starts_with("cudaEventQuery") || Name == "cuStreamQuery" ||
           Name == "cuEventQuery";
  });
}

bool launchesInside(const Stmt *S) {
  return anyInside(S, [](const Stmt *Inner) {
    return llvm::isa<CUDAKernelCallExpr>(Inner);
  });
}

class Walker {
  ASTContext &Context;
  const Conditionals &Preprocessor;
  const std::function<Place(SourceLocation)> &PlaceOf;
  Scopes &Out;
  const Variables Varying; ///< In the whole body.
  int Innermost = -1;
  bool BreakEndsSwitch = false;
  std::vector<const Stmt *> Way;
  Place Decided; ///< The last condition.

public:
  Walker(const Stmt *Body, ASTContext &Context,
         const Conditionals &Preprocessor,
         const std::function<Place(SourceLocation)> &PlaceOf, Scopes &Out)
      : Context(Context), Preprocessor(Preprocessor), PlaceOf(PlaceOf),
        Out(Out), Varying(variesIn(Body)) {}

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
    else if (const auto *Switch = llvm::dyn_cast<SwitchStmt>(S)) {
      walk(Switch->getCond());
      decide(Switch->getCond(), false);
      const Place Condition = Decided;
      open(Scope::Condition, Switch->getBeginLoc(),
           shortText(Switch->getCond()->getSourceRange(), Context));
      Out.All[Innermost].Decided = Condition;
      BreakEndsSwitch = true;
      walk(Switch->getBody());
    } else if (const auto *Op = llvm::dyn_cast<ConditionalOperator>(S)) {
      walk(Op->getCond());
      decide(Op->getCond(), false);
      open(Scope::Condition, Op->getBeginLoc(),
           shortText(Op->getCond()->getSourceRange(), Context));
      walk(Op->getTrueExpr());
      walk(Op->getFalseExpr());
    } else if (const auto *Catch = llvm::dyn_cast<CXXCatchStmt>(S)) {
      open(Scope::ErrorPath, Catch->getBeginLoc(), "catch");
      walk(Catch->getHandlerBlock());
    } else if (const auto *Lambda = llvm::dyn_cast<LambdaExpr>(S)) {
      note(Lambda);
    } else if (!llvm::isa<UnaryExprOrTypeTraitExpr>(S)) {
      if (const auto *E = llvm::dyn_cast<Expr>(S))
        note(E);
      if (llvm::isa<ReturnStmt>(S))
        Out.Innermost[S] = Innermost;
      if (const auto *Declaration = llvm::dyn_cast<DeclStmt>(S))
        for (const Decl *D : Declaration->decls())
          if (const auto *V = llvm::dyn_cast<VarDecl>(D)) {
            Out.DeclaredIn[V] = Innermost;
            Out.BlockOf[V] = Way[Way.size() - 2];
          }
      for (const Stmt *Child : S->children())
        walk(Child);
    }
    Innermost = Outer;
    BreakEndsSwitch = BreakEndedSwitch;
  }

  void note(const Expr *E) {
    if (!llvm::isa<CallExpr, CXXConstructExpr, CXXDeleteExpr, CXXNewExpr,
                   LambdaExpr>(E))
      return;
    const int Outer = Innermost;
    Out.Parents[E] = parent();
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
                     MaterializeTemporaryExpr, CXXBindTemporaryExpr>(Way[I]))
        return Way[I];
    return nullptr;
  }

  void decide(const Expr *Condition, bool IsLoop) {
    Decided = Condition ? PlaceOf(Condition->getBeginLoc()) : Place();
    if (!Condition)
      return;
    Out.Decisions.push_back({Condition, IsLoop, Innermost});
    Out.Innermost[Condition] = Innermost;
  }

  /// By a loop around.
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
    open(kindOf(If, true), If->getBeginLoc(), Text);
    Out.All[Innermost].Decided = Condition;
    walk(If->getThen());
    Innermost = Outer;
    if (!If->getElse())
      return;
    open(kindOf(If, false), If->getElseLoc(), "!(" + Text + ")");
    Out.All[Innermost].Decided = Condition;
    walk(If->getElse());
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
    Out.All[Loop].Trips = tripsOf(S, Varying, Context);
    Out.All[Loop].OverDevices = choosesDevice(S);
    Out.All[Loop].Polls =
        (asksWhetherDone(Condition) || asksWhetherDone(Body)) &&
        !launchesInside(Body);
    walk(Head);
    walk(Condition);
    decide(Condition, true);
    BreakEndsSwitch = false;
    walk(Body);
    Innermost = Loop;
    walk(Step);
  }
};

} // namespace

Scopes scopesOf(const Stmt *Body, ASTContext &Context,
                const Conditionals &Preprocessor,
                const std::function<Place(SourceLocation)> &PlaceOf) {
  Scopes Result;
  Result.Body = Body;
  Walker(Body, Context, Preprocessor, PlaceOf, Result).walk(Body);
  return Result;
}

} // namespace autoprof::audit
