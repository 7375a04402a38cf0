// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/DevicePrints.h"

#include "source/ast/Functions.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

/// Whether the condition suggests an error, as `if (isnan(x))` and `if (error)`
/// do, but `if (i < 0 || i >= n)` does not.
static bool saysError(StringRef Condition) {
  for (StringRef Word : {"err", "fail", "nan", "isinf", "invalid", "bad",
                         "overflow", "debug", "verbose", "assert"})
    if (Condition.contains_insensitive(Word))
      return true;
  return false;
}

/// Whether it reports what should not happen: `printf("Mismatch at %d", i)`.
static bool reportsError(const CallExpr *Print) {
  const auto *Format = Print->getNumArgs()
                           ? llvm::dyn_cast<StringLiteral>(
                                 Print->getArg(0)->IgnoreParenImpCasts())
                           : nullptr;
  if (!Format || Format->getCharByteWidth() != 1)
    return false;
  const StringRef Text = Format->getString();
  for (StringRef Word :
       {"error", "fail", "mismatch", "invalid", "wrong", "overflow",
        "unexpected", "assert", "out of", "warning", "expected"})
    if (Text.contains_insensitive(Word))
      return true;
  return false;
}

static bool isExcused(const Scopes &BodyScopes, const Expr *E) {
  for (int S = BodyScopes.scopeOf(E); S >= 0; S = BodyScopes.All[S].Parent) {
    const Scope &Current = BodyScopes.All[S];
    if (Current.Class == Scope::ErrorPath ||
        Current.Class == Scope::DebugMacro || Current.Class == Scope::Verbose ||
        (Current.Class != Scope::Loop && saysError(Current.Text)))
      return true;
  }
  return false;
}

void findPrints(const FunctionDecl *Kernel, Shared &Unit,
                std::vector<DevicePrint> &Out) {
  std::vector<const FunctionDecl *> Worklist = {Kernel};
  llvm::DenseSet<const FunctionDecl *> Seen = {writtenDecl(Kernel)};
  while (!Worklist.empty()) {
    const FunctionDecl *F = Worklist.back();
    Worklist.pop_back();
    const Scopes BodyScopes =
        scopesOf(F->getBody(), {Unit.Context, Unit.Preprocessor, Unit.PlaceOf,
                                [](const Expr *) { return ""; }, F});
    for (const Expr *E : BodyScopes.Calls) {
      const auto *Call = llvm::dyn_cast<CallExpr>(E);
      const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
      if (!Callee || isExcused(BodyScopes, E))
        continue;
      if (Callee->getIdentifier() && Callee->getName() == "printf") {
        if (reportsError(Call))
          continue;
        Out.push_back({Unit.TheNames.usr(Kernel), Kernel->getNameAsString(),
                       Unit.PlaceOf(E->getBeginLoc())});
        continue;
      }
      const FunctionDecl *Body = nullptr;
      if (!Unit.TheNames.isSystem(Callee) && Callee->hasBody(Body) &&
          Seen.insert(writtenDecl(Body)).second)
        Worklist.push_back(Body);
    }
  }
}

} // namespace autoprof::audit
