// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Recorder.h"

#include "audit/extract/Callables.h"
#include "audit/extract/HostCalls.h"
#include "audit/extract/Syntax.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

Recorder::Recorder(Shared &Unit, Scopes &BodyScopes, const SitesOfBody &Sites,
                   const Evaluator &Values, Function &Out)
    : Unit(Unit), BodyScopes(BodyScopes), Sites(Sites), Values(Values),
      Out(Out) {
  Out.Sites.resize(Sites.all().size());
  for (const CellKey &C : Sites.cells()) {
    const ValueDecl *D =
        C.Field ? static_cast<const ValueDecl *>(C.Field) : C.Base;
    const bool Local = !C.Field && C.Base && C.Base->hasLocalStorage() &&
                       !llvm::isa<ParmVarDecl>(C.Base) &&
                       !C.Base->getType()->isPointerType() &&
                       !C.Base->getType()->isReferenceType();
    Cell Named;
    Named.Name = D ? D->getNameAsString() : "";
    Named.Location = D ? Unit.PlaceOf(D->getLocation()) : Place();
    Named.Local = Local;
    if (!C.Field)
      Named.Param = paramIndex(C.Base, Values.function());
    if (Named.Param < 0)
      Named.Slot = Values.slot(C);
    Out.Cells.push_back(std::move(Named));
  }
  for (const Scopes::Decision &D : BodyScopes.Decisions)
    Decisions[D.Part->IgnoreParens()] = &D;
  for (const Expr *E : BodyScopes.Calls)
    if (const auto *Call = llvm::dyn_cast<CallExpr>(E);
        Call && Call->getNumArgs() == 1 && Call->isCallToStdMove()) {
      const auto *From = llvm::dyn_cast<CallExpr>(strip(Call->getArg(0)));
      const Expr *Container = From ? containerOf(From) : nullptr;
      Moved.insert(namedBy(Container ? Container : Call->getArg(0)));
    }
  Moved.erase(nullptr);
  for (const ReturnStmt *Return : BodyScopes.Returns)
    if (Return->getRetValue())
      Returned.insert(
          namedBy(Return->getRetValue()->IgnoreUnlessSpelledInSource()));
}

//===-- Places ------------------------------------------------------------===//

int Recorder::scopeOf(const Expr *E) const { return BodyScopes.scopeOf(E); }

void Recorder::event(Event::Kind Kind, unsigned Index, SourceLocation Loc) {
  Current->Events.push_back({Kind, Index, Unit.PlaceOf(Loc), CurrentScope});
}

//===-- Flows and uses ----------------------------------------------------===//

void Recorder::flow(const std::string &Slot, Value V) {
  if (!Slot.empty() && !V.isNothing())
    Unit.Flows.push_back({Slot, std::move(V)});
}

void Recorder::use(const Sources &Data, Use::Kind Kind,
                   const std::string &TargetSlot, const std::string &SinkName,
                   const Expr *Node, unsigned Into) {
  Data.forEach([&](const std::string &Source) {
    const auto [Slot, Call] = splitCall(Source);
    if (Slot == TargetSlot)
      return;
    Use U;
    if (!StringRef(Source).starts_with("S:"))
      U.Slot = Slot.str();
    else
      U.Site = std::stoi(Source.substr(2));
    U.From = Call;
    U.Into = Into;
    U.Class = Kind;
    U.TargetSlot = TargetSlot;
    U.SinkName = SinkName;
    U.Location = Unit.PlaceOf(Node->getBeginLoc());
    U.Scope = scopeOf(Node);
    std::string Key = Source + "|" + std::to_string(Kind) + "|" + TargetSlot +
                      "|" + U.Location.File + ":" +
                      std::to_string(U.Location.Offset) + "|" +
                      std::to_string(Into);
    if (KnownUses.insert(std::move(Key)).second)
      Out.Uses.push_back(std::move(U));
  });
}

void Recorder::written(const CellKey &C, const Expr *Node, const State &S) {
  touches(Node, S, /*Writes=*/true);
  const int Number = Sites.cellNumber(C);
  if (Number < 0)
    return;
  if (C.Depth == 0 && !Node->getType()->isArithmeticType())
    Out.Cells[Number].Rebound = true; // No memory is written.
  else
    event(Event::Written, Number, Node->getBeginLoc());
}

