// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Bodies.h"

#include "audit/extract/Names.h"
#include "source/ast/Functions.h"

#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autoprof::audit {

namespace {

class Finder : public RecursiveASTVisitor<Finder> {
public:
  Bodies Found;

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitLambdaBody() const { return true; }
  bool TraverseTypeLoc(TypeLoc, bool = true) { return true; }

  bool TraverseFunctionDecl(FunctionDecl *F) {
    return traverseIn(
        F, [&] { return RecursiveASTVisitor::TraverseFunctionDecl(F); });
  }
  bool TraverseCXXMethodDecl(CXXMethodDecl *F) {
    return traverseIn(
        F, [&] { return RecursiveASTVisitor::TraverseCXXMethodDecl(F); });
  }
  bool TraverseCXXConstructorDecl(CXXConstructorDecl *F) {
    return traverseIn(
        F, [&] { return RecursiveASTVisitor::TraverseCXXConstructorDecl(F); });
  }
  bool TraverseCXXDestructorDecl(CXXDestructorDecl *F) {
    return traverseIn(
        F, [&] { return RecursiveASTVisitor::TraverseCXXDestructorDecl(F); });
  }
  bool TraverseCXXConversionDecl(CXXConversionDecl *F) {
    return traverseIn(
        F, [&] { return RecursiveASTVisitor::TraverseCXXConversionDecl(F); });
  }

  bool VisitLambdaExpr(LambdaExpr *L) {
    CXXMethodDecl *F = L->getCallOperator();
    addLambda(F);
    if (FunctionTemplateDecl *Generic = F->getDescribedFunctionTemplate())
      for (FunctionDecl *Made : Generic->specializations())
        if (Made->doesThisDeclarationHaveABody() && addLambda(Made))
          TraverseStmt(Made->getBody());
    return true;
  }

  bool VisitCallExpr(CallExpr *Call) {
    Callees.insert(Call->getCallee()->IgnoreParenImpCasts());
    return true;
  }

  /// A call is visited before its callee.
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (const auto *F = llvm::dyn_cast<FunctionDecl>(E->getDecl());
        F && !Callees.contains(E))
      Found.AddressTaken.insert(F->getCanonicalDecl());
    return named(E->getDecl());
  }
  bool VisitMemberExpr(MemberExpr *E) { return named(E->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    return named(E->getConstructor());
  }

private:
  const FunctionDecl *Current = nullptr;
  llvm::DenseSet<const Expr *> Callees;

  llvm::DenseMap<const FunctionDecl *, unsigned> Instances; ///< By pattern.

  /// Whether another unit may define it.
  static bool isElsewhere(const FunctionDecl *F) {
    const FunctionDecl *Pattern = F->getTemplateInstantiationPattern();
    const bool Here = F->isDefined() || (Pattern && Pattern->isDefined() &&
                                         F->getTemplateSpecializationKind() ==
                                             TSK_ImplicitInstantiation);
    return F->isExternallyVisible() && !Here && !F->isImplicit() &&
           !F->isPureVirtual() && !F->isDefaulted() && !F->getBuiltinID();
  }

  bool named(const ValueDecl *D) {
    const auto *F = llvm::dyn_cast<FunctionDecl>(D);
    if (F && isElsewhere(F))
      Found.Elsewhere.insert(F->getCanonicalDecl());
    return true;
  }

  bool addLambda(const FunctionDecl *F) {
    Found.Outer[F->getCanonicalDecl()] = Current;
    return F->hasBody() && !source::isDeviceOnly(F) && add(F);
  }

  template <typename Callback>
  bool traverseIn(FunctionDecl *F, Callback Traverse) {
    if (F->doesThisDeclarationHaveABody() && !F->isDefaulted() &&
        !F->isImplicit()) {
      if (!source::isDeviceOnly(F)) {
        if (!add(F))
          return true;
      } else if (F->hasAttr<CUDAGlobalAttr>()) {
        const FunctionDecl *&Known = Found.Kernels[pattern(F)];
        if (!Known || (Known->isDependentContext() && !F->isDependentContext()))
          Known = F;
      }
    }
    const FunctionDecl *Outer = Current;
    Current = F;
    const bool Result = source::isDeviceOnly(F) || Traverse();
    Current = Outer;
    return Result;
  }

  /// Returns whether it is within the limit.
  bool add(const FunctionDecl *F) {
    constexpr unsigned MostInstances = 64;
    const FunctionDecl *Key = F->getCanonicalDecl();
    if (pattern(F) != Key && ++Instances[pattern(F)] > MostInstances)
      return false;
    Found.Host[Key] = F;
    return true;
  }
};

} // namespace

Bodies bodiesOf(llvm::ArrayRef<Decl *> TopLevel) {
  Finder TheFinder;
  for (Decl *D : TopLevel)
    TheFinder.TraverseDecl(D);
  Bodies &Found = TheFinder.Found;
  // A template adds nothing to its instantiations, nor do lambdas in it.
  llvm::DenseSet<const FunctionDecl *> Instantiated;
  for (auto [Key, F] : Found.Host)
    if (pattern(F) != Key)
      Instantiated.insert(pattern(F));
  Found.Host.remove_if([&](const auto &Entry) {
    if (!Entry.second->isDependentContext())
      return false;
    for (const FunctionDecl *F = Entry.first; F; F = Found.Outer.lookup(F)) {
      F = F->getCanonicalDecl();
      if (Instantiated.contains(F))
        return true;
    }
    return false;
  });
  return std::move(Found);
}

} // namespace autoprof::audit
