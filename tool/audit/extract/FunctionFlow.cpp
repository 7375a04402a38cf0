// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/FunctionFlow.h"

#include "audit/extract/Changes.h"
#include "audit/extract/Effects.h"
#include "audit/extract/HostCalls.h"
#include "audit/extract/Recorder.h"
#include "audit/extract/Summary.h"
#include "source/ast/Calls.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/FlowSensitive/DataflowWorklist.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

namespace {

/// Data shared by all elements of a body.
struct BodyContext {
  const FunctionDecl *F;
  Shared &Unit;
  const SitesOfBody &Sites;
  const Evaluator &Values;
};

/// The effect of one element of the control-flow graph on the state. With a
/// Recorder, it also records what happens.
class Transfer {
  const FunctionDecl *F;
  Shared &Unit;
  const SitesOfBody &Sites;
  const Evaluator &Values;
  Recorder *Record;

public:
  Transfer(const BodyContext &Body, Recorder *Record)
      : F(Body.F), Unit(Body.Unit), Sites(Body.Sites), Values(Body.Values),
        Record(Record) {}

  void element(const CFGElement &E, State &S) {
    if (auto Stmt = E.getAs<CFGStmt>())
      return statement(Stmt->getStmt(), S);
    if (auto Init = E.getAs<CFGInitializer>())
      return initializer(Init->getInitializer(), S);
    if (!Record)
      return;
    if (auto Dtor = E.getAs<CFGAutomaticObjDtor>())
      Record->destroyed(Dtor->getVarDecl(), S);
    else if (auto End = E.getAs<CFGLifetimeEnds>())
      Record->dies(End->getVarDecl(), End->getTriggerStmt());
    else if (auto Dtor = E.getAs<CFGMemberDtor>())
      Record->destroyedField(Dtor->getFieldDecl(), S);
    else if (auto Dtor = E.getAs<CFGBaseDtor>())
      Record->destroyedBase(Dtor->getBaseSpecifier());
    else if (auto Dtor = E.getAs<CFGTemporaryDtor>())
      Record->destroyedTemporary(Dtor->getBindTemporaryExpr());
    else if (auto Dtor = E.getAs<CFGDeleteDtor>())
      Record->deleted(Dtor->getDeleteExpr(), S);
  }

private:
  void statement(const Stmt *St, State &S) {
    if (const auto *E = llvm::dyn_cast<Expr>(St))
      if (Record)
        Record->expression(E, S);
    if (const auto *Declaration = llvm::dyn_cast<DeclStmt>(St)) {
      for (const Decl *D : Declaration->decls())
        if (const auto *V = llvm::dyn_cast<VarDecl>(D))
          declare(V, S);
    } else if (const auto *Op = llvm::dyn_cast<BinaryOperator>(St)) {
      if (Op->isAssignmentOp())
        store(Op->getLHS(), Op->getRHS(), Op->isCompoundAssignmentOp(), S);
    } else if (const auto *Call = llvm::dyn_cast<CallExpr>(St)) {
      call(Call, S);
    } else if (const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(St)) {
      construct(Construct, S);
    } else if (const auto *Return = llvm::dyn_cast<ReturnStmt>(St)) {
      if (const Expr *Value = Return->getRetValue())
        flowInto(Unit.TheNames.result(F), Value, F->getReturnType(), S, Return);
    }
  }

  /// Records that the value and the data of `E` reach a slot.
  void flowInto(const std::string &Slot, const Expr *E, QualType T,
                const State &S, const Stmt *Node, unsigned Into = 0) {
    if (!Record || Slot.empty())
      return;
    if (Evaluator::isTracked(T) || Evaluator::isTracked(E->getType()))
      Record->flow(Slot, Values.valueOf(E, S));
    Record->use(Values.dataOf(E, S), Use::Stored, Slot, "", E, Into);
  }

  /// Records that other functions may find the value in the cell.
  void flowFrom(const CellKey &C, const Value &V) {
    if (Record)
      if (std::string Slot = Values.slot(C); !Slot.empty())
        Record->flow(outSlot(C, Slot), V);
  }

