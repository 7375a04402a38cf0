// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms of variables, fields and elements.
#include "audit/extract/Terms.h"

#include "audit/extract/Syntax.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace autoprof::audit {

/// What following an initializer counts for among nested expressions.
static constexpr unsigned InitializerDepth = 4;

/// What depends on the iterations of these loops, of which some may be null.
Term TermMaker::loopTerm(llvm::ArrayRef<const Stmt *> Loops) const {
  const Stmt *Inner = nullptr;
  for (const Stmt *Loop : Loops) {
    if (!Loop || (Inner && Changed.isWithin(Inner, Loop)))
      continue;
    // Changed by two loops of which neither is in the other one.
    if (Inner && !Changed.isWithin(Loop, Inner))
      return {};
    Inner = Loop;
  }
  auto It = ScopeOf.find(Inner);
  if (Inner && It == ScopeOf.end())
    return {};
  return {Term::Local, Inner ? It->second : -1, {}, {}};
}

Term TermMaker::local(const VarDecl *V) const {
  const Changes::OfVariable &Known = Changed.of(V);
  if (Known.IsShared)
    return {};
  llvm::SmallVector<const Stmt *, 4> Loops = {Known.DeclaredIn};
  bool Counts = V->isCXXForRangeDecl();
  for (const Changes::Change &C : Known.All) {
    Loops.push_back(C.Loop);
    Counts |= C.Loop && C.IsAssignment && !C.Value;
  }
  for (const Changes::Change &C : Known.All)
    Counts &= !C.Loop || (C.IsAssignment && !C.Value);
  Term Result = loopTerm(Loops);
  if (Counts && Result.Class == Term::Local && Result.Number >= 0)
    Result.Class = Term::Counter;
  return Result;
}

/// The constant that a flag has unless a branch has set it to another one.
std::optional<int64_t> TermMaker::usualValue(const VarDecl *V,
                                             unsigned Depth) const {
  const Changes::OfVariable &Known = Changed.of(V);
  if (!V->getInit() || Known.IsShared || Known.All.empty() ||
      V->isStaticLocal())
    return std::nullopt;
  for (const Changes::Change &C : Known.All)
    if (C.Loop != Known.DeclaredIn || !C.IsAssignment || !C.Value ||
        !constant(bare(C.Value)))
      return std::nullopt;
  const Term First = make(V->getInit(), Depth + InitializerDepth);
  return First.Class == Term::Constant ? std::optional(First.Number)
                                       : std::nullopt;
}

Term TermMaker::ofVariable(const VarDecl *V, unsigned Depth,
                           const DeclRefExpr *Read) const {
  if (V->hasGlobalStorage())
    return V->hasAttr<CUDADeviceAttr>() || V->hasAttr<CUDAConstantAttr>()
               ? Term()
               : Term{Term::Slot, 0, TheNames.global(V), {}};
  // What a lambda captures may differ between its calls.
  if (F && V->getParentFunctionOrMethod() != llvm::cast<DeclContext>(F))
    return V->getType()->isReferenceType() ? Term() : local(V);
  const bool Keeps = Changed.readsInitial(Read, V);
  if (const int I = paramIndex(V, F); I >= 0 && Keeps)
    return {Term::Param, I, {}, {}};
  if (Keeps && V->getInit() && !llvm::isa<ParmVarDecl>(V)) {
    Term T = make(V->getInit(), Depth + InitializerDepth);
    if (!T.isOpaque() &&
        (V->getType()->isReferenceType() || isAtDeclaration(V, T)))
      return T;
  }
  if (V->getType()->isReferenceType() &&
      !V->getType()->getPointeeType().isConstQualified())
    return {};
  Term Result = local(V);
  if (const std::optional<int64_t> Usual = usualValue(V, Depth))
    return {Term::Usually, *Usual, {}, {std::move(Result)}};
  return Result;
}

/// Whether the term still has the value that it had where the variable is
/// declared.
bool TermMaker::isAtDeclaration(const VarDecl *V, const Term &T) const {
  if ((T.Class == Term::Local || T.Class == Term::Counter) && T.Number >= 0 &&
      !Changed.isWithin(Changed.of(V).DeclaredIn, LoopOf.lookup(T.Number)))
    return false;
  if (T.Class == Term::Slot) {
    for (const auto &[Field, Known] : Changed.Fields)
      if (TheNames.field(Field) == T.Name)
        return false;
    for (const auto &[Other, Known] : Changed.Known)
      if (Other->hasGlobalStorage() && !Known.All.empty() &&
          TheNames.global(Other) == T.Name)
        return false;
  }
  return llvm::all_of(
      T.Parts, [&](const Term &Part) { return isAtDeclaration(V, Part); });
}

