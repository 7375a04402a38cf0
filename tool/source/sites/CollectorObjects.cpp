// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects whose constructor or destructor is a site, where no call is written.
#include "source/sites/Collector.h"

#include "source/ast/LibraryNames.h"

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
  auto Add = [&](const CataloguedCall &Call, LifeEnd End) {
    addSite(Call, V->getLocation(), [&](const Site &S) {
      if (V->hasGlobalStorage())
        return std::string("in an object that lives as long as the program");
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

void Collector::visitDelete(const CXXDeleteExpr *Delete) {
  if (std::optional<CataloguedCall> Found =
          cataloguedDestructor(Delete->getDestroyedType(), SM))
    addSite(*Found, Delete->getBeginLoc(),
            [&](const Site &S) { return Probes.addCall(S.Id, Way); });
}

} // namespace autoprof::source
