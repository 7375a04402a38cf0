// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "patch/Removal.h"

#include "source/ast/Calls.h"
#include "source/ast/Functions.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using namespace autoprof;
using namespace autoprof::patch;
using llvm::StringRef;

const char patch::ThresholdLines[] =
    "  { // What is freed stays in the memory pool, for the next allocation.\n"
    "    int device;\n"
    "    cudaMemPool_t pool;\n"
    "    unsigned long long all = ~0ULL;\n"
    "    if (cudaGetDevice(&device) == cudaSuccess &&\n"
    "        cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess)\n"
    "      cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, "
    "&all);\n"
    "    cudaGetLastError();\n"
    "  }\n";

namespace {

/// Whether it is `e` or `e != cudaSuccess` for what the call returned.
bool isFailure(const Expr *E, const CallExpr *Call, const ASTContext &Context) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Expect = dyn_cast<CallExpr>(E);
      Expect && Expect->getBuiltinCallee() == Builtin::BI__builtin_expect)
    return isFailure(Expect->getArg(0), Call, Context);
  if (const auto *Not = dyn_cast<BinaryOperator>(E);
      Not && Not->getOpcode() == BO_NE) {
    const auto Holds = [&](const Expr *Status, const Expr *Success) {
      const auto Number = Success->getIntegerConstantExpr(Context);
      return Number && *Number == 0 && isFailure(Status, Call, Context);
    };
    return Holds(Not->getLHS(), Not->getRHS()) ||
           Holds(Not->getRHS(), Not->getLHS());
  }
  return (E == Call || isa<DeclRefExpr>(E)) &&
         Context.hasSameUnqualifiedType(E->getType(), Call->getType());
}

/// Whether the statement only makes the call, and does something else if that
/// fails. `Depth`: of functions that get the result.
bool onlyChecks(const Stmt *S, const CallExpr *Call, const ASTContext &Context,
                unsigned Depth = 0) {
  constexpr unsigned Deepest = 3;
  if (!S || S == Call)
    return true;
  const auto Checks = [&](const Stmt *Part) {
    return onlyChecks(Part, Call, Context, Depth);
  };
  if (const auto *If = dyn_cast<IfStmt>(S))
    return isFailure(If->getCond(), Call, Context) && !If->getInit() &&
           !If->getElse() && Checks(If->getConditionVariableDeclStmt()) &&
           Checks(If->getCond());
  const auto *Made = dyn_cast<CallExpr>(S);
  const FunctionDecl *Callee = Made ? Made->getDirectCallee() : nullptr;
  if (Callee && Callee->getBuiltinID() != Builtin::BI__builtin_expect &&
      (Depth == Deepest || !Callee->getBody(Callee) ||
       !onlyChecks(Callee->getBody(), Call, Context, Depth + 1)))
    return false;
  const auto *Do = dyn_cast<DoStmt>(S);
  const auto *Compared = dyn_cast<BinaryOperator>(S);
  return (Callee || (Depth && isa<ReturnStmt>(S)) ||
          (Do && source::runsOnce(Do)) ||
          (Compared && Compared->isComparisonOp()) ||
          (isa<Expr>(S) && !cast<Expr>(S)->HasSideEffects(Context)) ||
          isa<CompoundStmt, NullStmt, DeclStmt, ParenExpr, CastExpr, FullExpr>(
              S)) &&
         llvm::all_of(S->children(), Checks);
}

class Finder : public RecursiveASTVisitor<Finder> {
  const SourceManager &SM;
  std::vector<const Stmt *> Around; ///< The outermost one first.

public:
  Calls Found;

  explicit Finder(const SourceManager &SM) : SM(SM) {}

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->doesThisDeclarationHaveABody() &&
        SM.isWrittenInMainFile(SM.getFileLoc(F->getLocation())))
      search(F->getBody());
    return true;
  }

private:
  void search(const Stmt *S) {
    if (!S)
      return;
    Around.push_back(S);
    const auto *Made = dyn_cast<CallExpr>(S);
    if (Made && source::catalogued(Made, SM))
      if (const auto [File, Offset] =
              SM.getDecomposedLoc(SM.getFileLoc(source::placeOf(Made)));
          File == SM.getMainFileID())
        Found.try_emplace(Offset, Around);
    for (const Stmt *Child : S->children())
      search(Child);
    Around.pop_back();
  }
};

/// Whether `S` is one of several statements in `Parent`, or its body.
bool holdsStatement(const Stmt *Parent, const Stmt *S) {
  if (const auto *If = dyn_cast<IfStmt>(Parent))
    return S == If->getThen() || S == If->getElse();
  if (const auto *For = dyn_cast<ForStmt>(Parent))
    return S == For->getBody();
  if (const auto *While = dyn_cast<WhileStmt>(Parent))
    return S == While->getBody();
  return isa<CompoundStmt>(Parent);
}

