// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/syntax/SyntaxPlan.h"

#include "source/ast/Calls.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace autoprof::source {

//===-- Places ------------------------------------------------------------===//

SyntaxPlan::Key SyntaxPlan::keyOf(Kind K, SourceLocation Begin,
                                  SourceLocation End) const {
  return {K, SM.getSpellingLoc(Begin).getRawEncoding(),
          SM.getExpansionLoc(Begin).getRawEncoding(),
          SM.getSpellingLoc(End).getRawEncoding()};
}

/// The end of the last written argument: nodes differ in whether the
/// parenthesis after it belongs to the construction.
template <typename ConstructT>
static SourceLocation endOfArguments(const ConstructT *Construct) {
  for (unsigned I = Construct->getNumArgs(); I-- > 0;) {
    const Expr *Argument = Construct->getArg(I);
    if (const auto *Pack = llvm::dyn_cast<PackExpansionExpr>(Argument))
      Argument = Pack->getPattern();
    if (const auto *Braces = llvm::dyn_cast<InitListExpr>(Argument);
        Braces && Braces->getNumInits() &&
        llvm::isa<CXXUnresolvedConstructExpr>(Construct))
      Argument = Braces->getInit(Braces->getNumInits() - 1);
    if (!llvm::isa<CXXDefaultArgExpr>(Argument))
      return Argument->getEndLoc();
  }
  return Construct->getEndLoc();
}

std::optional<SyntaxPlan::Key> SyntaxPlan::keyOf(const Expr *E) const {
  if (llvm::isa<CallExpr>(E))
    return keyOf(Kind::Call, E->getBeginLoc(), E->getEndLoc());
  if (llvm::isa<CXXDeleteExpr>(E))
    return keyOf(Kind::Delete, E->getBeginLoc(), E->getEndLoc());
  if (const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(E))
    return keyOf(Kind::Construction, E->getBeginLoc(),
                 endOfArguments(Construct));
  if (const auto *Later = llvm::dyn_cast<CXXUnresolvedConstructExpr>(E))
    return keyOf(Kind::Construction, E->getBeginLoc(), endOfArguments(Later));
  if (unresolvedConstruction(E))
    return keyOf(Kind::Construction, E->getBeginLoc(),
                 llvm::cast<CastExpr>(E)->getSubExpr()->getEndLoc());
  return std::nullopt;
}

SyntaxPlan::Key SyntaxPlan::keyOf(const VarDecl *V, LifeEnd End) const {
  return keyOf(End == LifeEnd::Construction ? Kind::Begin : Kind::End,
               V->getLocation(), V->getLocation());
}

//===-- Planning ----------------------------------------------------------===//

static bool isInTemplate(Trail Way) {
  for (size_t I = Way.size(); I-- > 0;)
    if (const Decl *D = Way[I].D) {
      const DeclContext *Context = llvm::isa<DeclContext>(D)
                                       ? llvm::cast<DeclContext>(D)
                                       : D->getDeclContext();
      if (Context->isDependentContext())
        return true;
    } else if (const auto *L = llvm::dyn_cast<LambdaExpr>(Way[I].S);
               L && L->isGenericLambda())
      return true;
  return false;
}

std::string SyntaxPlan::plan(const Key &K, uint64_t Id, SourceLocation Position,
                             bool InTemplate) {
  if (SM.isLoadedSourceLocation(Position))
    return "in a precompiled header or module";
  if (!Files.isUsers(SM.getExpansionLoc(Position)))
    return "in a file that is not the project's";
  Planned.try_emplace(K, Probe{Id, InTemplate});
  return "";
}

std::string SyntaxPlan::addCall(uint64_t Id, Trail Way) {
  const auto *E = llvm::cast<Expr>(Way.back().S);
  return plan(*keyOf(E), Id, E->getBeginLoc(), isInTemplate(Way));
}

std::string SyntaxPlan::addConstruction(uint64_t Id, Trail Way) {
  return addCall(Id, Way);
}

/// Whether a statement declares the variable at the end of `Way`, unlike the
/// capture of a lambda.
static bool isInStatement(Trail Way) {
  return Way.size() > 2 &&
         llvm::isa_and_nonnull<DeclStmt>(Way[Way.size() - 2].S);
}

/// Whether it is declared in a statement of its own, not as the condition or
/// the element of another one.
static bool isDeclaredByItself(Trail Way) {
  return llvm::isa_and_nonnull<CompoundStmt, LabelStmt, SwitchCase>(
      Way[Way.size() - 3].S);
}

std::string SyntaxPlan::addVariable(uint64_t Id, Trail Way, LifeEnd End) {
  const auto *V = llvm::cast<VarDecl>(Way.back().D);
  if (!isInStatement(Way) ||
      (End == LifeEnd::Destruction && !isDeclaredByItself(Way)))
    return "a variable that no block holds";
  return plan(keyOf(V, End), Id, V->getLocation(), isInTemplate(Way));
}

std::string SyntaxPlan::addFunction(uint64_t Id, const FunctionDecl *F) {
  return plan(keyOf(Kind::Function, F->getLocation(), F->getLocation()), Id,
              F->getLocation(), F->isDependentContext());
}

// It does not matter whether a loop is in a template: it is written once, and
// all instantiations of its function have it.
std::string SyntaxPlan::addLoop(uint64_t Id, const Stmt *Loop) {
  return plan(keyOf(Kind::Loop, Loop->getBeginLoc(), Loop->getEndLoc()), Id,
              Loop->getBeginLoc(), /*InTemplate=*/true);
}

//===-- Asking ------------------------------------------------------------===//

const SyntaxPlan::Probe *SyntaxPlan::find(const Key &K) {
  auto Known = Planned.find(K);
  if (Known == Planned.end())
    return nullptr;
  Known->second.Found = true;
  return &Known->second;
}

const SyntaxPlan::Probe *SyntaxPlan::ofExpression(const Expr *E) {
  const std::optional<Key> K = keyOf(E);
  return K ? find(*K) : nullptr;
}

const SyntaxPlan::Probe *SyntaxPlan::ofLoop(const Stmt *Loop) {
  return find(keyOf(Kind::Loop, Loop->getBeginLoc(), Loop->getEndLoc()));
}

const SyntaxPlan::Probe *SyntaxPlan::ofFunction(const FunctionDecl *F) {
  return find(keyOf(Kind::Function, F->getLocation(), F->getLocation()));
}

const SyntaxPlan::Probe *SyntaxPlan::ofVariable(const VarDecl *V, LifeEnd End) {
  return find(keyOf(V, End));
}

std::set<uint64_t> SyntaxPlan::notFound() const {
  std::set<uint64_t> Result;
  for (const auto &[Place, P] : Planned)
    if (!P.Found && !P.InTemplate)
      Result.insert(P.Id);
  return Result;
}

} // namespace autoprof::source
