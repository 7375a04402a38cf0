// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Terms.h"

#include "audit/extract/Syntax.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"

#include <set>

using namespace clang;

namespace autoprof::audit {

/// Of nested expressions.
static constexpr unsigned MaxDepth = 24;

bool isFollowed(QualType T) {
  T = T.getNonReferenceType();
  return !T.isVolatileQualified() &&
         (T->isIntegralOrEnumerationType() || T->isRealFloatingType() ||
          T->isPointerType() || T->isNullPtrType());
}

bool isNumeric(QualType T) {
  return isFollowed(T) && !T.getNonReferenceType()->isPointerType() &&
         !T->isNullPtrType();
}

/// 1 for what is true, and 0 for what is not.
static Term boolean(Term T) {
  const bool IsBoolean =
      (T.Class == Term::Constant && (T.Number == 0 || T.Number == 1)) ||
      T.Class == Term::Not || T.Class == Term::Both ||
      T.Class == Term::Either || T.Class == Term::Less ||
      T.Class == Term::Equal || T.isOpaque();
  if (IsBoolean)
    return T;
  if (T.Class == Term::Constant || T.Class == Term::NonNull)
    return Term::constant(1);
  return simplify(Term::Not, {negate(T)});
}

Term TermMaker::of(const Expr *E) const { return make(E, 0); }
Term TermMaker::truthOf(const Expr *E) const { return truth(E, 0); }

Term TermMaker::truth(const Expr *E, unsigned Depth) const {
  if (!E)
    return {};
  E = bare(E);
  if (const auto *Cast = llvm::dyn_cast<CastExpr>(E);
      Cast && (Cast->getCastKind() == CK_IntegralToBoolean ||
               Cast->getCastKind() == CK_FloatingToBoolean ||
               Cast->getCastKind() == CK_PointerToBoolean))
    return truth(Cast->getSubExpr(), Depth + 1);
  Term Result = make(E, Depth);
  // A flag says whether to do something, a number or a pointer whether there is
  // anything: they are not equally probable.
  const bool IsFlag =
      E->getType()->isBooleanType() &&
      (Result.Class == Term::Slot || Result.Class == Term::Param);
  return IsFlag ? simplify(Term::Equal, {std::move(Result), Term::constant(1)})
                : Result;
}

/// The value that clang can compute, if it can.
std::optional<Term> TermMaker::constant(const Expr *E) const {
  const QualType T = E->getType();
  if (E->isValueDependent())
    return std::nullopt;
  if (T->isPointerType() || T->isNullPtrType())
    return E->isNullPointerConstant(const_cast<ASTContext &>(Context),
                                    Expr::NPC_ValueDependentIsNotNull)
               ? std::optional(Term::constant(0))
               : std::nullopt;
  if (T->isRealFloatingType()) {
    llvm::APFloat Result(0.0);
    llvm::APSInt N(64, /*isUnsigned=*/false);
    bool IsExact = false;
    if (!E->EvaluateAsFloat(Result, Context))
      return std::nullopt;
    Result.convertToInteger(N, llvm::APFloat::rmTowardZero, &IsExact);
    // A fraction is some number that never changes.
    return IsExact ? Term::constant(N.getExtValue())
                   : Term{Term::Local, -1, {}, {}};
  }
  Expr::EvalResult Result;
  if (!E->EvaluateAsInt(Result, Context))
    return std::nullopt;
  const std::optional<int64_t> N = Result.Val.getInt().tryExtValue();
  return N ? Term::constant(*N) : Term();
}

Term TermMaker::make(const Expr *E, unsigned Depth) const {
  if (!E || Depth > MaxDepth || E->getType().isNull() || E->isTypeDependent() ||
      E->containsErrors() || !isFollowed(E->getType()))
    return {};
  E = bare(E);
  if (std::optional<Term> Known = constant(E))
    return std::move(*Known);
  if (isStatus(E->getType()))
    return asksQuery(E) ? Term() : Term{Term::Status, 0, {}, {}};
  return dispatch(E, Depth);
}

/// Whether the status is no error, but an answer: that of a query.
bool TermMaker::asksQuery(const Expr *E) const {
  return anyInside(E, [this](const Stmt *S) {
    if (isQuery(S))
      return true;
    if (const auto *Call = llvm::dyn_cast<CallExpr>(S)) {
      const FunctionDecl *Callee = Call->getDirectCallee();
      return Callee && !TheNames.isSystem(Callee) &&
             anyInside(Callee->getBody(), isQuery);
    }
    const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S);
    const auto *V = Ref ? llvm::dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    return V && ((V->hasLocalStorage() && anyInside(V->getInit(), isQuery)) ||
                 llvm::any_of(Changed.of(V).All, [](const auto &Change) {
                   return anyInside(Change.Value, isQuery);
                 }));
  });
}

