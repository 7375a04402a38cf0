// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records calls of functions, and what they are given.
#include "audit/extract/Callables.h"
#include "audit/extract/HostCalls.h"
#include "audit/extract/Recorder.h"
#include "audit/extract/Syntax.h"
#include "audit/extract/Tensors.h"
#include "source/ast/Functions.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

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

bool isImplicit(const FunctionDecl *Callee) {
  return llvm::isa<CXXMethodDecl>(Callee) &&
         (Callee->isImplicit() || Callee->isDefaulted());
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
    passed(Call, nullptr);
    if (llvm::isa<CXXPseudoDestructorExpr>(Call->getCallee()))
      return;
    if (std::string Type = calledType(Call, Unit.Context); !Type.empty())
      return throughPointer(Call, std::move(Type), S);
    event(Event::UnknownCall, 0, Call->getBeginLoc());
    return;
  }
  // Builtins such as `__sync_fetch_and_add` are declared nowhere.
  if (!Unit.TheNames.isSystem(Callee) && !Callee->getBuiltinID()) {
    passed(Call, Callee);
    if (isImplicit(Callee))
      return;
    const auto *Method = llvm::dyn_cast<CXXMethodDecl>(Callee);
    const auto *Member =
        llvm::dyn_cast<MemberExpr>(Call->getCallee()->IgnoreParens());
    return userCall(Callee, Call, &S,
                    Method && Method->isVirtual() && Member &&
                        !Member->hasQualifier());
  }
  if (std::string Type = calledType(Call, Unit.Context); !Type.empty())
    throughPointer(Call, std::move(Type), S);
  emptied(Call, Callee, S);
  if (Callee->isExternC() && usesStream(Callee))
    userCall(Callee, Call, &S); // A library that is not catalogued.
  if (!Sites.find(Call) && computesTensors(Callee) &&
      Values.valueOf(Call, S).Mask != catalogue::values::Pageable)
    userCall(Callee, Call, &S);
  if (readsClock(Callee))
    event(Event::Clock, 0, Call->getBeginLoc());
  if (blocks(Callee))
    event(Event::Blocks, 0, Call->getBeginLoc());
  access(Call, Callee, S);
}

/// What the call may read or write by its arguments.
void Recorder::passed(const Expr *Call, const FunctionDecl *Callee) {
  const llvm::ArrayRef<const Expr *> Args =
      Callee ? methodArguments(Call, Callee) : argumentsOf(Call);
  for (unsigned I = 0; I < Args.size(); ++I) {
    const QualType T = Callee && I < Callee->getNumParams()
                           ? Callee->getParamDecl(I)->getType()
                           : Args[I]->getType();
    const int Number = leadsToCell(Args[I], T) ? cellOf(Args[I]) : -1;
    if (Number < 0)
      continue;
    event(Event::Passed, Number, Call->getBeginLoc());
    Current->Events.back().ReadOnly =
        !T->isReferenceType() && !T->isPointerType()
            ? T->isRecordType()
            : T->getPointeeType().isConstQualified();
  }
}

int Recorder::cellOf(const Expr *E) const {
  const std::optional<CellKey> C = Values.cellOf(E);
  return C ? Sites.cellNumber(*C) : -1;
}

/// Records a call of a class's own `operator new` or `operator delete`.
void Recorder::operatorCall(const FunctionDecl *Callee, const Expr *E,
                            const State &S) {
  if (Callee && !Callee->isImplicit() && !Unit.TheNames.isSystem(Callee))
    userCall(Callee, E, &S);
}

/// The variable that an expression names or copies, or null.
static const ValueDecl *named(const Expr *E) {
  E = E->IgnoreUnlessSpelledInSource();
  while (const auto *Copy = llvm::dyn_cast<CXXConstructExpr>(E)) {
    if (Copy->getNumArgs() != 1 ||
        !Copy->getConstructor()->isCopyOrMoveConstructor())
      return nullptr;
    E = Copy->getArg(0)->IgnoreUnlessSpelledInSource();
  }
  const auto *Ref = llvm::dyn_cast<DeclRefExpr>(E);
  return Ref ? Ref->getDecl() : nullptr;
}

