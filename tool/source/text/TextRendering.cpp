// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A member that a constructor initializes gets its probe before its first
// argument, which belongs to the same full expression.
#include "source/text/TextRendering.h"

#include "source/ast/Loops.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace autoprof::source {

static const char *const SharedText =
    "this text is included more than once and has the probe of another "
    "inclusion";

//===-- Sites -------------------------------------------------------------===//

std::string TextRendering::addCall(uint64_t Id, Trail Way) {
  return insertSite(Id, Places.forCall(Way));
}

std::string TextRendering::addConstruction(uint64_t Id, Trail Way) {
  return insertSite(Id, placeOfConstruction(Way));
}

std::string TextRendering::addVariable(uint64_t Id, Trail Way, LifeEnd End) {
  Place P = Places.forVariable(Way);
  if (P.Shape != Place::None)
    P.Shape = End == LifeEnd::Construction ? Place::Bracket : Place::Object;
  return insertSite(Id, P);
}

Place TextRendering::placeOfConstruction(Trail Way) const {
  const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(Way.back().S);
  Trail Outer = Way;
  // If the type is written before the arguments, all of it is an expression.
  bool NamesType = !Construct || llvm::isa<CXXTemporaryObjectExpr>(Construct);
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

std::string TextRendering::whyNotInsertable(SourceLocation Position) const {
  if (SM.isLoadedSourceLocation(Position))
    return "in a precompiled header or module";
  if (!Files.isUsers(Position))
    return "in a file that is not the project's";
  return "";
}

std::string TextRendering::insertSite(uint64_t Id, const Place &P) {
  if (P.Shape == Place::None)
    return P.Reason;
  if (std::string Reason = whyNotInsertable(P.Begin); !Reason.empty())
    return Reason;
  AtRisk |= P.AtRisk;
  auto Insert = [&](Rank Order, const Wrapping &A) -> std::string {
    return Changes.insert(P.Begin, Order, A.Before, P.End, A.After)
               ? ""
               : SharedText;
  };
  switch (P.Shape) {
  case Place::Prefix:
    return Changes.insert(P.Begin, Rank::Prefix, Text.site(Id)) ? ""
                                                                : SharedText;
  case Place::Parentheses:
    return Insert(Rank::Parentheses, Text.expression(Id));
  case Place::Block:
    return Insert(Rank::Block, Text.block(Id));
  case Place::Bracket:
    return Insert(Rank::Bracket, Text.bracket(Id));
  case Place::Object:
    return Insert(Rank::Object, Text.object(Id));
  case Place::None:
    break;
  }
  return P.Reason;
}

//===-- Ranges ------------------------------------------------------------===//

std::string TextRendering::addFunction(uint64_t Id, const FunctionDecl *F) {
  const Stmt *Body = F->getBody();
  if (const auto *Try = llvm::dyn_cast<CXXTryStmt>(Body))
    Body = Try->getTryBlock();
  return insertRange(Id, Body);
}

std::string TextRendering::addLoop(uint64_t Id, const Stmt *Loop) {
  return insertRange(Id, loopBody(Loop));
}

std::string TextRendering::insertRange(uint64_t Id, const Stmt *Body) {
  if (const auto *Braces = llvm::dyn_cast<CompoundStmt>(Body)) {
    SourceLocation Brace = Braces->getLBracLoc();
    if (Brace.isMacroID())
      return "its body is written in macro " + Places.macroName(Brace);
    Brace = Brace.getLocWithOffset(1);
    if (std::string Reason = whyNotInsertable(Brace); !Reason.empty())
      return Reason;
    return Changes.insert(Brace, Rank::Range, Text.range(Id)) ? "" : SharedText;
  }
  Place P = Places.aroundStatement(Body);
  if (P.Shape == Place::None)
    return P.Reason;
  if (std::string Reason = whyNotInsertable(P.Begin); !Reason.empty())
    return Reason;
  return Changes.insert(P.Begin, Rank::Range, "{" + Text.range(Id) + " ", P.End,
                        "}")
             ? ""
             : SharedText;
}

} // namespace autoprof::source
