// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Callables.h"

#include "audit/extract/Names.h"
#include "source/ast/Functions.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace autoprof::audit {

//===-- Types -------------------------------------------------------------===//

/// The canonical type of a function without exceptions and qualifiers, or "".
static std::string textOf(QualType T, ASTContext &Context) {
  const auto *F = T->getAs<FunctionProtoType>();
  if (T->isDependentType() || !T->isFunctionType())
    return "";
  if (!F)
    return T.getCanonicalType().getAsString();
  FunctionProtoType::ExtProtoInfo Plain;
  Plain.Variadic = F->isVariadic();
  return Context.getFunctionType(F->getReturnType(), F->getParamTypes(), Plain)
      .getCanonicalType()
      .getAsString();
}

static std::string textOf(const FunctionDecl *F) {
  std::string Text = textOf(F->getType(), F->getASTContext());
  const auto *Method = llvm::dyn_cast<CXXMethodDecl>(F);
  return Method && !Method->isStatic() && !Text.empty()
             ? qualifiedName(Method->getParent()) + "::* " + Text
             : Text;
}

/// "void (int)" for std::function<void(int)>, for containers of it, and for
/// pairs and the like with it; otherwise "".
static std::string functionIn(QualType T, ASTContext &Context,
                              unsigned Depth = 0) {
  const auto *Class = llvm::dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Class || !Class->isInStdNamespace() || Depth > 4)
    return "";
  const std::string Name = qualifiedName(Class);
  const bool Holds =
      Name == "std::function" || Name == "std::move_only_function" ||
      Name == "std::copyable_function" || Name == "std::packaged_task";
  for (const TemplateArgument &A : Class->getTemplateArgs().asArray())
    if (A.getKind() == TemplateArgument::Type)
      if (std::string Found =
              Holds ? textOf(A.getAsType(), Context)
                    : functionIn(A.getAsType(), Context, Depth + 1);
          !Found.empty())
        return Found;
  return "";
}

bool holdsFunction(QualType T, ASTContext &Context) {
  return T->isFunctionPointerType() || !functionIn(T, Context).empty();
}

//===-- Callable objects --------------------------------------------------===//

Callables callOperators(const CXXRecordDecl *Class) {
  Callables Result;
  Class = Class ? Class->getDefinition() : nullptr;
  if (!Class)
    return Result;
  for (const Decl *D : Class->decls()) {
    const auto *Method = llvm::dyn_cast<CXXMethodDecl>(D);
    if (Method && Method->getOverloadedOperator() == OO_Call)
      Result.push_back(Method);
    const auto *Generic = llvm::dyn_cast<FunctionTemplateDecl>(D);
    if (Generic && Generic->getDeclName().getCXXOverloadedOperator() == OO_Call)
      for (const FunctionDecl *Made : Generic->specializations())
        Result.push_back(Made);
  }
  llvm::erase_if(Result,
                 [](const FunctionDecl *F) { return source::isDeviceOnly(F); });
  return Result;
}

static void addCallables(const Stmt *S, Callables &Out) {
  const auto *E = llvm::dyn_cast_or_null<Expr>(S);
  if (!E)
    return;
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E)) {
    if (const auto *F = llvm::dyn_cast<FunctionDecl>(Ref->getDecl());
        F && !source::isDeviceOnly(F))
      Out.push_back(F);
  }
  if (const CXXRecordDecl *Class =
          E->getType().isNull() ? nullptr : E->getType()->getAsCXXRecordDecl();
      Class && !Class->isInStdNamespace()) {
    Out.append(callOperators(Class));
    return;
  }
  // What a call returns is not known, except for std::bind and the like.
  const auto *Call = llvm::dyn_cast<CallExpr>(E);
  const auto *Member = llvm::dyn_cast<CXXMemberCallExpr>(E);
  if (Member &&
      llvm::isa_and_nonnull<CXXConversionDecl>(Member->getMethodDecl()))
    addCallables(Member->getImplicitObjectArgument(), Out);
  else if (!Call)
    for (const Stmt *Child : E->children())
      addCallables(Child, Out);
  else if (const FunctionDecl *Callee = Call->getDirectCallee();
           Callee && Callee->isInStdNamespace())
    for (const Expr *Arg : Call->arguments())
      addCallables(Arg, Out);
}

Callables callablesIn(const Expr *E) {
  Callables Result;
  addCallables(E, Result);
  return Result;
}

//===-- Calls and stores --------------------------------------------------===//

std::string calledType(const CallExpr *Call, ASTContext &Context) {
  if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Call))
    return Op->getOperator() == OO_Call
               ? functionIn(Op->getArg(0)->getType(), Context)
               : "";
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  if (const auto *Op = llvm::dyn_cast<BinaryOperator>(Callee);
      Op && Op->isPtrMemOp()) {
    const auto *Pointer = Op->getRHS()->getType()->getAs<MemberPointerType>();
    const CXXRecordDecl *Class =
        Pointer ? Pointer->getMostRecentCXXRecordDecl() : nullptr;
    const std::string Text =
        Class ? textOf(Pointer->getPointeeType(), Context) : "";
    return Text.empty() ? "" : qualifiedName(Class) + "::* " + Text;
  }
  QualType T = Callee->getType().getNonReferenceType();
  if (T->isDependentType() || Call->getDirectCallee())
    return "";
  return textOf(T->isPointerType() ? T->getPointeeType() : T, Context);
}