  void setValue(const CellKey &C, Value V, State &S, bool Weak) {
    flowFrom(C, V);
    if (Weak)
      V = join(Values.valueOf(C, S), V);
    S.setValue(C, std::move(V));
  }

  /// Values stored through a parameter belong to the caller.
  std::string outSlot(const CellKey &C, const std::string &Slot) const {
    const auto *Param = llvm::dyn_cast_or_null<ParmVarDecl>(C.Base);
    if (!Param || C.Field || !StringRef(Slot).starts_with("P:"))
      return Slot;
    const bool Reference = Param->getType()->isReferenceType();
    if (C.Depth == 1 || (C.Depth == 0 && Reference))
      return Unit.TheNames.outParam(F, Param->getFunctionScopeIndex());
    return "";
  }

  /// Whether a store keeps the old value as well: elements share a cell, and so
  /// do fields of unnamed objects.
  static bool isWeak(const CellKey &C) {
    return C.Depth > 0 || (C.Field && !C.Base);
  }

  void setData(const CellKey &C, Sources Data, State &S, bool Weak,
               const Expr *Node) {
    const CellKey Whole = C.atDepth(0);
    if (Record) {
      std::string Slot = Values.slot(Whole);
      if (StringRef(Slot).starts_with("P:"))
        Slot = outSlot(C.Depth ? C.atDepth(1) : C, Slot);
      if (!Slot.empty())
        Record->use(Data, Use::Stored, Slot, "", Node);
    }
    if (Weak) {
      const Sources *Old = S.data(Whole);
      if (Old && !Data.empty())
        Data.insert(*Old);
      if (!Data.empty())
        S.setData(Whole, std::move(Data));
      else if (Old && Old->empty())
        S.eraseData(Whole);
    } else {
      S.setData(Whole, std::move(Data));
    }
  }

  void declare(const VarDecl *V, State &S) {
    const CellKey C{V, nullptr, 0};
    if (!V->getInit() && V->hasLocalStorage())
      S.eraseData(C); // That of the previous iteration.
    if (!V->getInit() || V->isStaticLocal())
      return;
    const Expr *Init = V->getInit();
    if (Evaluator::isTracked(V->getType()) && !V->getType()->isArrayType()) {
      Value Made = Values.valueOf(Init, S);
      if (!Made.isNothing())
        S.setValue(C, std::move(Made));
      else
        S.eraseValue(C); // In a loop: as before its first store.
    }
    if (Sources Data = Values.dataOf(Init, S); !Data.empty())
      S.setData(C, std::move(Data));
    else
      S.eraseData(C);
  }

  void store(const Expr *To, const Expr *From, bool Compound, State &S) {
    std::optional<CellKey> C = Values.cellOf(To);
    if (!C || C->Depth < 0)
      return;
    if (Evaluator::isTracked(To->getType()) && !Compound)
      setValue(*C, Values.valueOf(From, S), S, isWeak(*C));
    setData(*C, Values.dataOf(From, S), S, Compound || C->Depth > 0 || C->Field,
            From);
    if (Record)
      Record->written(*C, To, S);
  }

  void initializer(const CXXCtorInitializer *Init, State &S) {
    if (!Init->isMemberInitializer() || !Init->getMember())
      return;
    const CellKey C{nullptr, Init->getMember(), 0};
    const Expr *From = Init->getInit();
    if (Evaluator::isTracked(Init->getMember()->getType()))
      if (Value V = Values.valueOf(From, S); !V.isNothing())
        setValue(C, std::move(V), S, false);
    setData(C, Values.dataOf(From, S), S, false, From);
  }

  //===-- Calls -----------------------------------------------------------===//

  void construct(const CXXConstructExpr *E, State &S) {
    const CXXConstructorDecl *Callee = E->getConstructor();
    if (!Unit.TheNames.isSystem(Callee))
      userCall(Callee, E, argumentsOf(E), S);
  }

  void call(const CallExpr *Call, State &S) {
    const FunctionDecl *Callee = Sites.calleeOf(Call);
    if (!Callee)
      return forgetArguments(argumentsOf(Call), S);
    if (const auto *Op = llvm::dyn_cast<CXXOperatorCallExpr>(Call);
        Op && Op->isAssignmentOp() && Op->getNumArgs() == 2)
      return store(Op->getArg(0), Op->getArg(1), Op->getOperator() != OO_Equal,
                   S);
    if (isSwap(Callee))
      return swap(Call->getArg(0), Call->getArg(1), S);
    if (!Unit.TheNames.isSystem(Callee) && !Sites.find(Call))
      return userCall(Callee, Call, methodArguments(Call, Callee), S);
    systemCall(Call, Callee, S);
  }

