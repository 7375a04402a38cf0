// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often booleans that other functions compute are true.
#include "audit/extract/Periodic.h"
#include "audit/extract/State.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace autoprof::audit {

std::string Evaluator::slotOf(const Expr *E) const {
  E = E->IgnoreParenImpCasts();
  if (const auto *Call = llvm::dyn_cast<CallExpr>(E)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    return Callee && !TheNames.isSystem(Callee) ? TheNames.result(Callee) : "";
  }
  const std::optional<CellKey> C = cellOf(E);
  return C && C->Depth == 0 ? slot(*C) : "";
}

Value Evaluator::frequencyOf(const Expr *E) const {
  if (isSeldom(E, true, [](const VarDecl *) { return false; }))
    return Value::fromMask(flags::Seldom);
  if (const auto *Literal =
          llvm::dyn_cast<CXXBoolLiteralExpr>(E->IgnoreParenImpCasts()))
    return Value::fromMask(Literal->getValue() ? flags::Often : flags::Never);
  if (const Asked By = askedBy(E, true); By.Expression && By.IsTrue)
    if (std::string Slot = slotOf(By.Expression); !Slot.empty())
      return Value::fromSlot(std::move(Slot));
  return Value::fromMask(flags::Often);
}

} // namespace autoprof::audit