Term TermMaker::dispatch(const Expr *E, unsigned Depth) const {
  if (const auto *Cast = llvm::dyn_cast<CastExpr>(E))
    return ofCast(Cast, Depth + 1);
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E)) {
    if (const auto *V = llvm::dyn_cast<VarDecl>(Ref->getDecl()))
      return ofVariable(V, Depth, Ref);
    return {};
  }
  if (const Expr *Index = elementOf(E).second)
    return Term::of(Term::Element, {make(Index, Depth + 1)});
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(E))
    return ofMember(Member, Depth);
  if (const auto *Op = llvm::dyn_cast<UnaryOperator>(E))
    return ofUnary(Op, Depth + 1);
  if (const auto *Op = llvm::dyn_cast<BinaryOperator>(E))
    return ofBinary(Op, Depth + 1);
  if (const auto *Op = llvm::dyn_cast<ConditionalOperator>(E))
    return ofChoice(Op, Depth + 1);
  if (const auto *Call = llvm::dyn_cast<CallExpr>(E))
    return ofCall(Call, Depth + 1);
  return llvm::isa<CXXThisExpr, CXXNewExpr>(E) ? Term{Term::NonNull, 0, {}, {}}
                                               : Term();
}

Term TermMaker::ofCast(const CastExpr *Cast, unsigned Depth) const {
  switch (Cast->getCastKind()) {
  case CK_LValueToRValue:
  case CK_NoOp:
  case CK_IntegralCast:
  case CK_BooleanToSignedIntegral:
  case CK_IntegralToFloating:
  case CK_FloatingCast:
  case CK_FloatingToIntegral: // Fractions are not followed.
  case CK_BitCast:
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
  case CK_BaseToDerived:
  case CK_AddressSpaceConversion:
  case CK_UserDefinedConversion:
    return make(Cast->getSubExpr(), Depth);
  case CK_IntegralToBoolean:
  case CK_FloatingToBoolean:
  case CK_PointerToBoolean:
    return boolean(make(Cast->getSubExpr(), Depth));
  case CK_ArrayToPointerDecay:
  case CK_FunctionToPointerDecay:
    return {Term::NonNull, 0, {}, {}};
  default:
    return {};
  }
}

static bool isVariable(const Term &T) {
  return T.Class == Term::Local || T.Class == Term::Counter ||
         T.Class == Term::Slot;
}

Term TermMaker::ofUnary(const UnaryOperator *Op, unsigned Depth) const {
  const Expr *Of = Op->getSubExpr();
  if (Op->isIncrementDecrementOp()) {
    const Term T = make(Of, Depth);
    return isVariable(T) ? T : Term();
  }
  switch (Op->getOpcode()) {
  case UO_LNot:
    return negate(truth(Of, Depth));
  case UO_Minus:
    return simplify(Term::Subtract, {Term::constant(0), make(Of, Depth)});
  case UO_Plus:
  case UO_Extension:
    return make(Of, Depth);
  case UO_AddrOf:
    return {Term::NonNull, 0, {}, {}};
  default:
    return {};
  }
}

static std::optional<Term::Kind> kindOf(BinaryOperatorKind Op) {
  switch (Op) {
  case BO_Add:
    return Term::Add;
  case BO_Sub:
    return Term::Subtract;
  case BO_Mul:
    return Term::Multiply;
  case BO_Div:
    return Term::Divide;
  case BO_Rem:
    return Term::Remainder;
  case BO_And:
    return Term::BitAnd;
  default:
    return std::nullopt;
  }
}

/// Whether both read the same field, perhaps of different objects.
static bool shareSlot(const Term &A, const Term &B) {
  if (A.Class == Term::Slot && B.Class == Term::Slot)
    return A.Name == B.Name;
  return llvm::any_of(A.Parts,
                      [&B](const Term &Part) { return shareSlot(Part, B); }) ||
         llvm::any_of(B.Parts,
                      [&A](const Term &Part) { return shareSlot(A, Part); });
}