  /// Includes the user's own swap functions: through parameters, the values of
  /// all callers would be mixed.
  static bool isSwap(const FunctionDecl *Callee) {
    return Callee->getIdentifier() &&
           Callee->getName().equals_insensitive("swap") &&
           Callee->getNumParams() == 2 && !llvm::isa<CXXMethodDecl>(Callee) &&
           Callee->getParamDecl(0)->getType()->isReferenceType();
  }

  void swap(const Expr *A, const Expr *B, State &S) {
    std::optional<CellKey> To = Values.cellOf(A), From = Values.cellOf(B);
    if (!To || !From || To->Depth < 0 || From->Depth < 0)
      return;
    Value Moved = Values.valueOf(*To, S);
    setValue(*To, Values.valueOf(*From, S), S, isWeak(*To));
    setValue(*From, std::move(Moved), S, isWeak(*From));
  }

  void userCall(const FunctionDecl *Callee, const Expr *Call,
                llvm::ArrayRef<const Expr *> Args, State &S) {
    const unsigned Number = Values.callNumber(Call);
    for (unsigned I = 0; I < Args.size() && I < Callee->getNumParams(); ++I) {
      const Expr *Arg = Args[I];
      std::optional<CellKey> C = Values.cellOf(Arg);
      const std::string Slot = Unit.TheNames.param(Callee, I);
      const QualType T = Callee->getParamDecl(I)->getType();
      flowInto(Slot, Arg, T, S, Arg, Number);
      if (!C)
        continue;
      const CellKey Pointee =
          C->atDepth(C->Depth + (T->isReferenceType() ? 0 : 1));
      if (Record && T->isPointerType() && isPointerLike(T->getPointeeType()))
        Record->flow(Slot + "*", Values.valueOf(Pointee, S));
      if (mayStoreThrough(T))
        storedBy(Unit.TheNames.outParam(Callee, I), Number, Pointee, T, S);
    }
    // Methods may change fields; their stores are in the fields' slots.
    S.forgetFields(
        [&](const CellKey &C) { return isOwnConfiguration(C, Args); });
  }

  /// Whether it is a dim3 of this function that is not passed to the call.
  static bool isOwnConfiguration(const CellKey &C,
                                 llvm::ArrayRef<const Expr *> Args) {
    const CXXRecordDecl *Class = C.Base && C.Base->hasLocalStorage()
                                     ? C.Base->getType()->getAsCXXRecordDecl()
                                     : nullptr;
    return Class && Class->getIdentifier() && Class->getName() == "dim3" &&
           llvm::none_of(
               Args, [&](const Expr *Arg) { return mentions(Arg, {C.Base}); });
  }

  static bool isPointerLike(QualType T) { return Evaluator::isTracked(T); }

  static bool mayStoreThrough(QualType T) {
    return (T->isPointerType() || T->isReferenceType()) &&
           !T->getPointeeType().isConstQualified() &&
           !T->isFunctionPointerType();
  }

  /// A null pointer is dropped, because it is what the call replaces.
  void storedBy(const std::string &Out, unsigned Call, const CellKey &Pointee,
                QualType T, State &S) {
    if (isPointerLike(T->getPointeeType())) {
      Value Before = Values.valueOf(Pointee, S);
      Before.Mask &= ~uint32_t(catalogue::values::Null);
      flowFrom(Pointee, Value::fromSlot(Out));
      S.setValue(Pointee, join(std::move(Before), Value::fromSlot(Out)));
    }
    const Sources *Old = S.data(Pointee.atDepth(0));
    Sources Data = Old ? *Old : Sources();
    Data.insert(withCall(Out, Call));
    S.setData(Pointee.atDepth(0), std::move(Data));
  }