/// The slot of a parameter that the function does not assign, or "".
std::string Recorder::paramSlot(const ValueDecl *D) const {
  const auto *Param = llvm::dyn_cast_or_null<ParmVarDecl>(D);
  const auto *Of =
      Param ? llvm::dyn_cast<FunctionDecl>(Param->getDeclContext()) : nullptr;
  return Of && BodyScopes.Terms->changes().keepsValue(Param)
             ? Unit.TheNames.param(Of, Param->getFunctionScopeIndex())
             : "";
}

/// See Call::On. `Depth`: of what refers to something else.
std::string Recorder::objectNamed(const Expr *E, unsigned Depth) const {
  constexpr unsigned MostDepth = 8;
  E = E->IgnoreParenCasts();
  if (Depth > MostDepth)
    return "";
  if (const auto *Op = llvm::dyn_cast<UnaryOperator>(E);
      Op && (Op->getOpcode() == UO_Deref || Op->getOpcode() == UO_AddrOf))
    return objectNamed(Op->getSubExpr(), Depth + 1);
  if (llvm::isa<CXXThisExpr>(E))
    return "this";
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(E);
      Member && llvm::isa<FieldDecl>(Member->getMemberDecl())) {
    const std::string Of = objectNamed(Member->getBase(), Depth + 1);
    const ValueDecl *Field = Member->getMemberDecl();
    const bool MayAlias = Field->getType()->isPointerType() ||
                          Field->getType()->isReferenceType();
    return Of.empty() ? Of
                      : Of + (MayAlias ? "~" : ".") + Field->getNameAsString();
  }
  if (const auto *Call = llvm::dyn_cast<CallExpr>(E)) {
    // A smart pointer means what it points to.
    if (const Expr *Of = ownerOf(Call))
      return objectNamed(Of, Depth + 1);
    if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Call))
      return (Op->getOperator() == OO_Arrow || Op->getOperator() == OO_Star) &&
                     Op->getNumArgs() == 1
                 ? objectNamed(Op->getArg(0), Depth + 1)
                 : "";
    const VarDecl *Only = staticOf(Call->getDirectCallee());
    return Only ? Unit.TheNames.global(Only) : "";
  }
  const VarDecl *V = variableOf(E);
  if (!V)
    return "";
  if (V->hasGlobalStorage())
    return Unit.TheNames.global(V);
  // What refers to an object in a loop may mean another one in each iteration.
  const Changes::OfVariable &Known = BodyScopes.Terms->changes().of(V);
  const RecordDecl *Class = V->getType()->getAsRecordDecl();
  const bool IsObject = Class && !Unit.TheNames.isSystem(Class);
  if (!Known.All.empty() || (!IsObject && Known.DeclaredIn))
    return "";
  return (IsObject && !llvm::isa<ParmVarDecl>(V) ? "#" : "~") +
         V->getNameAsString() + ":" +
         std::to_string(Unit.PlaceOf(V->getLocation()).Offset);
}

/// See Arg::Of.
std::string Recorder::holderOf(const Expr *Handle, unsigned Depth) const {
  const Expr *E = Handle->IgnoreParenImpCasts();
  if (const auto *Element = llvm::dyn_cast<ArraySubscriptExpr>(E)) {
    const Term Index = BodyScopes.Terms->of(Element->getIdx());
    const std::string Of = holderOf(Element->getBase(), Depth);
    return Of.empty() || Index.Class != Term::Constant
               ? ""
               : Of + "[" + std::to_string(Index.Number) + "]";
  }
  if (const auto *Call = llvm::dyn_cast<CXXMemberCallExpr>(E))
    return objectNamed(Call->getImplicitObjectArgument());
  if (const auto *Member = llvm::dyn_cast<MemberExpr>(E))
    return objectNamed(Member->getBase());
  const VarDecl *V = variableOf(E);
  return V && V->hasLocalStorage() && V->getInit() && !Depth &&
                 BodyScopes.Terms->changes().keepsValue(V)
             ? holderOf(V->getInit(), Depth + 1)
             : "";
}

/// See Call::Argument::Function.
std::string Recorder::passedFunction(const Expr *E) const {
  if (!holdsFunction(E->getType(), Unit.Context) ||
      anyInside(E, [](const Stmt *S) {
        return llvm::isa<AbstractConditionalOperator>(S);
      }))
    return "";
  if (std::string Param = paramSlot(named(E)); !Param.empty())
    return Param;
  const Callables Only = callablesIn(E);
  return Only.size() == 1 ? Unit.TheNames.usr(Only.front()) : "";
}