Term TermMaker::ofBinary(const BinaryOperator *Op, unsigned Depth) const {
  const Expr *Left = Op->getLHS(), *Right = Op->getRHS();
  if (Op->isComparisonOp())
    return compare(Op->getOpcode(), Left, Right, Depth);
  // `a == 0 & b == 0` decides as `&&` does.
  const bool IsOfTruths =
      Left->IgnoreParenImpCasts()->getType()->isBooleanType() &&
      Right->IgnoreParenImpCasts()->getType()->isBooleanType();
  if (Op->isLogicalOp() ||
      (IsOfTruths && (Op->getOpcode() == BO_And || Op->getOpcode() == BO_Or)))
    return simplify(Op->getOpcode() == BO_LAnd || Op->getOpcode() == BO_And
                        ? Term::Both
                        : Term::Either,
                    {truth(Left, Depth), truth(Right, Depth)});
  if (Op->getOpcode() == BO_Comma || Op->getOpcode() == BO_Assign)
    return make(Right, Depth);
  if (Op->isCompoundAssignmentOp()) {
    const Term T = make(Left, Depth);
    return isVariable(T) ? T : Term();
  }
  if (Op->getType()->isPointerType()) // `p + i` is null only if p is.
    return make(Left->getType()->isPointerType() ? Left : Right, Depth);
  Term A = make(Left, Depth), B = make(Right, Depth);
  if (Op->isShiftOp())
    return B.Class == Term::Constant && B.Number >= 0 && B.Number < 32
               ? simplify(
                     Op->getOpcode() == BO_Shl ? Term::Multiply : Term::Divide,
                     {std::move(A), Term::constant(int64_t(1) << B.Number)})
               : Term();
  const std::optional<Term::Kind> Class = kindOf(Op->getOpcode());
  const bool IsFraction =
      Op->getType()->isRealFloatingType() && Op->getOpcode() == BO_Div;
  if (!Class || IsFraction || shareSlot(A, B))
    return {};
  return simplify(*Class, {std::move(A), std::move(B)});
}

Term TermMaker::compare(BinaryOperatorKind Op, const Expr *Left,
                        const Expr *Right, unsigned Depth) const {
  Term A = make(Left, Depth), B = make(Right, Depth);
  if (A.isOpaque() || B.isOpaque() || shareSlot(A, B) || Op == BO_Cmp ||
      (A.Class == Term::NonNull && B.Class == Term::NonNull))
    return {};
  if (Op == BO_EQ || Op == BO_NE) {
    Term Equal = simplify(Term::Equal, {std::move(A), std::move(B)});
    return Op == BO_EQ ? Equal : negate(Equal);
  }
  if (Op == BO_GT || Op == BO_LE)
    std::swap(A, B);
  Term Less = simplify(Term::Less, {std::move(A), std::move(B)});
  return Op == BO_LT || Op == BO_GT ? Less : negate(Less);
}

Term TermMaker::ofChoice(const ConditionalOperator *Op, unsigned Depth) const {
  const Term If = truth(Op->getCond(), Depth);
  if (If.Class == Term::Constant)
    return make(If.Number ? Op->getTrueExpr() : Op->getFalseExpr(), Depth);
  Term Then = make(Op->getTrueExpr(), Depth),
       Else = make(Op->getFalseExpr(), Depth);
  const auto *Compare =
      llvm::dyn_cast<BinaryOperator>(Op->getCond()->IgnoreParenImpCasts());
  if (Compare && Compare->isRelationalOp() && !Then.isOpaque() &&
      !Else.isOpaque()) {
    Term A = make(Compare->getLHS(), Depth), B = make(Compare->getRHS(), Depth);
    if (Compare->getOpcode() == BO_GT || Compare->getOpcode() == BO_GE)
      std::swap(A, B);
    if ((A == Then && B == Else) || (A == Else && B == Then))
      return simplify(A == Then ? Term::Least : Term::Most,
                      {std::move(Then), std::move(Else)});
  }
  if (Op->getType()->isBooleanType() || Op->getType()->isPointerType())
    return simplify(Term::Either,
                    {simplify(Term::Both, {If, std::move(Then)}),
                     simplify(Term::Both, {negate(If), std::move(Else)})});
  return simplify(
      Term::Add,
      {simplify(Term::Multiply, {boolean(If), std::move(Then)}),
       simplify(Term::Multiply, {boolean(negate(If)), std::move(Else)})});
}

