// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/DevicePrints.h"

#include "source/ast/Functions.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

/// `if (isnan(x))`, `if (error)`, `if (i < 0 || i >= n)` says nothing.
static bool saysError(StringRef Condition) {
  for (StringRef Word : {"err", "fail", "nan", "isinf", "invalid", "bad",
                         "overflow", "debug", "verbose", "assert"})
    if (Condition.contains_insensitive(Word))
      return true;
  return false;
}

static bool isExcused(const Scopes &Around, const Expr *E) {
  for (int S = Around.of(E); S >= 0; S = Around.All[S].Parent) {
    const Scope &Is = Around.All[S];
    if (Is.What == Scope::ErrorPath || Is.What == Scope::DebugMacro ||
        Is.What == Scope::Verbose ||
        (Is.What != Scope::Loop && saysError(Is.Text)))
      return true;
  }
  return false;
}

void findPrints(const FunctionDecl *Kernel, Shared &All,
                std::vector<DevicePrint> &Out) {
  std::vector<const FunctionDecl *> Open = {Kernel};
  llvm::DenseSet<const FunctionDecl *> Seen = {written(Kernel)};
  while (!Open.empty()) {
    const FunctionDecl *F = Open.back();
    Open.pop_back();
    const Scopes Around =
        scopesOf(F->getBody(), {All.Context, All.Preprocessor, All.PlaceOf,
                                [](const Expr *) { return ""; }});
    for (const Expr *E : Around.Calls) {
      const auto *Call = llvm::dyn_cast<CallExpr>(E);
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
      if (!Callee || isExcused(Around, E))
        continue;
      if (Callee->getIdentifier() && Callee->getName() == "printf") {
        Out.push_back({All.TheNames.usr(Kernel), Kernel->getNameAsString(),
                       All.PlaceOf(E->getBeginLoc())});
        continue;
      }
      const FunctionDecl *Body = nullptr;
      if (!All.TheNames.isSystem(Callee) && Callee->hasBody(Body) &&
          Seen.insert(written(Body)).second)
        Open.push_back(Body);
    }
  }
}

} // namespace autoprof::audit
