// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Recorder.h"

#include "audit/extract/Callables.h"
#include "audit/extract/Edits.h"
#include "audit/extract/HostCalls.h"
#include "audit/extract/ShortText.h"
#include "audit/extract/Shown.h"
#include "audit/extract/Sinks.h"
#include "audit/extract/Tensors.h"
#include "audit/extract/Trips.h"
#include "source/ast/Functions.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"

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
    Out.Cells.push_back({D ? D->getNameAsString() : "",
                         D ? Unit.PlaceOf(D->getLocation()) : Place(), Local});
  }
  for (const Scopes::Decision &D : BodyScopes.Decisions)
    Decisions[D.Part->IgnoreParens()] = &D;
  auto LocalIn = [](const Expr *E) {
    E = E->IgnoreUnlessSpelledInSource();
    const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E);
    return Ref ? llvm::dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  };
  for (const Expr *E : BodyScopes.Calls)
    if (const auto *Call = llvm::dyn_cast<CallExpr>(E);
        Call && Call->getNumArgs() == 1 && Call->isCallToStdMove())
      Moved.insert(LocalIn(Call->getArg(0)));
  for (const auto &[Node, Scope] : BodyScopes.Innermost)
    if (const auto *Return = llvm::dyn_cast<ReturnStmt>(Node);
        Return && Return->getRetValue())
      Returned.insert(LocalIn(Return->getRetValue()));
}

//===-- Places ------------------------------------------------------------===//

int Recorder::scopeOf(const Expr *E) const { return BodyScopes.scopeOf(E); }

Range Recorder::rangeOf(SourceRange R) const {
  return audit::rangeOf(R, Unit.Context, Unit.PlaceOf);
}

/// "CHECK" of `CHECK(cudaMalloc(...))`.
std::string Recorder::macroAround(SourceLocation Loc) const {
  if (!Loc.isMacroID())
    return "";
  const SourceManager &SM = Unit.Context.getSourceManager();
  SourceLocation Outer = SM.getExpansionLoc(Loc);
  return Lexer::getSourceText(CharSourceRange::getTokenRange(Outer, Outer), SM,
                              Unit.Context.getLangOpts())
      .str();
}

void Recorder::event(Event::Kind Kind, unsigned Index, SourceLocation Loc) {
  Current->Events.push_back({Kind, Index, Unit.PlaceOf(Loc)});
}

//===-- Flows and uses ----------------------------------------------------===//

void Recorder::flow(const std::string &Slot, Value V) {
  if (!Slot.empty() && !V.isNothing())
    Unit.Flows.push_back({Slot, std::move(V)});
}

void Recorder::use(const Sources &Data, Use::Kind Kind,
                   const std::string &TargetSlot, const std::string &SinkName,
                   const Expr *Node, unsigned Into) {
  for (const std::string &Source : Data) {
    const auto [Slot, Call] = splitCall(Source);
    if (Slot == TargetSlot)
      continue;
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
  }
}

