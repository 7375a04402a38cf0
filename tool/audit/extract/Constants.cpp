// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Constants.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace autoprof::audit {

const Expr *bare(const Expr *E) {
  if (const auto *Full = llvm::dyn_cast<FullExpr>(E))
    E = Full->getSubExpr();
  return E->IgnoreParenCasts();
}

bool isZero(const Expr *E) {
  E = bare(E);
  if (const auto *Number = llvm::dyn_cast<IntegerLiteral>(E))
    return Number->getValue() == 0;
  if (const auto *Bool = llvm::dyn_cast<CXXBoolLiteralExpr>(E))
    return !Bool->getValue();
  return llvm::isa<CXXNullPtrLiteralExpr, GNUNullExpr>(E);
}

bool isConstant(const Expr *E) {
  E = bare(E);
  if (const auto *Op = llvm::dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_Minus)
    return isConstant(Op->getSubExpr());
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E))
    return llvm::isa<EnumConstantDecl>(Ref->getDecl());
  return isZero(E) || llvm::isa<IntegerLiteral, CXXBoolLiteralExpr,
                                FloatingLiteral, CharacterLiteral>(E);
}

} // namespace autoprof::audit
