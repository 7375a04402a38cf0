// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects whose constructor or destructor is a site without a call in the text.
#include "source/sites/Collector.h"

#include "source/ast/LibraryNames.h"

using namespace clang;

namespace autoprof::source {

static constexpr llvm::StringLiteral WhenInstantiated =
    "its constructor is chosen when the template is instantiated";

/// The construction in an initializer, looking through nodes that elision
/// removes.
static const CXXConstructExpr *constructionIn(const Expr *Init) {
  while (Init) {
    Init = Init->IgnoreImplicit();
    const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(Init);
    if (Construct && Construct->isElidable() && Construct->getNumArgs())
      Init = Construct->getArg(0);
    else if (const auto *Cast = llvm::dyn_cast<CXXFunctionalCastExpr>(Init))
      Init = Cast->getSubExpr();
    else
      return Construct;
  }
  return nullptr;
}

/// An initializer without the ExprWithCleanups that it has in a template if
/// arguments create temporaries.
static const Expr *withoutCleanups(const Expr *Init) {
  const auto *Full = llvm::dyn_cast_or_null<FullExpr>(Init);
  return Full ? Full->getSubExpr() : Init;
}

static std::optional<CataloguedCall>
constructorOf(QualType Type, llvm::ArrayRef<const Expr *> Arguments,
              const SourceManager &SM) {
  const CXXRecordDecl *Class = classOf(Type);
  const auto *Row = Class ? libraryRow(Class, Class->getName(), SM) : nullptr;
  if (!Row || !catalogue::mayWait(Row->Wait) || isMadeOnHost(*Row, Arguments))
    return std::nullopt;
  return CataloguedCall{catalogue::name(Row->Class), Row->Name.str()};
}

/// Classifies an expression that only an instantiation shows to be a
/// construction of `Type`.
static std::optional<CataloguedCall>
dependentConstruction(QualType Type, const Expr *Init,
                      const SourceManager &SM) {
  Init = withoutCleanups(Init);
  const bool IsList = Init && llvm::isa<ParenListExpr, InitListExpr>(Init) &&
                      (Type->isDependentType() || Init->isTypeDependent());
  if ((!IsList && !(Init && unresolvedConstruction(Init))) ||
      Init->children().empty())
    return std::nullopt;
  llvm::SmallVector<const Expr *, 4> Arguments;
  for (const Stmt *Child : Init->children())
    if (const auto *Argument = llvm::dyn_cast_or_null<Expr>(Child))
      Arguments.push_back(Argument);
  return constructorOf(Type, Arguments, SM);
}

void Collector::visitVariable(const VarDecl *V) {
  const Expr *Init = withoutCleanups(V->getInit());
  std::optional<CataloguedCall> Constructor;
  if (const CXXConstructExpr *Construct = constructionIn(Init)) {
    OfVariables.insert(Construct);
    Constructor = catalogued(Construct, SM);
  } else if (Init && !unresolvedConstruction(Init)) { // That would be a site.
    Constructor = dependentConstruction(V->getType(), Init, SM);
    if (!Constructor && Init->isTypeDependent() &&
        !llvm::isa<ParenListExpr, InitListExpr>(Init) &&
        !V->getType()->isReferenceType())
      if (std::optional<CataloguedCall> Copy =
              constructorOf(V->getType(), {Init}, SM))
        leaveAlone(*Copy, V->getLocation(), WhenInstantiated);
  }
  auto Add = [&](const CataloguedCall &Call, LifeEnd End) {
    addSite(Call, V->getLocation(), [&](const Site &S) {
      if (V->hasGlobalStorage())
        return std::string("in an object that lives as long as the program");
      if (End == LifeEnd::Construction && Current.IsCoroutine &&
          suspends(V->getInit()))
        return InSuspendingExpression.str();
      return Probes.addVariable(S.Id, Way, End);
    });
  };
  if (std::optional<CataloguedCall> Destructor =
          cataloguedDestructor(V->getType(), SM))
    Add(*Destructor, LifeEnd::Destruction);
  if (Constructor)
    Add(*Constructor, LifeEnd::Construction);
}

void Collector::visitConstruction(const CXXConstructExpr *Construct) {
  if (OfVariables.count(Construct))
    return;
  if (std::optional<CataloguedCall> Found = catalogued(Construct, SM))
    addSite(*Found, Construct->getBeginLoc(),
            [&](const Site &S) { return Probes.addConstruction(S.Id, Way); });
}

void Collector::visitUnresolvedConstruction(const Expr *Construct) {
  if (std::optional<CataloguedCall> Found =
          dependentConstruction(Construct->getType(), Construct, SM))
    addSite(*Found, Construct->getBeginLoc(),
            [&](const Site &S) { return Probes.addConstruction(S.Id, Way); });
  visitTemporary(Construct);
}

/// For initializers whose instantiations have nodes at other places.
void Collector::visitUnresolvedInitialiser(QualType Type, const Expr *Init,
                                           SourceLocation Loc) {
  if (std::optional<CataloguedCall> Found =
          dependentConstruction(Type, Init, SM))
    leaveAlone(*Found, Loc, WhenInstantiated);
}

/// Whether the object at the end of `Way` is destroyed at the end of its full
/// expression.
static bool isTemporary(Trail Way) {
  for (size_t I = Way.size() - 1; I-- > 0;) {
    const Stmt *S = Way[I].S;
    if (!S)
      return false; // It initializes a variable or a member.
    if (llvm::isa<CallExpr, MaterializeTemporaryExpr, MemberExpr,
                  CXXDependentScopeMemberExpr>(S))
      return true;
    const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(S);
    if (Construct && !Construct->isElidable())
      return true;
    const auto *Binary = llvm::dyn_cast<BinaryOperator>(S);
    if (Binary && Way[I + 1].S == Binary->getLHS())
      return true;
    if (const auto *Cast = llvm::dyn_cast<CastExpr>(S);
        Cast && Cast->getCastKind() == CK_ToVoid)
      return true;
    if (!Construct && !Binary &&
        !llvm::isa<CastExpr, FullExpr, ParenExpr, CXXBindTemporaryExpr,
                   ConditionalOperator>(S))
      return !llvm::isa<Expr, ReturnStmt, CoreturnStmt>(S);
  }
  return false;
}

void Collector::visitTemporary(const Expr *E) {
  if (std::optional<CataloguedCall> Found =
          cataloguedDestructor(E->getType(), SM);
      Found && isTemporary(Way))
    leaveAlone(*Found, E->getBeginLoc(),
               "it destroys a temporary at the end of the full expression");
}

void Collector::visitDelete(const CXXDeleteExpr *Delete) {
  if (std::optional<CataloguedCall> Found =
          cataloguedDestructor(Delete->getDestroyedType(), SM))
    addSite(*Found, Delete->getBeginLoc(),
            [&](const Site &S) { return Probes.addCall(S.Id, Way); });
}

} // namespace autoprof::source
