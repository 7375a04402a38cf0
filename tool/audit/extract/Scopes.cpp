// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Scopes.h"

#include "audit/extract/Changes.h"
#include "audit/extract/Loops.h"
#include "source/Functions.h"

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

template <typename Predicate>
bool anyInside(const Stmt *S, const Predicate &Is) {
  if (!S)
    return false;
  if (Is(S))
    return true;
  for (const Stmt *Child : S->children())
    if (anyInside(Child, Is))
      return true;
  return false;
}

/// cudaError_t, cublasStatus_t, CUresult, ncclResult_t, ...
bool isStatusType(QualType T) {
  const auto *Enum = T.getCanonicalType()->getAs<EnumType>();
  if (!Enum)
    return false;
  StringRef Name = Enum->getDecl()->getName();
  if (Name.empty())
    if (const TypedefNameDecl *Alias =
            Enum->getDecl()->getTypedefNameForAnonDecl())
      Name = Alias->getName();
  return Name.contains_insensitive("error") ||
         Name.contains_insensitive("status") ||
         Name.contains_insensitive("result");
}

bool asksForStatus(const Expr *Condition) {
  return anyInside(Condition, [](const Stmt *S) {
    const auto *E = llvm::dyn_cast<Expr>(S);
    return E && isStatusType(E->getType());
  });
}

bool endsProgram(const Expr *E) {
  if (const auto *Full = llvm::dyn_cast<FullExpr>(E))
    E = Full->getSubExpr();
  E = E->IgnoreParenCasts();
  if (llvm::isa<CXXThrowExpr>(E))
    return true;
  if (const auto *Op = llvm::dyn_cast<BinaryOperator>(E); Op && Op->isCommaOp())
    return endsProgram(Op->getLHS()) || endsProgram(Op->getRHS());
  const auto *Call = llvm::dyn_cast<CallExpr>(E);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  return F &&
         (F->isNoReturn() || (F->getIdentifier() && (F->getName() == "exit" ||
                                                     F->getName() == "abort" ||
                                                     F->getName() == "_exit")));
}

/// `exit(1)`, `throw`, `abort()` on every way. One that only contains a check
/// which may exit does not give up.
bool givesUp(const Stmt *Branch) {
  if (!Branch)
    return false;
  if (const auto *E = llvm::dyn_cast<Expr>(Branch))
    return endsProgram(E);
  if (const auto *If = llvm::dyn_cast<IfStmt>(Branch))
    return givesUp(If->getThen()) && givesUp(If->getElse());
  if (const auto *Do = llvm::dyn_cast<DoStmt>(Branch))
    return givesUp(Do->getBody());
  const auto *Block = llvm::dyn_cast<CompoundStmt>(Branch);
  return Block && llvm::any_of(Block->body(), givesUp);
}

const Stmt *lastOf(const Stmt *Branch) {
  const auto *Block = llvm::dyn_cast_or_null<CompoundStmt>(Branch);
  return Block ? (Block->body_empty() ? nullptr : Block->body_back()) : Branch;
}

bool mentionsVerbosity(const Expr *Condition) {
  return anyInside(Condition, [](const Stmt *S) {
    StringRef Name;
    if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S))
      Name = Ref->getDecl()->getIdentifier() ? Ref->getDecl()->getName() : "";
    else if (const auto *Member = llvm::dyn_cast<MemberExpr>(S))
      Name = Member->getMemberDecl()->getIdentifier()
                 ? Member->getMemberDecl()->getName()
                 : "";
    for (StringRef Word : {"verbos", "debug", "loglevel", "log_level", "quiet",
                           "trace", "printlevel", "print_level"})
      if (Name.contains_insensitive(Word))
        return true;
    return false;
  });
}

bool hasRemainder(const Expr *Condition) {
  return anyInside(Condition, [](const Stmt *S) {
    const auto *Op = llvm::dyn_cast<BinaryOperator>(S);
    return Op && Op->getOpcode() == BO_Rem;
  });
}

/// The variable of `i == 0`, or null.
const VarDecl *comparedWithNumber(const Expr *Condition) {
  const auto *Op =
      llvm::dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!Op || Op->getOpcode() != BO_EQ ||
      !Op->getLHS()->getType()->isIntegerType() ||
      !llvm::isa<IntegerLiteral>(Op->getRHS()->IgnoreParenImpCasts()))
    return nullptr;
  const auto *Ref =
      llvm::dyn_cast<DeclRefExpr>(Op->getLHS()->IgnoreParenImpCasts());
  return Ref ? llvm::dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

bool countsByName(const VarDecl *V) {
  const std::string Name = StringRef(V->getName()).lower();
  for (StringRef Word :
       {"iter", "step", "epoch", "frame", "index", "idx", "count", "round"})
    if (StringRef(Name).contains(Word))
      return true;
  return Name.size() == 1;
}