/// The field of an object that these terms select; opaque if one of them is.
static Term selected(Term Slot, std::vector<Term> By) {
  if (By.empty())
    return Slot;
  if (llvm::any_of(By, [](const Term &T) { return T.isOpaque(); }))
    return {};
  By.insert(By.begin(), std::move(Slot));
  return Term::of(Term::Depends, std::move(By));
}

std::pair<const Expr *, const Expr *> elementOf(const Expr *E) {
  if (const auto *Index = llvm::dyn_cast<ArraySubscriptExpr>(E))
    return {Index->getBase(), Index->getIdx()};
  if (const auto *Op = llvm::dyn_cast<UnaryOperator>(E);
      Op && Op->getOpcode() == UO_Deref)
    return {Op->getSubExpr(), nullptr};
  if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(E)) {
    if (Op->getOperator() == OO_Subscript && Op->getNumArgs() == 2)
      return {Op->getArg(0), Op->getArg(1)};
    if (Op->getOperator() == OO_Arrow || Op->getOperator() == OO_Star)
      return {Op->getArg(0), nullptr};
  }
  return {nullptr, nullptr};
}

/// A field of `this`, of a variable, of what one points to, or of an element.
Term TermMaker::ofMember(const MemberExpr *Member, unsigned Depth) const {
  if (const auto *V = llvm::dyn_cast<VarDecl>(Member->getMemberDecl()))
    return ofVariable(V, 0); // A static member.
  const auto *Field = llvm::dyn_cast<FieldDecl>(Member->getMemberDecl());
  if (!Field)
    return {};
  Term Slot{Term::Slot, 0, TheNames.field(Field), {}};
  std::vector<Term> By;
  for (const Expr *Base = Member->getBase();;) {
    Base = strip(Base);
    if (llvm::isa<CXXThisExpr>(Base))
      return selected(std::move(Slot), std::move(By));
    if (const auto *Outer = llvm::dyn_cast<MemberExpr>(Base)) {
      if (llvm::isa<VarDecl>(Outer->getMemberDecl()))
        return selected(std::move(Slot), std::move(By));
      Base = Outer->getBase();
      continue;
    }
    if (const auto [Of, Index] = elementOf(Base); Of) {
      if (Index)
        By.push_back(make(Index, Depth + 1));
      Base = Of;
      continue;
    }
    // An object that a function finds by what it is given: `Get().mode`.
    if (const auto *Call = llvm::dyn_cast<CallExpr>(Base);
        Call && Call->getDirectCallee() &&
        !TheNames.isSystem(Call->getDirectCallee())) {
      for (const Expr *Arg : Call->arguments())
        By.push_back(make(Arg, Depth + 1));
      if (!llvm::isa<CXXMemberCallExpr>(Call))
        return selected(std::move(Slot), std::move(By));
      Base = llvm::cast<CXXMemberCallExpr>(Call)->getImplicitObjectArgument();
      continue;
    }
    const VarDecl *V = variableOf(Base);
    if (!V)
      return {};
    if (V->hasGlobalStorage())
      return selected(std::move(Slot), std::move(By));
    // A copy of an element, or a reference to it.
    if (Changed.of(V).All.empty() && !Changed.of(V).IsShared && V->getInit() &&
        !V->isCXXForRangeDecl() && By.size() < 4) {
      Base = V->getInit();
      if (const auto *Copy =
              llvm::dyn_cast<CXXConstructExpr>(Base->IgnoreImplicit());
          Copy && Copy->getNumArgs() == 1)
        Base = Copy->getArg(0);
      if (elementOf(strip(Base)).first || llvm::isa<MemberExpr>(strip(Base)))
        continue;
    }
    Term Object = local(V);
    if (Object.isOpaque() && Changed.of(V).All.empty())
      Object = loopTerm({Changed.of(V).DeclaredIn});
    if (Object.isOpaque())
      return {};
    if (Object.Class == Term::Local && Object.Number < 0)
      return selected(std::move(Slot), std::move(By));
    By.push_back(std::move(Object));
    return selected(std::move(Slot), std::move(By));
  }
}

/// A string, or another object that is only compared, or asked for content.
Term TermMaker::ofObject(const Expr *E, unsigned Depth) const {
  E = strip(E);
  if (llvm::isa<StringLiteral>(E))
    return Term::constant(0);
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(E))
    return ofMember(Member, Depth);
  if (const Expr *Index = elementOf(E).second)
    return Term::of(Term::Element, {make(Index, Depth + 1)});
  const VarDecl *V = variableOf(E);
  if (!V)
    return {};
  if (V->hasGlobalStorage())
    return {Term::Slot, 0, TheNames.global(V), {}};
  if (const int I = paramIndex(V, F); I >= 0 && Changed.of(V).All.empty())
    return {Term::Param, I, {}, {}};
  return local(V);
}

} // namespace autoprof::audit
