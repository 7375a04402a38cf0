// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects whose constructor or destructor is a site, where no call is written.
//
//     AP_OBJECT(1) AP_SITE_BEGIN(2) device_vector<float> v(n); AP_SITE_END(2)
//     AP_OBJECT_END(1)
//
// brackets the construction of a variable (2) and, at the end of its scope, its
// destruction (1), and leaves the declaration as it is. Temporaries, new and
// delete are expressions. A member that a constructor initialises gets the
// probe before its first argument, which belongs to the same full expression.
#include "source/Collector.h"

#include "source/LibraryNames.h"

using namespace clang;

namespace autoprof::source {

/// The construction that an initialiser is, through what elision removes.
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

/// What only an instantiation will show as a construction.
static std::optional<CataloguedCall>
dependentConstruction(const VarDecl *V, const SourceManager &SM) {
  const Expr *Init = V->getInit();
  if (!Init || !V->getType()->isDependentType() ||
      !llvm::isa<ParenListExpr, InitListExpr>(Init))
    return std::nullopt;
  const CXXRecordDecl *Class = classOf(V->getType());
  const auto *Row = Class ? libraryRow(Class, Class->getName(), SM) : nullptr;
  if (!Row || !catalogue::mayWait(Row->Wait))
    return std::nullopt;
  return CataloguedCall{catalogue::name(Row->Class), Row->Name.str()};
}

void Collector::visitVariable(const VarDecl *V) {
  std::optional<CataloguedCall> Constructor = dependentConstruction(V, SM);
  if (const CXXConstructExpr *Construct = constructionIn(V->getInit())) {
    OfVariables.insert(Construct);
    Constructor = catalogued(Construct, SM);
  }
  auto Add = [&](const CataloguedCall &Call, Place::Form Form) {
    addSite(Call, V->getLocation(), [&](const Site &S) {
      if (V->hasGlobalStorage())
        return std::string("in an object that lives as long as the program");
      Place P = Places.forVariable(Way);
      if (P.How != Place::None)
        P.How = Form;
      return placeSite(S.Id, P);
    });
  };
  if (std::optional<CataloguedCall> Destructor =
          cataloguedDestructor(V->getType(), SM))
    Add(*Destructor, Place::Object);
  if (Constructor)
    Add(*Constructor, Place::Bracket);
}

void Collector::visitConstruction(const CXXConstructExpr *Construct) {
  if (OfVariables.count(Construct))
    return;
  if (std::optional<CataloguedCall> Found = catalogued(Construct, SM))
    addSite(*Found, Construct->getBeginLoc(), [&](const Site &S) {
      return placeSite(S.Id, placeFor(Construct));
    });
}

Place Collector::placeFor(const CXXConstructExpr *Construct) const {
  Trail Outer = Way;
  // A type is written before the arguments: then all of it is an expression.
  bool NamesType = llvm::isa<CXXTemporaryObjectExpr>(Construct);
  while (Outer.size() > 1 &&
         llvm::isa_and_nonnull<ImplicitCastExpr, MaterializeTemporaryExpr,
                               CXXBindTemporaryExpr, FullExpr,
                               CXXFunctionalCastExpr, CXXNewExpr>(
             Outer[Outer.size() - 2].S)) {
    Outer = Outer.drop_back();
    NamesType |= llvm::isa<CXXFunctionalCastExpr, CXXNewExpr>(Outer.back().S);
  }
  if (!NamesType && Construct->isListInitialization())
    return {Place::None, {}, {}, "in a braced initialiser"};
  const bool IsInitialiser =
      Outer.size() > 1 &&
      llvm::isa_and_nonnull<FunctionDecl>(Outer[Outer.size() - 2].D);
  return IsInitialiser && !NamesType ? Places.forArgument(Construct->getArg(0))
                                     : Places.forCall(Outer);
}

void Collector::visitDelete(const CXXDeleteExpr *Delete) {
  if (std::optional<CataloguedCall> Found =
          cataloguedDestructor(Delete->getDestroyedType(), SM))
    addSite(*Found, Delete->getBeginLoc(), [&](const Site &S) {
      return placeSite(S.Id, Places.forCall(Way));
    });
}

} // namespace autoprof::source
