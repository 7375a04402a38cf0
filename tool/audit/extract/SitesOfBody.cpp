// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Recorder.h"

#include "source/ast/Calls.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;

SitesOfBody::SitesOfBody(Shared &Unit, const Scopes &BodyScopes,
                         const Evaluator &Values)
    : Unit(Unit), Values(Values) {
  // Elements of vectors first, because their use is part of the site.
  for (const Expr *E : BodyScopes.Calls)
    if (const auto *Call = llvm::dyn_cast<CallExpr>(E))
      if (const FunctionDecl *Callee = calleeOf(Call);
          Callee && catalogueName(Callee, objectClass(Call)) ==
                        "thrust::device_vector::operator[]")
        useOf(E, BodyScopes);
  for (const Expr *E : BodyScopes.Calls)
    add(E, BodyScopes);
  for (const Expr *E : BodyScopes.Calls)
    addPassed(E);
}

const FunctionDecl *SitesOfBody::calleeOf(const CallExpr *Call) const {
  auto Candidates = source::callees(Call);
  if (Candidates.size() == 1)
    return Candidates.front();
  // For overloads of a catalogued function, it does not matter which one is
  // called.
  for (const FunctionDecl *F : Candidates)
    if (Unit.TheNames.row(F, nullptr))
      return F;
  return nullptr;
}

/// The use of an element in `float x = v[i]`, `v[i] = x` or `&v[i]`.
ElementUse SitesOfBody::useOf(const Expr *Element, const Scopes &BodyScopes) {
  auto It = BodyScopes.Parents.find(Element);
  const Stmt *Parent = It == BodyScopes.Parents.end() ? nullptr : It->second;
  if (!Parent)
    return ElementUse::Unknown;
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(Parent);
      Member && llvm::isa<CXXConversionDecl>(Member->getMemberDecl())) {
    for (const Expr *E : BodyScopes.Calls)
      if (const auto *Call = llvm::dyn_cast<CXXMemberCallExpr>(E);
          Call && Call->getCallee()->IgnoreParens() == Member)
        Covered.insert(E);
    return ElementUse::Read;
  }
  const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Parent);
  if (Op && Op->isAssignmentOp() &&
      Op->getArg(0)->IgnoreParenImpCasts() == Element) {
    Covered.insert(Op);
    return ElementUse::Written;
  }
  if (Op && Op->getOperator() == OO_Amp)
    return ElementUse::AddressTaken;
  if (const auto *Unary = llvm::dyn_cast<UnaryOperator>(Parent);
      Unary && Unary->getOpcode() == UO_AddrOf)
    return ElementUse::AddressTaken;
  return Op ? ElementUse::Read : ElementUse::Unknown;
}

void SitesOfBody::add(const Expr *E, const Scopes &BodyScopes) {
  if (Covered.count(E))
    return;
  SiteInfo Info{int(Found.size()), E, nullptr, nullptr, ElementUse::Unknown};
  if (const auto *Launch = llvm::dyn_cast<CUDAKernelCallExpr>(E)) {
    Info.Callee = calleeOf(Launch);
  } else if (const auto *Call = llvm::dyn_cast<CallExpr>(E)) {
    Info.Callee = calleeOf(Call);
    if (!Info.Callee ||
        !(Info.Row = Unit.TheNames.row(Info.Callee, objectClass(Call))))
      return;
    if (Info.Row->Name == "thrust::device_vector::operator[]")
      Info.Use = useOf(E, BodyScopes);
  } else if (const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(E)) {
    Info.Callee = Construct->getConstructor();
    Info.Row = Unit.TheNames.row(Info.Callee,
                                 Construct->getType()->getAsCXXRecordDecl());
    if (!Info.Row || source::isMadeOnHost(*Info.Row, argumentsOf(Construct)))
      return;
  } else {
    return;
  }
  Index[E] = Found.size();
  Found.push_back(Info);
  if (Info.Row && Info.Row->Class != CallClass::Copy)
    return;
  for (const Expr *Arg : argumentsOf(E))
    if (Evaluator::isTracked(Arg->getType()))
      addCell(Arg);
}