  void forgetArguments(llvm::ArrayRef<const Expr *> Args, State &S) {
    for (const Expr *Arg : Args)
      if (std::optional<CellKey> C = Values.cellOf(Arg); C && C->Depth < 0)
        S.setValue(C->atDepth(C->Depth + 1), Value::anything());
  }

  void systemCall(const CallExpr *Call, const FunctionDecl *Callee, State &S) {
    const std::string Name = catalogueName(Callee);
    if (std::optional<Effect> Change = effectOf(Name, Call, Unit.Context))
      return applyEffect(*Change, Call, S);
    if (const SiteInfo *Site = Sites.find(Call))
      return applySite(*Site, Call, S);
    if (formatsInto(Callee) && Call->getNumArgs() > 1) {
      Sources Data;
      for (const Expr *Arg : argumentsOf(Call).drop_front())
        Data.insert(Values.dataOf(Arg, S));
      if (std::optional<CellKey> C = Values.cellOf(Call->getArg(0)))
        setData(*C, std::move(Data), S, true, Call);
      return;
    }
    systemMethod(Call, Callee, S);
  }

  /// Handles `pointers.push_back(p)`, `owner.reset(p)`, and stores through
  /// other arguments.
  void systemMethod(const CallExpr *Call, const FunctionDecl *Callee,
                    State &S) {
    const auto *Member = llvm::dyn_cast<CXXMemberCallExpr>(Call);
    if (Member && Callee->getIdentifier() && Call->getNumArgs()) {
      StringRef Name = Callee->getName();
      std::optional<CellKey> C =
          Values.cellOf(Member->getImplicitObjectArgument());
      const Expr *Arg = Call->getArg(Call->getNumArgs() - 1);
      if (C && (Name == "push_back" || Name == "emplace_back" ||
                Name == "insert" || Name == "emplace")) {
        if (Evaluator::isTracked(Arg->getType()))
          setValue(C->atDepth(C->Depth + 1), Values.valueOf(Arg, S), S, true);
        setData(*C, Values.dataOf(Arg, S), S, true, Arg);
        return;
      }
      if (C && Name == "reset" && Evaluator::isTracked(Arg->getType()))
        return setValue(*C, Values.valueOf(Call->getArg(0), S), S, isWeak(*C));
    }
    for (unsigned I = 0; I < Call->getNumArgs() && I < Callee->getNumParams();
         ++I) {
      const QualType T = Callee->getParamDecl(I)->getType();
      std::optional<CellKey> C = Values.cellOf(Call->getArg(I));
      if (C && mayStoreThrough(T) && isPointerLike(T->getPointeeType()))
        S.setValue(C->atDepth(C->Depth + (T->isReferenceType() ? 0 : 1)),
                   Value::anything());
    }
  }

  void applyEffect(const Effect &Change, const CallExpr *Call, State &S) {
    if (Change.Parameter >= Call->getNumArgs() ||
        (Change.Class != Effect::Makes && Change.Class != Effect::Becomes))
      return;
    std::optional<CellKey> C = Values.cellOf(Call->getArg(Change.Parameter));
    if (!C)
      return;
    Value Made = Value::fromMask(Change.Mask);
    Made.Location = Unit.PlaceOf(Call->getBeginLoc());
    const CellKey To =
        Change.Class == Effect::Makes ? C->atDepth(C->Depth + 1) : *C;
    if (To.Depth >= 0)
      setValue(To, std::move(Made), S, isWeak(To));
  }