/// The arguments of a construction or call, and the object that they are put
/// into.
static std::pair<QualType, llvm::ArrayRef<const Expr *>>
container(const Expr *E) {
  if (const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(E))
    return {Construct->getType(),
            {Construct->getArgs(), Construct->getNumArgs()}};
  const auto *Call = llvm::dyn_cast<CallExpr>(E);
  if (!Call)
    return {};
  llvm::ArrayRef<const Expr *> Args(Call->getArgs(), Call->getNumArgs());
  if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Call))
    return Op->isAssignmentOp() && !Args.empty()
               ? std::pair(Args[0]->getType(), Args.drop_front())
               : std::pair(QualType(), llvm::ArrayRef<const Expr *>());
  if (const auto *Member = llvm::dyn_cast<CXXMemberCallExpr>(Call))
    return {Member->getImplicitObjectArgument()->getType(), Args};
  return {};
}

void storedBy(
    const Expr *E, ASTContext &Context,
    llvm::function_ref<void(std::string, const FunctionDecl *)> Stored) {
  const auto [T, Args] = container(E);
  if (!T.isNull() && !T->isDependentType())
    if (const std::string Type = functionIn(T, Context); !Type.empty())
      for (const Expr *Arg : Args)
        for (const FunctionDecl *F : callablesIn(Arg))
          Stored(Type, F);
  // A lambda becomes a pointer through a conversion function.
  const auto *Call = llvm::dyn_cast<CXXMemberCallExpr>(E);
  const auto *Conversion =
      Call ? llvm::dyn_cast_or_null<CXXConversionDecl>(Call->getMethodDecl())
           : nullptr;
  if (Conversion && Conversion->getParent()->isLambda() &&
      Call->getType()->isFunctionPointerType())
    for (const FunctionDecl *F : callOperators(Conversion->getParent()))
      Stored(textOf(Call->getType()->getPointeeType(), Context), F);
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E))
    if (const auto *F = llvm::dyn_cast<FunctionDecl>(Ref->getDecl()))
      if (std::string Type = textOf(F); !Type.empty())
        Stored(std::move(Type), F);
}

static bool isThread(QualType T) {
  const auto *Class = llvm::dyn_cast_or_null<CXXRecordDecl>(
      T.isNull() ? nullptr : T.getNonReferenceType()->getAsCXXRecordDecl());
  if (!Class || !Class->isInStdNamespace())
    return false;
  const std::string Name = qualifiedName(Class);
  if (Name == "std::thread" || Name == "std::jthread" || Name == "std::future")
    return true;
  const auto *Made = llvm::dyn_cast<ClassTemplateSpecializationDecl>(Class);
  return Made && llvm::any_of(Made->getTemplateArgs().asArray(), [](auto &A) {
           return A.getKind() == TemplateArgument::Type &&
                  isThread(A.getAsType());
         });
}

bool usesThread(const Expr *E) {
  return isThread(container(E).first) ||
         (llvm::isa<CallExpr>(E) && isThread(E->getType()));
}

/// Functions that return their arguments, or keep them in what they return.
static bool onlyWraps(const FunctionDecl *Callee) {
  return Callee->getIdentifier() && Callee->isInStdNamespace() &&
         llvm::is_contained({"move", "forward", "ref", "cref", "addressof",
                             "make_pair", "make_tuple", "bind", "swap"},
                            Callee->getName());
}

Callables passedOn(const Expr *E,
                   llvm::function_ref<bool(const Decl *)> IsSystem) {
  const FunctionDecl *Callee = nullptr;
  llvm::ArrayRef<const Expr *> Args;
  if (const auto *Call = llvm::dyn_cast<CallExpr>(E)) {
    Callee = Call->getDirectCallee();
    Args = {Call->getArgs(), Call->getNumArgs()};
  } else if (const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(E)) {
    Callee = Construct->getConstructor();
    Args = {Construct->getArgs(), Construct->getNumArgs()};
  }
  Callables Result;
  if (!Callee || (!IsSystem(Callee) && Callee->isDefined()) ||
      onlyWraps(Callee) || Callee->isImplicit())
    return Result;
  // The deleter of an owner is called when the object is destroyed, and what a
  // std::function holds when that is called.
  const CXXRecordDecl *Class = nullptr;
  if (const auto *Method = llvm::dyn_cast<CXXMethodDecl>(Callee))
    Class = Method->getParent();
  const std::string Name = Class ? qualifiedName(Class) : "";
  if (Name == "std::unique_ptr" || Name == "std::shared_ptr" ||
      !functionIn(container(E).first, Callee->getASTContext()).empty())
    return Result;
  for (const Expr *Arg : Args)
    Result.append(callablesIn(Arg));
  return Result;
}

} // namespace autoprof::audit