bool isInMacroBody(const SourceManager &SM, SourceLocation At) {
  for (; At.isMacroID(); At = SM.getImmediateSpellingLoc(At))
    if (!SM.isMacroArgExpansion(At))
      return true;
  return false;
}

/// Puts `With` in place of some bytes. Lines of which at most a comment is left
/// go.
LineEdit editLines(StringRef Text, size_t Begin, size_t End, StringRef With) {
  const size_t From = Text.rfind('\n', Begin) + 1; // npos + 1 is 0.
  const size_t Until = std::min(Text.find('\n', End), Text.size() - 1) + 1;
  LineEdit Result{Text.take_front(From).count('\n'),
                  Text.slice(From, Until - 1).count('\n') + 1, ""};
  const StringRef Before = Text.slice(From, Begin),
                  Behind = Text.slice(End, Until);
  if (!With.empty() || !Before.trim().empty() ||
      !(Behind.trim().empty() || Behind.trim().starts_with("//")))
    Result.With = (Before + With + Behind).str();
  return Result;
}

llvm::Error because(const char *Reason) {
  return llvm::createStringError(Reason);
}

} // namespace

Calls patch::callsIn(ASTContext &Context) {
  Finder All(Context.getSourceManager());
  All.TraverseDecl(Context.getTranslationUnitDecl());
  return std::move(All.Found);
}

llvm::Expected<LineEdit> patch::removeCall(ASTContext &Context,
                                           const Calls &All, unsigned Offset) {
  const SourceManager &SM = Context.getSourceManager();
  const auto Found = All.find(Offset);
  if (Found == All.end())
    return because("the call was not found in its source");
  const llvm::ArrayRef<const Stmt *> Around = Found->second;
  const auto *Call = cast<CallExpr>(Around.back());
  const SourceLocation At = source::placeOf(Call);
  if (isInMacroBody(SM, At))
    return because("the call is part of a macro's definition");
  // Statements of a macro that gets the call are a part of the whole.
  const Stmt *Whole = Call, *Parent = nullptr;
  for (const Stmt *Outer : llvm::reverse(Around.drop_back())) {
    if (holdsStatement(Outer, Whole) &&
        (Outer->getBeginLoc().isFileID() ||
         SM.getExpansionLoc(Outer->getBeginLoc()) != SM.getExpansionLoc(At))) {
      Parent = Outer;
      break;
    }
    Whole = Outer;
  }
  // What somebody writes around a call by hand may have another purpose.
  if (!Parent || (!isa<Expr>(Whole) && Whole->getBeginLoc().isFileID()) ||
      !onlyChecks(Whole, Call, Context) ||
      llvm::any_of(Call->arguments(), [&](const Expr *Arg) {
        return Arg->HasSideEffects(Context);
      }))
    return because("its result is used, or the statement does more than "
                   "checking it");
  const CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(Whole->getSourceRange()), SM,
      Context.getLangOpts());
  const StringRef Text = SM.getBufferData(SM.getMainFileID());
  const size_t Semicolon =
      Range.isValid()
          ? Text.find_first_not_of(" \t\r\n", SM.getFileOffset(Range.getEnd()))
          : StringRef::npos;
  if (Semicolon == StringRef::npos || Text[Semicolon] != ';')
    return because("a macro makes it part of a larger statement");
  return editLines(Text, SM.getFileOffset(Range.getBegin()), Semicolon + 1,
                   isa<CompoundStmt>(Parent) ? "" : ";");
}

llvm::Expected<LineEdit> patch::keepPool(ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const StringRef Text = SM.getBufferData(SM.getMainFileID());
  const DeclContext *Global = Context.getTranslationUnitDecl();
  if (Global->lookup(&Context.Idents.get("cudaDeviceGetDefaultMemPool"))
          .empty())
    return because("the source of main() does not include CUDA's headers");
  for (const Decl *D : Global->decls()) {
    const auto *F = dyn_cast<FunctionDecl>(D);
    const Stmt *Body = F && F->isMain() && F->doesThisDeclarationHaveABody()
                           ? F->getBody()
                           : nullptr;
    if (!Body || !isa<CompoundStmt>(Body) ||
        !SM.isWrittenInMainFile(Body->getBeginLoc()))
      continue;
    const size_t Begin = SM.getFileOffset(Body->getBeginLoc()) + 1;
    const size_t End = Text.find('\n', Begin);
    if (End != StringRef::npos && Text.slice(Begin, End).trim().empty())
      return LineEdit{Text.take_front(End + 1).count('\n'), 0, ThresholdLines};
  }
  return because("main() does not begin with a line that ends with '{'");
}