  /// Puts the data that a site brings to the host into the cell that it writes.
  void applySite(const SiteInfo &Site, const CallExpr *Call, State &S) {
    if (!Site.Row)
      return; // A kernel.
    const CallInContext InContext{Call, Site.Callee, Site.Use};
    for (StringRef Name : {"dst", "dstHost", "result", "h_result", "x_host"})
      if (const Expr *To = argumentNamed(InContext, Name)) {
        std::optional<CellKey> C = Values.cellOf(To);
        if (!C)
          return;
        const bool Whole = C->Depth < 0; // `&loss`
        Sources Data;
        if (Sites.bringsToHost(Site, S))
          Data.insert("S:" + std::to_string(Site.Number));
        setData(*C, std::move(Data), S, !Whole, Call);
        return;
      }
  }
};

/// Propagates the state along the graph until it no longer changes. Blocks are
/// visited in the order of control flow, so that most are visited once.
std::vector<State> solve(const CFG &Graph, const BodyContext &Context) {
  std::vector<State> Entries(Graph.getNumBlockIDs());
  std::vector<unsigned> Visits(Graph.getNumBlockIDs());
  PostOrderCFGView Order(&Graph);
  ForwardDataflowWorklist Work(Graph, &Order);
  Work.enqueueBlock(&Graph.getEntry());
  Entries[Graph.getEntry().getBlockID()].Reached = true;
  auto Initial = [&](const CellKey &C) { return Context.Values.initial(C); };
  Transfer Step(Context, nullptr);
  while (const CFGBlock *B = Work.dequeue()) {
    // Values only grow, so this terminates; the limit is a safeguard.
    if (++Visits[B->getBlockID()] > 64)
      continue;
    State S = Entries[B->getBlockID()];
    for (const CFGElement &E : *B)
      Step.element(E, S);
    for (const CFGBlock *Next : B->succs())
      if (Next && Entries[Next->getBlockID()].join(S, Initial))
        Work.enqueueBlock(Next);
  }
  return Entries;
}

std::unique_ptr<CFG> graphOf(const FunctionDecl *F, Stmt *Body,
                             ASTContext &Context) {
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  Options.AddImplicitDtors = true;
  Options.AddTemporaryDtors = true;
  Options.AddInitializers = true;
  Options.AddLifetime = true;
  return CFG::buildCFG(F, Body, &Context, Options);
}

/// Whether the block ends the program, throws, or returns under the condition
/// of an error.
bool givesUp(const CFGBlock &B, const Scopes &BodyScopes) {
  if (B.hasNoReturnElement())
    return true;
  for (const CFGElement &E : B) {
    auto Part = E.getAs<CFGStmt>();
    const Stmt *S = Part ? Part->getStmt() : nullptr;
    if (!S)
      continue;
    if (llvm::isa<CXXThrowExpr>(S))
      return true;
    if (llvm::isa<ReturnStmt>(S))
      for (int I = BodyScopes.scopeOf(S); I >= 0; I = BodyScopes.All[I].Parent)
        if (BodyScopes.All[I].Class == Scope::Error)
          return true;
  }
  return false;
}

} // namespace

void extractBody(const FunctionDecl *F, Stmt *Body, Shared &Unit,
                 Function &Out) {
  Evaluator Values(Unit.Context, Unit.TheNames, F, Unit.PlaceOf);
  Scopes BodyScopes =
      scopesOf(Body, {Unit.Context, Unit.PlaceOf, Unit.TheNames, F});
  summarize(F, Body, BodyScopes, Unit.TheNames, Out);
  SitesOfBody Sites(Unit, BodyScopes, Values);
  Values.SiteOf = [&Sites](const Expr *E) { return Sites.resultOf(E); };
  std::unique_ptr<CFG> Graph = graphOf(F, Body, Unit.Context);
  if (!Graph)
    return;
  Recorder Record(Unit, BodyScopes, Sites, Values, Out);
  const BodyContext Context{F, Unit, Sites, Values};
  Transfer Step(Context, &Record);
  std::vector<State> Entries = solve(*Graph, Context);
  // The entry has the highest number; in the model it comes first.
  const unsigned Last = Graph->getNumBlockIDs() - 1;
  Out.Blocks.resize(Graph->getNumBlockIDs());
  std::vector<const CFGBlock *> InOrder(Graph->getNumBlockIDs());
  for (const CFGBlock *B : *Graph)
    InOrder[Last - B->getBlockID()] = B;
  for (const CFGBlock *B : InOrder) {
    Block &Current = Out.Blocks[Last - B->getBlockID()];
    State S = Entries[B->getBlockID()];
    if (!S.Reached)
      continue;
    Record.enter(Current);
    Current.GivesUp = givesUp(*B, BodyScopes);
    for (const CFGElement &E : *B)
      Step.element(E, S);
    for (const CFGBlock *Next : B->succs())
      if (Next)
        Current.Next.push_back(Last - Next->getBlockID());
  }
  Record.finish();
}

} // namespace autoprof::audit