/// `first`, `!initialized`.
bool saysFirst(const Expr *Condition) {
  const Expr *E = Condition->IgnoreParenImpCasts();
  const auto *Not = llvm::dyn_cast<UnaryOperator>(E);
  const bool Negated = Not && Not->getOpcode() == UO_LNot;
  if (Negated)
    E = Not->getSubExpr()->IgnoreParenImpCasts();
  StringRef Name;
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E))
    Name = Ref->getDecl()->getIdentifier() ? Ref->getDecl()->getName() : "";
  else if (const auto *Member = llvm::dyn_cast<MemberExpr>(E))
    Name = Member->getMemberDecl()->getIdentifier()
               ? Member->getMemberDecl()->getName()
               : "";
  if (Negated)
    return Name.contains_insensitive("init") ||
           Name.contains_insensitive("alloc") ||
           Name.contains_insensitive("ready") ||
           Name.contains_insensitive("done");
  return Name.contains_insensitive("first");
}

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

/// `ok == cudaSuccess`, and more: what follows is work, not a report.
bool isGood(const Expr *Condition) {
  const auto *Op =
      llvm::dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  if (!Op)
    return false;
  if (Op->getOpcode() != BO_LAnd)
    return Op->getOpcode() == BO_EQ;
  return !(asksForStatus(Op->getLHS()) && !isGood(Op->getLHS())) &&
         !(asksForStatus(Op->getRHS()) && !isGood(Op->getRHS()));
}

class Walker {
  ASTContext &Context;
  const Conditionals &Preprocessor;
  const std::function<Place(SourceLocation)> &PlaceOf;
  Scopes &Out;
  const Variables Varying; ///< In the whole body.
  int Here = -1;
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
  int open(Scope::Kind What, SourceLocation At, std::string Text) {
    Scope S;
    S.Parent = Here;
    S.What = What;
    S.At = PlaceOf(At);
    S.Text = std::move(Text);
    Out.All.push_back(std::move(S));
    return Here = Out.All.size() - 1;
  }

  void enter(const Stmt *S) {
    const int Outside = Here;
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
      Out.All[Here].Decided = Condition;
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
        Out.Innermost[S] = Here;
      if (const auto *Declaration = llvm::dyn_cast<DeclStmt>(S))
        for (const Decl *D : Declaration->decls())
          if (const auto *V = llvm::dyn_cast<VarDecl>(D)) {
            Out.DeclaredIn[V] = Here;
            Out.BlockOf[V] = Way[Way.size() - 2];
          }
      for (const Stmt *Child : S->children())
        walk(Child);
    }
    Here = Outside;
  }

  void note(const Expr *E) {
    if (!llvm::isa<CallExpr, CXXConstructExpr, CXXDeleteExpr, CXXNewExpr,
                   LambdaExpr>(E))
      return;
    const int Outside = Here;
    Out.Around[E] = around();
    if (const Conditionals::Region *R =
            Preprocessor.around(E->getBeginLoc(), Context.getSourceManager()))
      open(Scope::DebugMacro, R->At, R->Macro);
    Out.Innermost[E] = Here;
    Out.Calls.push_back(E);
    Here = Outside;
  }

  const Stmt *around() const {
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
    Out.Decisions.push_back({Condition, IsLoop, Here});
    Out.Innermost[Condition] = Here;
  }

  /// `i == 0`, where a loop around counts i; of a parameter, the loop may be a
  /// caller's.
  bool holdsOnce(const Expr *Condition) const {
    const VarDecl *V = comparedWithNumber(Condition);
    if (!V)
      return saysFirst(Condition);
    for (int I = Here; I >= 0; I = Out.All[I].Parent)
      if (auto Loop = Out.LoopOf.find(I); Loop != Out.LoopOf.end())
        if (changedIn(Loop->second).contains(V))
          return true;
    return llvm::isa<ParmVarDecl>(V) && countsByName(V);
  }

  Scope::Kind kindOf(const IfStmt *If, bool Then) const {
    const Expr *Condition = If->getCond();
    const Stmt *Branch = Then ? If->getThen() : If->getElse();
    if (givesUp(Branch))
      return Scope::ErrorPath;
    if (const Stmt *Last = lastOf(Branch)) {
      if (llvm::isa<BreakStmt>(Last))
        return Scope::LeavesLoop;
      if (llvm::isa<ReturnStmt>(Last))
        return asksForStatus(Condition) ? Scope::ErrorPath
                                        : Scope::LeavesFunction;
    }
    if (asksForStatus(Condition))
      return isGood(Condition) == Then ? Scope::Condition : Scope::ErrorPath;
    if (mentionsVerbosity(Condition))
      return Scope::Verbose;
    if (Then && hasRemainder(Condition))
      return Scope::EveryNth;
    if (Then && holdsOnce(Condition))
      return Scope::Once;
    return Scope::Condition;
  }

  void enterIf(const IfStmt *If) {
    const int Outside = Here;
    walk(If->getInit());
    if (const DeclStmt *Variable = If->getConditionVariableDeclStmt())
      walk(Variable);
    walk(If->getCond());
    decide(If->getCond(), false);
    const std::string Text =
        shortText(If->getCond()->getSourceRange(), Context);
    const Place Condition = Decided;
    open(kindOf(If, true), If->getBeginLoc(), Text);
    Out.All[Here].Decided = Condition;
    walk(If->getThen());
    Here = Outside;
    if (!If->getElse())
      return;
    open(kindOf(If, false), If->getElseLoc(), "!(" + Text + ")");
    Out.All[Here].Decided = Condition;
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
    walk(Body);
    Here = Loop;
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
