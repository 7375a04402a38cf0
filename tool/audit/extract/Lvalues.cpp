// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Lvalues.h"

#include "audit/extract/Inside.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Stack.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

const VarDecl *Lvalue::localVariable() const {
  const auto *V = llvm::dyn_cast_or_null<VarDecl>(Base);
  if (!V || !V->hasLocalStorage() || V->getType()->isReferenceType())
    return nullptr;
  // The target of a pointer belongs to another object.
  const bool Elsewhere =
      (IsElement || Field) && V->getType()->isAnyPointerType();
  return Elsewhere ? nullptr : V;
}

static const Expr *bareObject(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenCasts();
    if (const auto *Full = llvm::dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    else if (const auto *Made = llvm::dyn_cast<MaterializeTemporaryExpr>(E))
      E = Made->getSubExpr();
    else if (const auto *Bound = llvm::dyn_cast<CXXBindTemporaryExpr>(E))
      E = Bound->getSubExpr();
    else
      return E;
  }
}

/// Whether the method's result stands for its object: `pointer.get()`,
/// `option.value()`.
static bool passesOn(const CXXMemberCallExpr *Call) {
  const CXXMethodDecl *Method = Call->getMethodDecl();
  if (!Method || Call->getNumArgs())
    return false;
  if (llvm::isa<CXXConversionDecl>(Method))
    return true;
  if (!Method->getIdentifier())
    return false;
  StringRef Name = Method->getName();
  return Name == "get" || Name == "data" || Name == "load" ||
         Name == "has_value";
}

std::optional<Lvalue> lvalueOf(const Expr *E) {
  E = bareObject(E);
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E)) {
    if (llvm::isa<VarDecl>(Ref->getDecl()))
      return Lvalue{Ref->getDecl(), nullptr, false};
    return std::nullopt;
  }
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(E)) {
    const auto *Field = llvm::dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field) {
      if (llvm::isa<VarDecl>(Member->getMemberDecl())) // A static member.
        return Lvalue{Member->getMemberDecl(), nullptr, false};
      return std::nullopt;
    }
    std::optional<Lvalue> Object = lvalueOf(Member->getBase());
    return Lvalue{Object ? Object->Base : nullptr, Field, false};
  }
  auto Element = [](const Expr *Of) {
    std::optional<Lvalue> L = lvalueOf(Of);
    if (L)
      L->IsElement = true;
    return L;
  };
  if (const auto *Index = llvm::dyn_cast<ArraySubscriptExpr>(E))
    return Element(Index->getBase());
  if (const auto *Op = llvm::dyn_cast<UnaryOperator>(E)) {
    if (Op->getOpcode() == UO_Deref)
      return Element(Op->getSubExpr());
    if (Op->isIncrementDecrementOp())
      return lvalueOf(Op->getSubExpr());
    return std::nullopt;
  }
  if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(E);
      Op && (Op->getOperator() == OO_Subscript ||
             (Op->getOperator() == OO_Star && Op->getNumArgs() == 1)))
    return Element(Op->getArg(0));
  if (const auto *Call = llvm::dyn_cast<CXXMemberCallExpr>(E);
      Call && passesOn(Call))
    return lvalueOf(Call->getImplicitObjectArgument());
  if (const auto *Op = llvm::dyn_cast<BinaryOperator>(E);
      Op && Op->isAssignmentOp())
    return lvalueOf(Op->getLHS());
  return std::nullopt;
}

bool names(const Stmt *S, const Lvalue &L) {
  return anyInside(S, [&L](const Stmt *Inner) {
    const auto *E = llvm::dyn_cast<Expr>(Inner);
    if (!E || !llvm::isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr,
                         UnaryOperator, CXXOperatorCallExpr>(E))
      return false;
    std::optional<Lvalue> Named = lvalueOf(E);
    return Named && *Named == L;
  });
}

namespace {

using Visitor = llvm::function_ref<void(const Lvalue &, const Expr *)>;

void visit(const Expr *To, const Expr *Value, Visitor Visit) {
  if (std::optional<Lvalue> L = lvalueOf(To))
    Visit(*L, Value);
}

/// Visits arguments by address or by reference, and objects that a method may
/// change.
void visitArguments(const CallExpr *Call, Visitor Visit) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const auto *Operator = llvm::dyn_cast<CXXOperatorCallExpr>(Call);
  const bool IsMethod =
      Operator && llvm::isa_and_nonnull<CXXMethodDecl>(Callee);
  for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
    const Expr *Arg = bareObject(Call->getArg(I));
    if (const auto *Op = llvm::dyn_cast<UnaryOperator>(Arg);
        Op && Op->getOpcode() == UO_AddrOf) {
      visit(Op->getSubExpr(), nullptr, Visit);
      continue;
    }
    const unsigned Parameter = I - (IsMethod ? 1 : 0);
    if (!Callee || (IsMethod && I == 0) || Parameter >= Callee->getNumParams())
      continue;
    const QualType T = Callee->getParamDecl(Parameter)->getType();
    if (T->isLValueReferenceType() && !T->getPointeeType().isConstQualified())
      visit(Arg, nullptr, Visit);
  }
  if (const auto *Member = llvm::dyn_cast<CXXMemberCallExpr>(Call))
    if (const CXXMethodDecl *Method = Member->getMethodDecl();
        Method && !Method->isConst() && !passesOn(Member))
      visit(Member->getImplicitObjectArgument(), nullptr, Visit);
}

void visitStore(const Stmt *S, Visitor Visit) {
  if (const auto *Op = llvm::dyn_cast<BinaryOperator>(S)) {
    if (Op->isAssignmentOp())
      visit(Op->getLHS(), Op->isCompoundAssignmentOp() ? nullptr : Op->getRHS(),
            Visit);
  } else if (const auto *Op = llvm::dyn_cast<UnaryOperator>(S)) {
    if (Op->isIncrementDecrementOp())
      visit(Op->getSubExpr(), nullptr, Visit);
  } else if (const auto *Call = llvm::dyn_cast<CallExpr>(S)) {
    const auto *Operator = llvm::dyn_cast<CXXOperatorCallExpr>(Call);
    if (Operator && Operator->isAssignmentOp() && Operator->getNumArgs() == 2)
      visit(Operator->getArg(0),
            Operator->getOperator() == OO_Equal ? Operator->getArg(1) : nullptr,
            Visit);
    else
      visitArguments(Call, Visit);
  }
}

} // namespace

void forEachStore(const Stmt *S, Visitor Visit) {
  if (!S || llvm::isa<LambdaExpr>(S))
    return;
  visitStore(S, Visit);
  for (const Stmt *Child : S->children())
    runWithSufficientStackSpace([] {}, [&] { forEachStore(Child, Visit); });
}

} // namespace autoprof::audit