void Recorder::written(const CellKey &C, const Expr *Node, const State &S) {
  touches(Node, S);
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
      touches(Values.valueOf(Arg, S), Arg);
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
void Recorder::touches(const Expr *Object, const State &S) {
  if (!Object->isTypeDependent())
    touches(Values.addressOf(Object, S), Object);
}

void Recorder::touches(Value Memory, const Expr *Named) {
  using namespace catalogue::values;
  const bool MayShare =
      (Memory.Mask & (Managed | Pinned)) || !Memory.Slots.empty();
  if (Memory.Unknown || !MayShare)
    return;
  std::string Name = rootName(Named);
  if (!KnownTouches.insert({Current, Name}).second)
    return;
  event(Event::Touched, Out.Touches.size(), Named->getBeginLoc());
  Out.Touches.push_back({std::move(Memory), std::move(Name)});
}

void Recorder::reads(const Expr *E, const State &S) {
  if (const auto *Step = llvm::dyn_cast<UnaryOperator>(E);
      Step && Step->isIncrementDecrementOp())
    touches(Step->getSubExpr(), S);
  const auto *Load = llvm::dyn_cast<ImplicitCastExpr>(E);
  if (!Load || Load->getCastKind() != CK_LValueToRValue)
    return;
  touches(Load->getSubExpr(), S);
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

//===-- Calls -------------------------------------------------------------===//

/// Whether the name suggests that the call only manages state: "createPlan",
/// "setStream", "getBufferSize", "queryVersion".
static bool onlyManages(StringRef Name) {
  for (StringRef Word :
       {"create", "destroy", "set", "get", "query", "buffersize", "bufferinfo",
        "init", "free", "alloc", "release"})
    if (Name.contains_insensitive(Word))
      return true;
  return false;
}

/// Whether it is a stream, or the handle of a library that queues on one.
static bool isStreamOrHandle(QualType T) {
  if (const auto *Alias = T->getAs<TypedefType>();
      Alias && (Alias->getDecl()->getName() == "cufftHandle" ||
                Alias->getDecl()->getName() == "hipblasHandle_t"))
    return true;
  T = T.getCanonicalType().getNonReferenceType();
  while (T->isPointerType() || T->isArrayType())
    T = T->isPointerType() ? T->getPointeeType()
                           : QualType(T->getArrayElementTypeNoTypeQual(), 0);
  const TagDecl *Tag = T->getAsTagDecl();
  if (!Tag || !Tag->getIdentifier())
    return false;
  StringRef Name = Tag->getName();
  return Name == "CUstream_st" || Name == "ihipStream_t" ||
         Name == "curandGenerator_st" || Name == "ncclComm" ||
         (Name.starts_with("cu") && Name.ends_with("Context"));
}

static bool holdsStream(QualType T) {
  if (isStreamOrHandle(T))
    return true;
  T = T.getNonReferenceType();
  const CXXRecordDecl *Class =
      (T->isPointerType() ? T->getPointeeType() : T)->getAsCXXRecordDecl();
  Class = Class ? Class->getDefinition() : nullptr;
  return Class && !Class->isInStdNamespace() &&
         llvm::any_of(Class->fields(), [](const FieldDecl *Field) {
           return isStreamOrHandle(Field->getType());
         });
}

static bool usesStream(const FunctionDecl *Callee) {
  if (computesTensors(Callee))
    return true;
  const std::string Name = Callee->getNameInfo().getAsString();
  // Not a part of <<<>>>, which is a site as a whole.
  return !onlyManages(Name) && Name != "__hipPushCallConfiguration" &&
         llvm::any_of(Callee->parameters(), [](const ParmVarDecl *P) {
           return holdsStream(P->getType());
         });
}

void Recorder::expression(const Expr *E, const State &S) {
  reads(E, S);
  accesses(E);
  if (const SiteInfo *Info = Sites.find(E)) {
    site(*Info, S);
  } else if (const auto *Call = llvm::dyn_cast<CallExpr>(E)) {
    call(Call, S);
  } else if (const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(E)) {
    const CXXConstructorDecl *Callee = Construct->getConstructor();
    if (!Unit.TheNames.isSystem(Callee)) {
      if (!implicitCall(Callee, E))
        userCall(Callee, E, false, false);
    } else if (locks(Construct))
      event(Event::Blocks, 0, E->getBeginLoc());
  } else if (const auto *New = llvm::dyn_cast<CXXNewExpr>(E)) {
    operatorCall(New->getOperatorNew(), E);
  } else if (const auto *Delete = llvm::dyn_cast<CXXDeleteExpr>(E)) {
    operatorCall(Delete->getOperatorDelete(), E);
  }
  if (!Sites.find(E))
    for (const FunctionDecl *F : passedOn(
             E, [this](const Decl *D) { return Unit.TheNames.isSystem(D); }))
      if (!Unit.TheNames.isSystem(F))
        userCall(F, E, false, /*Uncertain=*/true);
  decision(E, S);
}

void Recorder::call(const CallExpr *Call, const State &S) {
  const FunctionDecl *Callee = Sites.calleeOf(Call);
  if (std::optional<Sink> Printer = sinkOf(Call, Callee))
    for (unsigned I = Printer->FirstArgument; I < Call->getNumArgs(); ++I)
      use(Values.dataOf(Call->getArg(I), S), Printer->Class, "", Printer->Name,
          Call);
  if (Callee && handsOver(Callee))
    event(Event::HandsOver, 0, Call->getBeginLoc());
  if (!Callee) {
    passed(Call);
    if (llvm::isa<CXXPseudoDestructorExpr>(Call->getCallee()))
      return;
    if (std::string Type = calledType(Call, Unit.Context); !Type.empty())
      return throughPointer(Call, std::move(Type));
    event(Event::UnknownCall, 0, Call->getBeginLoc());
    return;
  }
  // Builtins such as `__sync_fetch_and_add` are declared nowhere.
  if (!Unit.TheNames.isSystem(Callee) && !Callee->getBuiltinID()) {
    passed(Call);
    if (implicitCall(Callee, Call))
      return;
    const auto *Method = llvm::dyn_cast<CXXMethodDecl>(Callee);
    const auto *Member =
        llvm::dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
    return userCall(Callee, Call,
                    Method && Method->isVirtual() && Member &&
                        !Member->hasQualifier(),
                    false);
  }
  if (std::string Type = calledType(Call, Unit.Context); !Type.empty())
    throughPointer(Call, std::move(Type));
  emptied(Call, Callee, S);
  if (Callee->isExternC() && usesStream(Callee))
    userCall(Callee, Call, false, false); // A library that is not catalogued.
  if (!Sites.find(Call) && computesTensors(Callee) &&
      Values.valueOf(Call, S).Mask != catalogue::values::Pageable)
    userCall(Callee, Call, false, false);
  if (readsClock(Callee))
    event(Event::Clock, 0, Call->getBeginLoc());
  if (blocks(Callee))
    event(Event::Blocks, 0, Call->getBeginLoc());
  if (awaits(Callee))
    event(Event::Awaits, 0, Call->getBeginLoc());
  if (setsLaunchBlocking(Call, Callee))
    event(Event::LaunchBlocking, 0, Call->getBeginLoc());
  access(Call, Callee, S);
}

/// Accesses to memory in a user's function are not followed.
void Recorder::passed(const CallExpr *Call) {
  for (const Expr *Arg : Call->arguments()) {
    std::optional<CellKey> C = Evaluator::isTracked(Arg->getType())
                                   ? Values.cellOf(Arg)
                                   : std::nullopt;
    const int Number = C ? Sites.cellNumber(*C) : -1;
    if (Number < 0)
      continue;
    event(Event::Passed, Number, Call->getBeginLoc());
    const QualType T = Arg->getType();
    Current->Events.back().ReadOnly =
        T->isPointerType() && T->getPointeeType().isConstQualified();
  }
}

/// Records a call of a class's own `operator new` or `operator delete`.
void Recorder::operatorCall(const FunctionDecl *Callee, const Expr *E) {
  if (Callee && !Callee->isImplicit() && !Unit.TheNames.isSystem(Callee))
    userCall(Callee, E, false, false);
}

/// What depends on the counter of the innermost loop around a scope.
const Variables &Recorder::countersAround(int Scope) {
  auto [It, New] = Counters.try_emplace(Scope);
  for (int I = Scope; New && I >= 0; I = BodyScopes.All[I].Parent)
    if (auto Loop = BodyScopes.LoopOf.find(I);
        Loop != BodyScopes.LoopOf.end()) {
      It->second = countedBy(Loop->second);
      break;
    }
  return It->second;
}

void Recorder::userCall(const FunctionDecl *Callee, const Expr *E, bool Virtual,
                        bool Uncertain) {
  auto [It, New] = CallNumbers.try_emplace({E, Callee}, Out.Calls.size());
  if (New) {
    audit::Call C;
    C.Callee = Unit.TheNames.usr(Callee);
    C.Name = source::displayName(Callee);
    C.Location = Unit.PlaceOf(E->getBeginLoc());
    C.Scope = scopeOf(E);
    C.Expression = BodyScopes.Expressions.lookup(E);
    C.Virtual = Virtual;
    C.Uncertain = Uncertain;
    C.EndsObject = llvm::isa<CXXDestructorDecl>(Callee);
    C.UsesStream = usesStream(Callee);
    if (const auto *Made = llvm::dyn_cast<CallExpr>(E);
        Made && !Uncertain && !llvm::isa<CXXOperatorCallExpr>(Made)) {
      const Variables &Counters = countersAround(C.Scope);
      for (const Expr *Arg : Made->arguments()) {
        C.Varies |= mentions(Arg, Counters);
        C.Arguments.push_back(
            numberOf(Arg, BodyScopes.F, BodyScopes.Varying, Unit.Context));
        C.Streams.push_back(isStreamOrHandle(Arg->getType()) &&
                                    !llvm::isa<CXXDefaultArgExpr>(Arg)
                                ? shortText(Arg->getSourceRange(), Unit.Context)
                                : std::string());
      }
      C.OnlyShown = isOnlyShown(
          E, BodyScopes.Parents.lookup(E), BodyScopes.Body,
          [this](const CallExpr *Other) { return Sites.calleeOf(Other); });
    }
    Out.Calls.push_back(std::move(C));
  }
  event(Event::CallMade, It->second, E->getBeginLoc());
}

/// Records a call of a function that a pointer or a std::function holds.
void Recorder::throughPointer(const CallExpr *E, std::string Type) {
  auto [It, New] = CallNumbers.try_emplace({E, nullptr}, Out.Calls.size());
  if (New) {
    audit::Call C;
    C.Name = shortText(E->getCallee()->getSourceRange(), Unit.Context);
    if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(E))
      C.Name = shortText(Op->getArg(0)->getSourceRange(), Unit.Context);
    C.Location = Unit.PlaceOf(E->getBeginLoc());
    C.Scope = scopeOf(E);
    C.Expression = BodyScopes.Expressions.lookup(E);
    C.Through = std::move(Type);
    Out.Calls.push_back(std::move(C));
  }
  event(Event::CallMade, It->second, E->getBeginLoc());
}

/// Records what a constructor or assignment that the compiler writes calls.
bool Recorder::implicitCall(const FunctionDecl *Callee, const Expr *E) {
  const auto *Method = llvm::dyn_cast<CXXMethodDecl>(Callee);
  if (!Method || !(Method->isImplicit() || Method->isDefaulted()))
    return false;
  const Memberwise Parts = memberwise(Method, Unit.TheNames);
  for (const FunctionDecl *F : Parts.Calls)
    userCall(F, E, false, false);
  record(Parts.Destroyed, {E->getBeginLoc(), scopeOf(E)});
  return true;
}

//===-- The end ---------------------------------------------------------===//

/// The variable or element whose value a return statement returns, or null.
static const Expr *loadedBy(const Stmt *Node) {
  const auto *Return = llvm::dyn_cast<ReturnStmt>(Node);
  const Expr *Value = Return ? Return->getRetValue() : nullptr;
  if (!Value)
    return nullptr;
  Value = Value->IgnoreImplicit()->IgnoreParenCasts();
  const auto *Unary = llvm::dyn_cast<UnaryOperator>(Value);
  const bool IsElement = llvm::isa<ArraySubscriptExpr>(Value) ||
                         (Unary && Unary->getOpcode() == UO_Deref);
  return IsElement || llvm::isa<DeclRefExpr, MemberExpr>(Value) ? Value
                                                                : nullptr;
}

/// Sites in unreachable code have no place: they are removed, and the others
/// are renumbered.
void Recorder::finish() {
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
  for (const auto &[Node, Scope] : BodyScopes.Innermost)
    if (const Expr *Value = loadedBy(Node))
      Out.Returns.push_back(Unit.PlaceOf(Value->getBeginLoc()));
  llvm::sort(Out.Returns, [](const Place &A, const Place &B) {
    return std::tie(A.File, A.Offset) < std::tie(B.File, B.Offset);
  });
  Out.Scopes = std::move(BodyScopes.All);
}

} // namespace autoprof::audit
