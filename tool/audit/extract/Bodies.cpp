// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Bodies.h"

#include "audit/extract/Destroys.h"
#include "source/ast/Functions.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include <set>

using namespace clang;

namespace autoprof::audit {

namespace {

class Finder : public RecursiveASTVisitor<Finder> {
  ASTContext &Context;

public:
  Bodies Found;

  explicit Finder(ASTContext &Context) : Context(Context) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitLambdaBody() const { return true; }
  bool TraverseTypeLoc(TypeLoc, bool = true) { return true; }

  bool TraverseDecl(Decl *D) {
    auto *F = llvm::dyn_cast_or_null<FunctionDecl>(D);
    if (!F)
      return RecursiveASTVisitor::TraverseDecl(D);
    if (source::isDeviceOnly(F) ||
        (F->doesThisDeclarationHaveABody() && !F->isDefaulted() &&
         !F->isImplicit() && !add(F)))
      return true;
    const FunctionDecl *Outer = std::exchange(Current, F);
    const bool Result = RecursiveASTVisitor::TraverseDecl(F);
    Current = Outer;
    return Result;
  }

  bool VisitCXXRecordDecl(CXXRecordDecl *C) {
    if (C->isThisDeclarationADefinition() && !C->isDependentContext() &&
        C->isPolymorphic())
      Found.Classes.push_back(C);
    return true;
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
    const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Call);
    if (Op && Op->getOperator() == OO_Equal && Op->getNumArgs() == 2)
      addDeleters(Op->getArg(0), deletersIn(Op->getArg(1)));
    const auto *Member = llvm::dyn_cast<CXXMemberCallExpr>(Call);
    const auto *Method = Member ? Member->getMethodDecl() : nullptr;
    if (Method && Method->getIdentifier() && Method->getName() == "reset" &&
        Call->getNumArgs() == 2)
      addDeleters(Member->getImplicitObjectArgument(),
                  callablesIn(Call->getArg(1)));
    return stores(Call);
  }

  /// A call is visited before its callee.
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (llvm::isa<FunctionDecl>(E->getDecl()) && !Callees.contains(E))
      stores(E);
    return named(E->getDecl());
  }
  bool VisitMemberExpr(MemberExpr *E) { return named(E->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    stores(E);
    return named(E->getConstructor());
  }

  /// Conversions of the elements are only in the list's other form.
  bool VisitInitListExpr(InitListExpr *List) {
    if (const InitListExpr *Converted = List->getSemanticForm())
      for (const Expr *Part : Converted->inits())
        storesConverted(Part);
    const RecordDecl *Class = List->getType()->getAsRecordDecl();
    if (!Class || !Class->isCompleteDefinition() || Class->isUnion())
      return true;
    unsigned I = 0;
    for (const FieldDecl *Field : Class->fields())
      if (I < List->getNumInits())
        assigns(Field, List->getInit(I++));
    return true;
  }

  bool VisitVarDecl(VarDecl *V) {
    if (!V->getInit())
      return true;
    addDeleters(V, deletersIn(V->getInit()));
    if (V->hasGlobalStorage())
      assigns(V, V->getInit());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *Op) {
    if (Op->getOpcode() != BO_Assign)
      return true;
    const Expr *To = Op->getLHS()->IgnoreParenImpCasts();
    if (const auto *Member = llvm::dyn_cast<MemberExpr>(To))
      assigns(Member->getMemberDecl(), Op->getRHS());
    else if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(To))
      assigns(Ref->getDecl(), Op->getRHS());
    return true;
  }
  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) {
    if (Init->isMemberInitializer())
      addDeleters(Init->getMember(), deletersIn(Init->getInit()));
    return RecursiveASTVisitor::TraverseConstructorInitializer(Init);
  }

private:
  const FunctionDecl *Current = nullptr;
  llvm::DenseSet<const Expr *> Callees;
  std::set<std::pair<std::string, const FunctionDecl *>> KnownStored;

  llvm::DenseMap<const FunctionDecl *, unsigned> Instances; ///< By pattern.

  void addDeleters(const ValueDecl *Of, const Callables &Deleters) {
    if (Of && !Deleters.empty())
      Found.Deleters[Of].append(Deleters);
  }
  void addDeleters(const Expr *Of, const Callables &Deleters) {
    Of = Of->IgnoreParenImpCasts();
    if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(Of))
      addDeleters(Ref->getDecl(), Deleters);
    else if (const auto *Member = llvm::dyn_cast<MemberExpr>(Of))
      addDeleters(Member->getMemberDecl(), Deleters);
  }

  /// For a pointer to a function.
  void assigns(const ValueDecl *To, const Expr *Value) {
    if (To->getType()->isFunctionPointerType())
      for (const FunctionDecl *F : callablesIn(Value))
        Found.StoredIn.push_back({To, F->getCanonicalDecl()});
  }

  bool stores(const Expr *E) {
    storedBy(E, Context, [this](std::string Type, const FunctionDecl *F) {
      std::pair Entry(std::move(Type), F->getCanonicalDecl());
      if (KnownStored.insert(Entry).second)
        Found.Stored.push_back(std::move(Entry));
    });
    return true;
  }

  void storesConverted(const Expr *E) {
    while (E) {
      stores(E);
      const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(E);
      const Expr *Inner = Construct && Construct->getNumArgs()
                              ? Construct->getArg(0)
                              : E->IgnoreImplicit();
      E = Inner == E ? nullptr : Inner;
    }
  }

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

Bodies bodiesOf(ASTContext &Context, llvm::ArrayRef<Decl *> TopLevel) {
  Finder TheFinder(Context);
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
