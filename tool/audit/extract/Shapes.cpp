// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Shapes.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

const Expr *strip(const Expr *E) {
  for (;;) {
    const Expr *Before = E;
    E = E->IgnoreParenCasts();
    if (const auto *Default = llvm::dyn_cast<CXXDefaultArgExpr>(E))
      E = Default->getExpr();
    else if (const auto *Default = llvm::dyn_cast<CXXDefaultInitExpr>(E))
      E = Default->getExpr() ? Default->getExpr() : E;
    else if (const auto *Full = llvm::dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    else if (const auto *Temp = llvm::dyn_cast<MaterializeTemporaryExpr>(E))
      E = Temp->getSubExpr();
    else if (const auto *Bind = llvm::dyn_cast<CXXBindTemporaryExpr>(E))
      E = Bind->getSubExpr();
    else if (const auto *List = llvm::dyn_cast<InitListExpr>(E);
             List && List->getNumInits() == 1 &&
             List->getType()->isScalarType())
      E = List->getInit(0);
    else if (const auto *List = llvm::dyn_cast<ParenListExpr>(E);
             List && List->getNumExprs() == 1) // `x(0)` in a template.
      E = List->getExpr(0);
    if (E == Before)
      return E;
  }
}

StringRef methodName(const CallExpr *Call) {
  const auto *Method =
      llvm::dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
  if (Method)
    return Method->getIdentifier() ? Method->getName() : "";
  // In a template: a member of an object whose type depends on a parameter.
  if (const auto *Member = llvm::dyn_cast<CXXDependentScopeMemberExpr>(
          Call->getCallee()->IgnoreParens()))
    if (const IdentifierInfo *Name = Member->getMember().getAsIdentifierInfo())
      return Name->getName();
  return "";
}

const Expr *objectOf(const CallExpr *Call) {
  if (const auto *Member = llvm::dyn_cast<CXXMemberCallExpr>(Call))
    return Member->getImplicitObjectArgument();
  if (const auto *Member = llvm::dyn_cast<CXXDependentScopeMemberExpr>(
          Call->getCallee()->IgnoreParens()))
    return Member->isImplicitAccess() ? nullptr : Member->getBase();
  return nullptr;
}

static bool isLibraryMethod(const CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  return !Callee || Callee->getASTContext().getSourceManager().isInSystemHeader(
                        Callee->getLocation());
}

const Expr *ownerOf(const CallExpr *Call) {
  StringRef Name = methodName(Call);
  if (!isLibraryMethod(Call) ||
      !(Name == "data" || Name == "get" || Name == "begin" || Name == "c_str" ||
        Name == "cbegin" || Name == "data_ptr"))
    return nullptr;
  return objectOf(Call);
}

const Expr *containerOf(const CallExpr *Call) {
  if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Call))
    return (Op->getOperator() == OO_Subscript ||
            (Op->getOperator() == OO_Star && Op->getNumArgs() == 1) ||
            Op->getOperator() == OO_Arrow) &&
                   isLibraryMethod(Call)
               ? Op->getArg(0)
               : nullptr;
  StringRef Name = methodName(Call);
  if (!isLibraryMethod(Call) ||
      !(Name == "at" || Name == "front" || Name == "back"))
    return nullptr;
  return objectOf(Call);
}

} // namespace autoprof::audit