/// Whether it is a std::string or a C string.
static bool isText(const Expr *E) {
  const QualType T = strip(E)->getType();
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  return (Class && Class->isInStdNamespace() && Class->getIdentifier() &&
          Class->getName() == "basic_string") ||
         llvm::isa<StringLiteral>(strip(E)) ||
         (T->isPointerType() && T->getPointeeType()->isCharType());
}

/// A comparison of strings.
std::optional<Term> TermMaker::ofText(const CallExpr *Call,
                                      unsigned Depth) const {
  std::vector<Term> Parts;
  const auto *Method = llvm::dyn_cast<CXXMemberCallExpr>(Call);
  if (Method && Method->getMethodDecl() && !Method->getMethodDecl()->isConst())
    return std::nullopt;
  if (Method) {
    if (!isText(Method->getImplicitObjectArgument()))
      return std::nullopt;
    Parts.push_back(ofObject(Method->getImplicitObjectArgument(), Depth));
  }
  for (const Expr *Arg : Call->arguments())
    if (isText(Arg))
      Parts.push_back(ofObject(Arg, Depth));
  if (Parts.empty() ||
      llvm::any_of(Parts, [](const Term &T) { return T.isOpaque(); }))
    return std::nullopt;
  return Term::of(Term::Depends, std::move(Parts));
}

//===-- Calls -------------------------------------------------------------===//

Term TermMaker::ofCall(const CallExpr *Call, unsigned Depth) const {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee)
    return {};
  llvm::ArrayRef<const Expr *> Args(Call->getArgs(), Call->getNumArgs());
  if (Callee->getBuiltinID() == Builtin::BI__builtin_expect)
    return make(Args[0], Depth);
  if (const VarDecl *V = staticOf(Callee); V && isNumeric(V->getType()))
    return ofVariable(V, Depth);
  const IdentifierInfo *Name = Callee->getIdentifier();
  if (Name && (Name->isStr("min") || Name->isStr("max")) && Args.size() == 2 &&
      TheNames.isSystem(Callee))
    return simplify(Name->isStr("min") ? Term::Least : Term::Most,
                    {make(Args[0], Depth), make(Args[1], Depth)});
  const auto *Method = llvm::dyn_cast<CXXMethodDecl>(Callee);
  // An element of std::vector<bool>.
  if (const auto *Converts = llvm::dyn_cast<CXXMemberCallExpr>(Call);
      Converts && llvm::isa<CXXConversionDecl>(Callee))
    if (const Expr *Index =
            elementOf(strip(Converts->getImplicitObjectArgument())).second)
      return Term::of(Term::Element, {make(Index, Depth)});
  if (Name && Name->getName().ends_with("getenv") && Args.size() == 1)
    return {Term::Slot, 0, Term::Environment, {}};
  if (const Expr *Holder = holderAsked(Call)) {
    Term Held = ofObject(Holder, Depth);
    if (!Call->getType()->isBooleanType() || Held.isOpaque())
      return Held;
    Term IsNull = simplify(Term::Equal, {std::move(Held), Term::constant(0)});
    const bool AsksIfNull = Callee->getOverloadedOperator() == OO_EqualEqual;
    return AsksIfNull ? IsNull : negate(IsNull);
  }
  if (TheNames.isSystem(Callee) || Callee->getBuiltinID())
    return ofText(Call, Depth).value_or(Term());
  if (Method && Method->isVirtual())
    return {};
  if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Call)) {
    if (Op->getOperator() != OO_Call || !Method)
      return {};
    Args = Args.drop_front(Method->isStatic() ? 0 : 1);
  }
  std::vector<Term> Parts;
  for (const Expr *Arg : Args)
    Parts.push_back(make(Arg, Depth));
  Term Result{Term::Result, 0, TheNames.usr(Callee), std::move(Parts)};
  // Also limits the size.
  return simplify(Term::Not, {Result}).isOpaque() ? Term() : Result;
}

bool TermMaker::variesIn(const Stmt *Loop, const Term &T) const {
  if (T.isOpaque() ||
      ((T.Class == Term::Local || T.Class == Term::Counter) && T.Number >= 0 &&
       Changed.isWithin(LoopOf.lookup(T.Number), Loop)))
    return true;
  return llvm::any_of(T.Parts,
                      [&](const Term &Part) { return variesIn(Loop, Part); });
}

} // namespace autoprof::audit