void SitesOfBody::addCell(const Expr *Arg) {
  if (std::optional<CellKey> C = Values.cellOf(Arg))
    if (CellNumbers.try_emplace(C->atDepth(0), Cells.size()).second)
      Cells.push_back(C->atDepth(0));
}

bool leadsToCell(const Expr *Arg, QualType T) {
  if (Arg->isTypeDependent() || T->isDependentType())
    return false;
  const QualType Pointee = T->getPointeeType();
  if (!Pointee.isNull() && Pointee->isArithmeticType())
    return !(Pointee.isConstQualified() && Pointee->isCharType());
  const QualType Plain = Pointee.isNull() ? T : Pointee;
  if (const CXXRecordDecl *Class = Plain->getAsCXXRecordDecl())
    return Evaluator::isTracked(Plain) && Class->getIdentifier() &&
           !Class->getName().contains("string") &&
           !Class->getName().contains("stream");
  return T->isPointerType() && Pointee->isVoidType();
}

/// What a called function may read or write.
void SitesOfBody::addPassed(const Expr *E) {
  const auto *Call = llvm::dyn_cast<CallExpr>(E);
  const auto *Made = llvm::dyn_cast<CXXConstructExpr>(E);
  const FunctionDecl *Callee = Call   ? calleeOf(Call)
                               : Made ? Made->getConstructor()
                                      : nullptr;
  if (find(E) || !Callee || Unit.TheNames.isSystem(Callee) ||
      Callee->getBuiltinID() || Callee->isTrivial())
    return;
  const llvm::ArrayRef<const Expr *> Args = methodArguments(E, Callee);
  for (unsigned I = 0; I < Args.size() && I < Callee->getNumParams(); ++I)
    if (leadsToCell(Args[I], Callee->getParamDecl(I)->getType()))
      addCell(Args[I]);
}

const SiteInfo *SitesOfBody::find(const Expr *E) const {
  auto It = Index.find(E);
  return It == Index.end() ? nullptr : &Found[It->second];
}

int SitesOfBody::cellNumber(const CellKey &C) const {
  auto It = CellNumbers.find(C.atDepth(0));
  return It == CellNumbers.end() ? -1 : It->second;
}

int SitesOfBody::resultOf(const Expr *E) const {
  const SiteInfo *Site = find(E);
  if (!Site || !Site->Row || !catalogue::mayWait(Site->Row->Wait))
    return -1;
  const QualType T = E->getType();
  if (Site->Use == ElementUse::Read)
    return Site->Number;
  if (T->isEnumeralType())
    return -1; // An error code.
  return T->isArithmeticType() ||
                 (T->isRecordType() && Site->Row->Class == CallClass::Launch)
             ? Site->Number
             : -1;
}

bool SitesOfBody::bringsToHost(const SiteInfo &Site, const State &S) const {
  if (!Site.Row || !catalogue::mayWait(Site.Row->Wait))
    return false;
  constexpr uint32_t OnHost = Pageable | Pinned | Managed;
  for (const KnownFact &Known :
       factsOf(*Site.Row, {Site.E, Site.Callee, Site.Use}, S, Values,
               Unit.Context)) {
    if (Known.Val.Unknown || !Known.Val.Mask)
      continue;
    if (Known.Subject == catalogue::Fact::Direction)
      return Known.Val.Mask & (DtoH | HtoH);
    if (Known.Subject == catalogue::Fact::Destination &&
        !(Known.Val.Mask & OnHost) && Known.Val.Slots.empty())
      return false;
    if (Known.Subject == catalogue::Fact::PointerMode &&
        Known.Val.Mask == DeviceMode && Known.Val.Slots.empty())
      return false;
  }
  return true;
}

} // namespace autoprof::audit
