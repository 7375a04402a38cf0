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
    const FunctionDecl *F = L->getCallOperator();
    if (F->hasBody() && !source::isDeviceOnly(F))
      add(F, Found.Host);
    Found.Outer[writtenDecl(F)] = Current;
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
      Found.AddressTaken.insert(writtenDecl(F));
    return named(E->getDecl());
  }
  bool VisitMemberExpr(MemberExpr *E) { return named(E->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    return named(E->getConstructor());
  }

private:
  const FunctionDecl *Current = nullptr;
  llvm::DenseSet<const Expr *> Callees;

  bool named(const ValueDecl *D) {
    const auto *F = llvm::dyn_cast<FunctionDecl>(D);
    if (F && F->isExternallyVisible() && !F->isDefined() && !F->isImplicit() &&
        !F->isPureVirtual() && !F->isDefaulted() && !F->getBuiltinID())
      Found.Elsewhere.insert(writtenDecl(F));
    return true;
  }

  template <typename Callback>
  bool traverseIn(FunctionDecl *F, Callback Traverse) {
    if (F->doesThisDeclarationHaveABody() && !F->isDefaulted() &&
        !F->isImplicit()) {
      if (!source::isDeviceOnly(F))
        add(F, Found.Host);
      else if (F->hasAttr<CUDAGlobalAttr>())
        add(F, Found.Kernels);
    }
    const FunctionDecl *Outer = Current;
    Current = F;
    const bool Result = source::isDeviceOnly(F) || Traverse();
    Current = Outer;
    return Result;
  }

  static void add(const FunctionDecl *F, Bodies::Functions &Out) {
    const FunctionDecl *&Known = Out[writtenDecl(F)];
    if (!Known || (Known->isDependentContext() && !F->isDependentContext()))
      Known = F;
  }
};

} // namespace

Bodies bodiesOf(llvm::ArrayRef<Decl *> TopLevel) {
  Finder TheFinder;
  for (Decl *D : TopLevel)
    TheFinder.TraverseDecl(D);
  // A template that has instantiations of its own in the list adds nothing.
  llvm::DenseSet<const FunctionDecl *> Instantiated;
  for (auto [Written, F] : TheFinder.Found.Host)
    if (pattern(F) != Written)
      Instantiated.insert(pattern(F));
  TheFinder.Found.Host.remove_if([&](const auto &Entry) {
    return Instantiated.contains(Entry.first) &&
           Entry.second->isDependentContext();
  });
  return std::move(TheFinder.Found);
}

} // namespace autoprof::audit
