// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function returns, and what it assigns to fields and global variables.
#include "audit/extract/Summary.h"

#include "audit/extract/Syntax.h"

#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace autoprof::audit {

static bool asksFor(const Term &T, llvm::StringRef Slot) {
  return (T.Class == Term::Slot && T.Name == Slot) ||
         llvm::any_of(T.Parts,
                      [&](const Term &Part) { return asksFor(Part, Slot); });
}

/// Whether it sets an option: only under a condition that does not ask for it.
/// What follows a branch that leaves is what most often runs.
static bool isOption(const Scopes &In, const Changes::Change &C,
                     llvm::StringRef Slot) {
  if (C.isInput())
    return true;
  bool Result = false;
  for (int S = In.scopeOf(C.To); S >= 0; S = In.All[S].Parent) {
    const Scope &Around = In.All[S];
    if (asksFor(Around.When, Slot))
      return false;
    Result |= Around.Class == Scope::Error ||
              (Around.Class == Scope::Condition && Around.Left == Scope::Stays);
  }
  return Result && C.Value;
}

static void add(Assignment A, std::vector<Assignment> &Out) {
  if (!llvm::is_contained(Out, A))
    Out.push_back(std::move(A));
}

void summarize(const FunctionDecl *F, const Stmt *Body, const Scopes &In,
               Names &TheNames, Function &Out) {
  const TermMaker &Terms = *In.Terms;
  const auto *Block = llvm::dyn_cast<CompoundStmt>(Body);
  const auto *Return = Block && Block->size() == 1
                           ? llvm::dyn_cast<ReturnStmt>(Block->body_front())
                           : nullptr;
  if (Return)
    Out.Result = Terms.of(Return->getRetValue());
  auto Add = [&](const ValueDecl *D, llvm::ArrayRef<Changes::Change> All) {
    const std::string Slot = TheNames.slotOf(D);
    for (const Changes::Change &C : All)
      add({Slot,
           C.Value && C.IsAssignment && isNumeric(D->getType())
               ? Terms.of(C.Value)
               : Term(),
           C.isCopy() ? Assignment::Copies : Assignment::Computes,
           isOption(In, C, Slot), D->getType()->isBooleanType(),
           In.scopeOf(C.To)},
          Out.Assigns);
  };
  for (const auto &[Field, All] : Terms.changes().Fields)
    if (isFollowed(Field->getType()) || isHolder(Field->getType()))
      Add(Field, All);
  for (const auto &[V, Known] : Terms.changes().Known)
    if (V->hasGlobalStorage() &&
        (isFollowed(V->getType()) || isHolder(V->getType()))) {
      if (std::optional<Assignment> First =
              V->isStaticLocal()
                  ? initialValue(V, V->getInit(), Terms.context(), TheNames)
                  : std::nullopt)
        add(std::move(*First), Out.Assigns);
      Add(V, Known.All);
      if (Known.IsShared && V != staticOf(F))
        add({TheNames.slotOf(V)}, Out.Assigns);
    }
  if (const auto *Made = llvm::dyn_cast<CXXConstructorDecl>(F))
    for (const CXXCtorInitializer *Init : Made->inits())
      if (Init->isMemberInitializer() &&
          isNumeric(Init->getMember()->getType()))
        add({TheNames.slotOf(Init->getMember()), Terms.of(Init->getInit()),
             Assignment::Begins, false,
             Init->getMember()->getType()->isBooleanType()},
            Out.Assigns);
  // The order of variables is that of their addresses.
  llvm::stable_sort(Out.Assigns, [](const Assignment &A, const Assignment &B) {
    return A.Slot < B.Slot;
  });
}

std::optional<Assignment> initialValue(const ValueDecl *D, const Expr *Init,
                                       const ASTContext &Context,
                                       Names &TheNames) {
  if (!isNumeric(D->getType()) || (Init && Init->isValueDependent()))
    return std::nullopt;
  const TermMaker Terms(Context, TheNames, nullptr, nullptr);
  return Assignment{TheNames.slotOf(D),
                    Init ? Terms.of(Init) : Term::constant(0),
                    Assignment::Begins, false, D->getType()->isBooleanType()};
}

} // namespace autoprof::audit
