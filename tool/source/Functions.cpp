// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/Functions.h"

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
  Policy.AnonymousTagLocations = false; // a line number is no identity
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

/// clang marks lambdas and constexpr functions as both host and device code on
/// its own; what counts is what the user wrote.
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

llvm::StringRef refusal(const FunctionDecl *F, const Stmt *Body,
                        bool IsLambda) {
  if (hasWritten<CUDADeviceAttr>(F))
    return "in a __host__ __device__ function";
  if (F->isConstexpr() && !IsLambda)
    return "in a constexpr function";
  if (llvm::isa_and_nonnull<CoroutineBodyStmt>(Body))
    return "in a coroutine";
  if (F->hasAttr<NakedAttr>())
    return "in a naked function";
  return "";
}

bool runsOnce(const DoStmt *Do) {
  const Expr *Condition = Do->getCond()->IgnoreParenImpCasts();
  if (const auto *Number = llvm::dyn_cast<IntegerLiteral>(Condition))
    return Number->getValue() == 0;
  const auto *Bool = llvm::dyn_cast<CXXBoolLiteralExpr>(Condition);
  return Bool && !Bool->getValue();
}

bool isTiny(const Stmt *Body) {
  const auto *Block = llvm::dyn_cast<CompoundStmt>(Body);
  if (!Block || Block->size() > 1)
    return false;
  if (Block->body_empty())
    return true;
  const Stmt *Only = Block->body_front();
  // With the braces of a probe around it, a macro is still one thing.
  const auto *Braces = llvm::dyn_cast<CompoundStmt>(Only);
  if (Only->getBeginLoc().isMacroID() ||
      (Braces && !Braces->body_empty() &&
       Braces->body_front()->getBeginLoc().isMacroID()))
    return true;
  if (const auto *Do = llvm::dyn_cast<DoStmt>(Only); Do && runsOnce(Do))
    return true; // such a macro, in preprocessed text
  return !llvm::isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt, IfStmt,
                    SwitchStmt, CXXTryStmt, CompoundStmt>(Only);
}

} // namespace autoprof::source