/// Not for functions, and streams and other handles.
static bool pointsToData(QualType T) {
  const QualType Pointee =
      T->isPointerType() ? T->getPointeeType() : QualType();
  const RecordDecl *Class =
      Pointee.isNull() ? nullptr : Pointee->getAsRecordDecl();
  return !Pointee.isNull() && !Pointee->isFunctionType() &&
         (!Class || Class->isCompleteDefinition());
}

/// Whether a function of the standard library gets a number by reference and
/// reads it: `values.push_back(x)`, `std::min(x, y)`.
static bool readsByReference(const FunctionDecl *Callee, unsigned I,
                             const Expr *Arg) {
  if (I >= Callee->getNumParams() || !Arg->isGLValue() ||
      !Arg->getType()->isArithmeticType() ||
      llvm::isa<MaterializeTemporaryExpr>(Arg))
    return false;
  const QualType T = Callee->getParamDecl(I)->getType();
  return T->isReferenceType() &&
         (T->getPointeeType().isConstQualified() ||
          (Callee->getIdentifier() && Callee->getName() == "emplace_back"));
}

/// Records how a function of the standard library accesses the memory of its
/// arguments. CUDA's functions are sites instead.
void Recorder::access(const CallExpr *Call, const FunctionDecl *Callee,
                      const State &S) {
  const std::string Name = catalogueName(Callee);
  if (Callee->isExternC() && (StringRef(Name).starts_with("cu") ||
                              StringRef(Name).starts_with("__cuda") ||
                              StringRef(Name).starts_with("__hip")))
    return;
  const bool Swaps = Name == "std::swap" || Name == "std::exchange";
  for (unsigned I = 0; I < Call->getNumArgs(); ++I) {
    const Expr *Arg = Call->getArg(I);
    if (readsByReference(Callee, I, Arg)) {
      std::optional<CellKey> Read = Values.cellOf(Arg);
      if (const int Number = Read ? Sites.cellNumber(*Read) : -1;
          Number >= 0 && Read->Depth >= 0)
        event(Event::Read, Number, Arg->getBeginLoc());
    }
    std::optional<CellKey> C = Evaluator::isTracked(Arg->getType())
                                   ? Values.cellOf(Arg)
                                   : std::nullopt;
    const int Number = C ? Sites.cellNumber(*C) : -1;
    if (pointsToData(Arg->IgnoreParenImpCasts()->getType()) && !Swaps)
      touches(Values.valueOf(Arg, S), Arg, writesThrough(Call, Callee, I));
    if (Number < 0 || C->Depth > 0)
      continue;
    if (Swaps)
      Out.Cells[Number].Rebound = true;
    else
      event(Name == "free" || Name == "std::free" ? Event::Dies
            : writesThrough(Call, Callee, I)      ? Event::Written
                                                  : Event::Read,
            Number, Call->getBeginLoc());
  }
}

void Recorder::dies(const VarDecl *V, const Stmt *Node) {
  auto It = BodyScopes.DeclaredIn.find(V);
  CurrentScope = It == BodyScopes.DeclaredIn.end() ? -1 : It->second;
  if (int Number = Sites.cellNumber({V, nullptr, 0});
      Number >= 0 && Out.Cells[Number].Local)
    event(Event::Dies, Number, Node ? Node->getEndLoc() : V->getEndLoc());
}

/// The variable or field that an access begins with: `p` of `p[i].x`.
static std::string rootName(const Expr *E) {
  while (true) {
    E = E->IgnoreParenCasts();
    if (const auto *Index = llvm::dyn_cast<ArraySubscriptExpr>(E))
      E = Index->getBase();
    else if (const auto *Op = llvm::dyn_cast<UnaryOperator>(E))
      E = Op->getSubExpr();
    else if (const auto *Op = llvm::dyn_cast<BinaryOperator>(E))
      E = Op->getLHS();
    else if (const auto *Member = llvm::dyn_cast<MemberExpr>(E);
             Member && !Member->getType()->isPointerType() &&
             Member->isArrow() && !Member->isImplicitCXXThis())
      E = Member->getBase();
    else
      break;
  }
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E))
    return Ref->getDecl()->getNameAsString();
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(E))
    return Member->getMemberDecl()->getNameAsString();
  return "";
}

/// The host reads or writes the object.
void Recorder::touches(const Expr *Object, const State &S, bool Writes) {
  if (!Object->isTypeDependent())
    touches(Values.addressOf(Object, S), Object, Writes);
}