audit::Call::Argument Recorder::argument(const Expr *E, const State &S) const {
  audit::Call::Argument Result;
  if (const auto *Default = llvm::dyn_cast<CXXDefaultArgExpr>(E))
    E = Default->getExpr();
  else if (isStream(E->getType()) || isEvent(E->getType())) {
    Result.Handle = shortText(E->getSourceRange(), Unit.Context);
    Result.Of = holderOf(E);
  }
  Result.Function = passedFunction(E);
  Result.Number = BodyScopes.Terms->of(E);
  if (Evaluator::isTracked(E->getType()))
    Result.Val = Values.valueOf(E, S);
  Result.Cell = cellOf(E);
  return Result;
}

void Recorder::userCall(const FunctionDecl *Callee, const Expr *E,
                        const State *S, bool Virtual, bool Uncertain) {
  auto [It, New] = CallNumbers.try_emplace({E, Callee}, Out.Calls.size());
  if (New) {
    audit::Call C;
    C.Callee = Unit.TheNames.usr(Callee);
    C.Name = source::displayName(Callee);
    C.Location = Unit.PlaceOf(E->getBeginLoc());
    C.Scope = scopeOf(E);
    C.Virtual = Virtual;
    C.Uncertain = Uncertain;
    C.EndsObject = llvm::isa<CXXDestructorDecl>(Callee);
    const auto *OnMember = llvm::dyn_cast<CXXMemberCallExpr>(E);
    if (OnMember)
      C.On = objectNamed(OnMember->getImplicitObjectArgument());
    const CXXRecordDecl *Object = OnMember ? objectClass(OnMember) : nullptr;
    if (Object && C.On != "this" && Object->hasDefinition() &&
        Object->isPolymorphic() &&
        Object->getCanonicalDecl() !=
            llvm::cast<CXXMethodDecl>(Callee)->getParent()->getCanonicalDecl())
      C.Object = Unit.TheNames.usr(Object);
    C.UsesStream = usesStream(Callee);
    if (S)
      for (const Expr *Arg : methodArguments(E, Callee))
        C.Arguments.push_back(argument(Arg, *S));
    Out.Calls.push_back(std::move(C));
  }
  event(Event::CallMade, It->second, E->getBeginLoc());
}

/// Records a call of a function that a pointer or a std::function holds.
void Recorder::throughPointer(const CallExpr *E, std::string Type,
                              const State &S) {
  auto [It, New] = CallNumbers.try_emplace({E, nullptr}, Out.Calls.size());
  if (New) {
    audit::Call C;
    C.Name = shortText(E->getCallee()->getSourceRange(), Unit.Context);
    if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(E))
      C.Name = shortText(Op->getArg(0)->getSourceRange(), Unit.Context);
    C.Location = Unit.PlaceOf(E->getBeginLoc());
    C.Scope = scopeOf(E);
    C.Through = std::move(Type);
    const bool IsObject = llvm::isa<CXXOperatorCallExpr>(E);
    const Expr *Pointer =
        (IsObject ? E->getArg(0) : E->getCallee())->IgnoreParenImpCasts();
    if (const auto *Star = llvm::dyn_cast<UnaryOperator>(Pointer);
        Star && Star->getOpcode() == UO_Deref)
      Pointer = Star->getSubExpr()->IgnoreParenImpCasts();
    if (const auto *Member = llvm::dyn_cast<MemberExpr>(Pointer))
      C.ThroughSlot = Unit.TheNames.slotOf(Member->getMemberDecl());
    else if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(Pointer))
      C.ThroughSlot = llvm::isa<ParmVarDecl>(Ref->getDecl())
                          ? paramSlot(Ref->getDecl())
                          : Unit.TheNames.slotOf(Ref->getDecl());
    for (const Expr *Arg : argumentsOf(E).drop_front(IsObject))
      C.Arguments.push_back(argument(Arg, S));
    Out.Calls.push_back(std::move(C));
  }
  event(Event::CallMade, It->second, E->getBeginLoc());
}

} // namespace autoprof::audit
