// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/ast/Functions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/PrettyPrinter.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace autoprof::source {

static PrintingPolicy policy(const Decl *D) {
  PrintingPolicy Policy(D->getASTContext().getLangOpts());
  Policy.AnonymousTagLocations = false; // A line number is not a stable name.
  return Policy;
}

std::string displayName(const NamedDecl *D) {
  PrintingPolicy Policy = policy(D);
  Policy.SuppressUnwrittenScope = true;
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  D->printQualifiedName(OS, Policy);
  return Name;
}

std::string signature(const FunctionDecl *F) {
  const PrintingPolicy Policy = policy(F);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  F->printQualifiedName(OS, Policy);
  OS << '(';
  for (unsigned I = 0; I < F->getNumParams(); ++I)
    OS << (I ? ", " : "")
       << F->getParamDecl(I)->getOriginalType().getAsString(Policy);
  OS << ')';
  if (const auto *Method = llvm::dyn_cast<CXXMethodDecl>(F))
    OS << Method->getMethodQualifiers().getAsString();
  return Text;
}

/// clang marks lambdas and constexpr functions implicitly as both host and
/// device code; only what the user wrote counts.
template <typename AttrT> static bool hasWritten(const FunctionDecl *F) {
  const AttrT *A = F->getAttr<AttrT>();
  return A && !A->isImplicit();
}

bool isDeviceOnly(const FunctionDecl *F) {
  return F->hasAttr<CUDAGlobalAttr>() ||
         (hasWritten<CUDADeviceAttr>(F) && !hasWritten<CUDAHostAttr>(F));
}

bool isSkippable(const Decl *D, const SourceManager &SM) {
  const FunctionDecl *F = D->getAsFunction();
  return SM.isInSystemHeader(D->getLocation()) || (F && isDeviceOnly(F));
}

llvm::StringRef refusal(const FunctionDecl *F, bool IsLambda) {
  if (hasWritten<CUDADeviceAttr>(F))
    return "in a __host__ __device__ function";
  if (F->isConstexpr() && !IsLambda)
    return "in a constexpr function";
  return "";
}

bool suspends(const Stmt *S) {
  if (!S)
    return false;
  if (llvm::isa<CoroutineSuspendExpr, DependentCoawaitExpr>(S))
    return true;
  if (const auto *L = llvm::dyn_cast<LambdaExpr>(S))
    return llvm::any_of(L->capture_inits(), suspends);
  return llvm::any_of(S->children(), suspends);
}

bool runsOnce(const DoStmt *Do) {
  const Expr *Condition = Do->getCond()->IgnoreParenImpCasts();
  if (const auto *Number = llvm::dyn_cast<IntegerLiteral>(Condition))
    return Number->getValue() == 0;
  const auto *Bool = llvm::dyn_cast<CXXBoolLiteralExpr>(Condition);
  return Bool && !Bool->getValue();
}

/// Whether it comes from a macro; also with the braces of a probe around it,
/// and in preprocessed text.
static bool isOfMacro(const Stmt *S) {
  const auto *Braces = llvm::dyn_cast<CompoundStmt>(S);
  if (Braces && !Braces->body_empty())
    S = Braces->body_front();
  const auto *Do = llvm::dyn_cast<DoStmt>(S);
  return S->getBeginLoc().isMacroID() || (Do && runsOnce(Do));
}

static unsigned countIn(const Stmt *S) {
  if (!S)
    return 0;
  return isOfMacro(S) ? 1 : countStatements(S);
}

unsigned countStatements(const Stmt *S) {
  if (const auto *Coroutine = llvm::dyn_cast<CoroutineBodyStmt>(S))
    S = Coroutine->getBody();
  if (const auto *Block = llvm::dyn_cast<CompoundStmt>(S)) {
    unsigned Sum = 0;
    for (const Stmt *Child : Block->body())
      Sum += countIn(Child);
    return Sum;
  }
  if (const auto *If = llvm::dyn_cast<IfStmt>(S))
    return 1 + countIn(If->getThen()) + countIn(If->getElse());
  if (const auto *For = llvm::dyn_cast<ForStmt>(S))
    return 1 + countIn(For->getBody());
  if (const auto *For = llvm::dyn_cast<CXXForRangeStmt>(S))
    return 1 + countIn(For->getBody());
  if (const auto *While = llvm::dyn_cast<WhileStmt>(S))
    return 1 + countIn(While->getBody());
  if (const auto *Do = llvm::dyn_cast<DoStmt>(S))
    return 1 + countIn(Do->getBody());
  if (const auto *Switch = llvm::dyn_cast<SwitchStmt>(S))
    return 1 + countIn(Switch->getBody());
  if (const auto *Case = llvm::dyn_cast<SwitchCase>(S))
    return countIn(Case->getSubStmt());
  if (const auto *Label = llvm::dyn_cast<LabelStmt>(S))
    return countIn(Label->getSubStmt());
  if (const auto *Attributed = llvm::dyn_cast<AttributedStmt>(S))
    return countIn(Attributed->getSubStmt());
  if (const auto *Try = llvm::dyn_cast<CXXTryStmt>(S)) {
    unsigned Sum = 1 + countIn(Try->getTryBlock());
    for (unsigned I = 0; I < Try->getNumHandlers(); ++I)
      Sum += countIn(Try->getHandler(I)->getHandlerBlock());
    return Sum;
  }
  return 1;
}

} // namespace autoprof::source