void Recorder::touches(Value Memory, const Expr *Named, bool Writes) {
  using namespace catalogue::values;
  const bool MayShare =
      (Memory.Mask & (Managed | Pinned)) || !Memory.Slots.empty();
  if (Memory.Unknown || !MayShare)
    return;
  if (!KnownTouches.insert({Current, rootName(Named), Writes}).second)
    return;
  event(Event::Touched, Out.Touches.size(), Named->getBeginLoc());
  Current->Events.back().ReadOnly = !Writes;
  Out.Touches.push_back({std::move(Memory)});
}

void Recorder::reads(const Expr *E, const State &S) {
  if (const auto *Step = llvm::dyn_cast<UnaryOperator>(E);
      Step && Step->isIncrementDecrementOp())
    touches(Step->getSubExpr(), S, /*Writes=*/true);
  const auto *Load = llvm::dyn_cast<ImplicitCastExpr>(E);
  if (!Load || Load->getCastKind() != CK_LValueToRValue)
    return;
  touches(Load->getSubExpr(), S, /*Writes=*/false);
  std::optional<CellKey> C = Values.cellOf(Load->getSubExpr());
  if (!C)
    return;
  const int Number = Sites.cellNumber(*C);
  const bool IsScalar = !Load->getType()->isPointerType();
  if (Number >= 0 && (C->Depth > 0 || (C->Depth == 0 && IsScalar)))
    event(Event::Read, Number, E->getBeginLoc());
}

void Recorder::decision(const Expr *E, const State &S) {
  auto It = Decisions.find(E->IgnoreParens());
  if (It == Decisions.end())
    return;
  if (It->second->Spins)
    event(Event::HandsOver, 0, E->getBeginLoc());
  use(Values.dataOf(E, S),
      It->second->IsLoop ? Use::LoopCondition : Use::Branch, "", "",
      It->second->Condition);
}

void Recorder::expression(const Expr *E, const State &S) {
  if (auto It = BodyScopes.Innermost.find(E); It != BodyScopes.Innermost.end())
    CurrentScope = It->second;
  reads(E, S);
  accesses(E);
  if (const SiteInfo *Info = Sites.find(E)) {
    site(*Info, S);
  } else if (const auto *Call = llvm::dyn_cast<CallExpr>(E)) {
    call(Call, S);
  } else if (const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(E)) {
    const CXXConstructorDecl *Callee = Construct->getConstructor();
    if (!Unit.TheNames.isSystem(Callee)) {
      passed(Construct, Callee);
      if (!isImplicit(Callee))
        userCall(Callee, E, &S);
    } else if (locks(Construct))
      event(Event::Blocks, 0, E->getBeginLoc());
  } else if (const auto *New = llvm::dyn_cast<CXXNewExpr>(E)) {
    operatorCall(New->getOperatorNew(), E, S);
  } else if (const auto *Delete = llvm::dyn_cast<CXXDeleteExpr>(E)) {
    operatorCall(Delete->getOperatorDelete(), E, S);
  }
  if (usesThread(E))
    event(Event::UnknownCall, 0, E->getBeginLoc());
  else if (!Sites.find(E))
    for (const FunctionDecl *F : passedOn(
             E, [this](const Decl *D) { return Unit.TheNames.isSystem(D); }))
      if (!Unit.TheNames.isSystem(F))
        userCall(F, E, nullptr, false, /*Uncertain=*/true);
  decision(E, S);
}

//===-- The end ---------------------------------------------------------===//

/// Sites in unreachable code have no place: they are removed, and the others
/// are renumbered.
void Recorder::finish() {
  const Expr *Result = BodyScopes.Returns.size() == 1
                           ? BodyScopes.Returns[0]->getRetValue()
                           : nullptr;
  if (Result && (isStream(Result->getType()) || isEvent(Result->getType())))
    Out.ResultOf = holderOf(Result);
  std::vector<int> Numbers(Out.Sites.size(), -1);
  std::vector<Site> Kept;
  for (size_t I = 0; I < Out.Sites.size(); ++I)
    if (Out.Sites[I].Location.Line) {
      Numbers[I] = Kept.size();
      Kept.push_back(std::move(Out.Sites[I]));
    }
  Out.Sites = std::move(Kept);
  for (Block &B : Out.Blocks)
    for (Event &E : B.Events)
      if (E.Class == Event::SiteReached)
        E.Index = Numbers[E.Index];
  for (Use &U : Out.Uses)
    if (U.Site >= 0)
      U.Site = Numbers[U.Site];
  Out.Scopes = std::move(BodyScopes.All);
}

} // namespace autoprof::audit
