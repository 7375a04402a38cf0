// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/Calls.h"

#include "catalogue/Catalogue.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

llvm::SmallVector<const FunctionDecl *, 1> callees(const CallExpr *Call) {
  if (const FunctionDecl *F = Call->getDirectCallee())
    return {F};
  llvm::SmallVector<const FunctionDecl *, 1> Result;
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  if (const auto *Overloads = llvm::dyn_cast<OverloadExpr>(Callee))
    for (const NamedDecl *D : Overloads->decls())
      if (const FunctionDecl *F = D->getUnderlyingDecl()->getAsFunction())
        Result.push_back(F);
  return Result;
}

/// Headers of CUDA that the user may have put on an -I path, so that they are
/// no system headers.
static bool isCudaHeader(StringRef Path) {
  StringRef Name = llvm::sys::path::filename(Path);
  return Name == "cuda.h" || Name.starts_with("cuda_runtime") ||
         Name.starts_with("cublas") || Name.starts_with("cufft") ||
         Name.starts_with("cusolver") || Name.starts_with("cusparse") ||
         Name.starts_with("cudnn") || Name == "curand.h" || Name == "nccl.h";
}

static bool isDeclaredByCuda(const FunctionDecl *F, const SourceManager &SM) {
  SourceLocation Loc = SM.getExpansionLoc(F->getLocation());
  return SM.isInSystemHeader(Loc) ||
         isCudaHeader(SM.getPresumedLoc(Loc).getFilename());
}

static bool isSite(const catalogue::Row &Row) {
  using catalogue::CallClass;
  return catalogue::mayWait(Row.Wait) ||
         (Row.Class != CallClass::Query && Row.Class != CallClass::Other);
}

static std::string kernelName(const Expr *Callee) {
  Callee = Callee->IgnoreParenImpCasts();
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(Callee))
    return Ref->getDecl()->getNameAsString();
  if (const auto *Overloads = llvm::dyn_cast<OverloadExpr>(Callee))
    return Overloads->getName().getAsString();
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(Callee))
    return Member->getMemberDecl()->getNameAsString();
  if (const auto *Dependent = llvm::dyn_cast<DependentScopeDeclRefExpr>(Callee))
    return Dependent->getDeclName().getAsString();
  return "(kernel)"; // computed at run time
}

std::optional<CataloguedCall> catalogued(const CallExpr *Call,
                                         const SourceManager &SM) {
  if (const auto *Launch = llvm::dyn_cast<CUDAKernelCallExpr>(Call))
    return CataloguedCall{catalogue::name(catalogue::CallClass::Launch),
                          kernelName(Launch->getCallee())};
  for (const FunctionDecl *F : callees(Call)) {
    const IdentifierInfo *Name = F->getIdentifier();
    if (!Name || !llvm::isa<TranslationUnitDecl, LinkageSpecDecl>(
                     F->getLexicalDeclContext()))
      continue;
    const catalogue::Row *Row = catalogue::lookup(Name->getName());
    if (Row && isSite(*Row) && isDeclaredByCuda(F, SM))
      return CataloguedCall{catalogue::name(Row->Class), Row->Name.str()};
  }
  return std::nullopt;
}

} // namespace autoprof::source
