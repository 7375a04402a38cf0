// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/sites/Collector.h"

#include "source/ast/Calls.h"
#include "source/ast/Functions.h"
#include "source/ast/Loops.h"
#include "support/LLVMVersion.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/Stack.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

std::string Collector::Context::signature() const {
  const auto *F = llvm::dyn_cast<FunctionDecl>(Owner);
  return F ? source::signature(F) : displayName(Owner);
}

//===-- The walk ----------------------------------------------------------===//

bool Collector::TraverseDecl(Decl *D) {
  if (!D || D->isImplicit() ||
      llvm::isa<StaticAssertDecl, ConceptDecl, TypedefNameDecl>(D))
    return true;
  if (!llvm::isa<TranslationUnitDecl, ParmVarDecl>(D) &&
      SM.isInSystemHeader(SM.getFileLoc(D->getLocation())))
    return true;
  if (auto *F = llvm::dyn_cast<FunctionDecl>(D))
    return traverseFunction(F);
  if (auto *V = llvm::dyn_cast<VarDecl>(D); V && !V->isLocalVarDeclOrParm())
    return traverseIn(
        {V, Wanted.whyNot(V->getBeginLoc(), V->getEndLoc()), ++Contexts}, V);
  if (auto *F = llvm::dyn_cast<FieldDecl>(D))
    return traverseIn({F->getParent(),
                       Wanted.whyNot(F->getBeginLoc(), F->getEndLoc()),
                       ++Contexts},
                      F);
  Way.push_back({nullptr, D});
  if (const auto *V = llvm::dyn_cast<VarDecl>(D); V && V->isLocalVarDecl())
    visitVariable(V);
  bool Result = Base::TraverseDecl(D);
  Way.pop_back();
  return Result;
}

bool Collector::traverseIn(Context C, Decl *D) {
  if (!Files.isUsers(D->getLocation()) || isUnread(D))
    return true;
  llvm::SaveAndRestore Around(Current, C);
  llvm::SaveAndRestore NoneOpen(Open, {});
  Way.push_back({nullptr, D});
  if (const auto *V = llvm::dyn_cast<VarDecl>(D))
    visitVariable(V);
  bool Result = Base::TraverseDecl(D);
  Way.pop_back();
  return Result;
}

static QualType initialisedType(const CXXCtorInitializer *Init) {
  return Init->isAnyMemberInitializer() ? Init->getAnyMember()->getType()
                                        : Init->getTypeSourceInfo()->getType();
}

bool Collector::traverseFunction(FunctionDecl *F) {
  if (F->isTemplateInstantiation() || isDeviceOnly(F) ||
      !Files.isUsers(F->getLocation()))
    return true;
  Stmt *Body = F->doesThisDeclarationHaveABody() ? F->getBody() : nullptr;
  StringRef Refusal = refusal(F, /*IsLambda=*/false);
  if (Refusal.empty())
    Refusal = Wanted.whyNot(F);
  llvm::SaveAndRestore Around(
      Current, Context{F, Refusal, ++Contexts, isUnread(F),
                       llvm::isa_and_nonnull<CoroutineBodyStmt>(Body)});
  llvm::SaveAndRestore NoneOpen(Open, {});
  Way.push_back({nullptr, F});
  scope_exit Leave([&] { Way.pop_back(); });

  if (Body && !F->isDefaulted()) {
    Open.push_back(Candidates.size());
    StringRef NoRange = Current.Refusal;
    if (NoRange.empty() && Current.IsCoroutine)
      NoRange = "a coroutine, which may resume on another thread";
    Candidates.push_back(
        {F, nullptr, Body, Current, NoRange.str(), Use.add(F)});
  }
  for (ParmVarDecl *P : F->parameters())
    if (!TraverseDecl(P))
      return false;
  if (auto *Constructor = llvm::dyn_cast<CXXConstructorDecl>(F))
    for (CXXCtorInitializer *Init : Constructor->inits()) {
      if (!Init->isWritten())
        continue;
      visitUnresolvedInitialiser(initialisedType(Init), Init->getInit(),
                                 Init->getSourceLocation());
      if (!TraverseStmt(Init->getInit()))
        return false;
    }
  return !Body || F->isDefaulted() || TraverseStmt(Body);
}

bool Collector::TraverseLambdaExpr(LambdaExpr *L) {
  const CXXMethodDecl *F = L->getCallOperator();
  for (const LambdaCapture &C : L->explicit_captures())
    if (L->isInitCapture(&C) && !TraverseDecl(C.getCapturedVar()))
      return false;
  if (isDeviceOnly(F))
    return true;
  for (ParmVarDecl *P : F->parameters()) // Default arguments are listed.
    if (!TraverseDecl(P))
      return false;
  StringRef Refusal = refusal(F, /*IsLambda=*/true);
  llvm::SaveAndRestore Inside(Current.Refusal,
                              Refusal.empty() ? Current.Refusal : Refusal);
  llvm::SaveAndRestore Coroutine(
      Current.IsCoroutine,
      llvm::isa_and_nonnull<CoroutineBodyStmt>(L->getBody()));
  return TraverseStmt(L->getBody());
}

/// Visits the form with conversions, which may be calls.
bool Collector::TraverseInitListExpr(InitListExpr *L, DataRecursionQueue *) {
  if (InitListExpr *Semantic = L->getSemanticForm())
    L = Semantic;
  return llvm::all_of(L->children(),
                      [this](Stmt *Element) { return TraverseStmt(Element); });
}

/// Visits the selected association; in a template, it may be any.
bool Collector::TraverseGenericSelectionExpr(GenericSelectionExpr *G,
                                             DataRecursionQueue *) {
  if (!G->isResultDependent())
    return TraverseStmt(G->getResultExpr());
  return llvm::all_of(G->getAssocExprs(),
                      [this](Expr *E) { return TraverseStmt(E); });
}

bool Collector::TraverseChooseExpr(ChooseExpr *C, DataRecursionQueue *) {
  if (!C->isConditionDependent())
    return TraverseStmt(C->getChosenSubExpr());
  return TraverseStmt(C->getLHS()) && TraverseStmt(C->getRHS());
}

/// Is this an expression whose operands are never evaluated?
static bool isUnevaluated(const Stmt *S) {
  // Except for an object whose type is known only at run time.
  if (const auto *TypeId = llvm::dyn_cast<CXXTypeidExpr>(S))
    return TypeId->isTypeOperand() || TypeId->isTypeDependent() ||
           !TypeId->isPotentiallyEvaluated();
  if (const auto *Call = llvm::dyn_cast<CallExpr>(S))
    return Call->getDirectCallee() &&
           Call->isUnevaluatedBuiltinCall(
               Call->getDirectCallee()->getASTContext());
  return llvm::isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, RequiresExpr>(S);
}

bool Collector::TraverseStmt(Stmt *S) {
  if (!S || isUnevaluated(S))
    return true;
  bool Result = true;
  // Expressions in generated code can nest deeper than the stack allows.
  runWithSufficientStackSpace([] {}, [&] { Result = visitChildren(S); });
  return Result;
}

bool Collector::visitChildren(Stmt *S) {
  Way.push_back({S, nullptr});
  enter(S);
  const bool Opened = openLoop(S);
  bool Result = Base::TraverseStmt(S);
  if (Opened)
    Open.pop_back();
  Way.pop_back();
  return Result;
}

void Collector::enter(Stmt *S) {
  if (const auto *Call = llvm::dyn_cast<CallExpr>(S))
    return visitCall(Call);
  if (const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(S)) {
    for (unsigned C : Open)
      Use.calls(Candidates[C].Code, Construct->getConstructor());
    return visitConstruction(Construct);
  }
  if (const Expr *Unresolved = unresolvedConstruction(S))
    return visitUnresolvedConstruction(Unresolved);
  if (const auto *Temporary = llvm::dyn_cast<CXXBindTemporaryExpr>(S))
    return visitTemporary(Temporary);
  if (const auto *New = llvm::dyn_cast<CXXNewExpr>(S))
    return visitUnresolvedInitialiser(
        New->getAllocatedType(), New->getInitializer(), New->getBeginLoc());
  if (const auto *Delete = llvm::dyn_cast<CXXDeleteExpr>(S))
    return visitDelete(Delete);
  if (const auto *Ref = llvm::dyn_cast<DeclRefExpr>(S))
    return visitReference(Ref);
  if (llvm::isa<LabelStmt, SwitchCase>(S))
    return visitLabel(S);
  if (llvm::isa<IndirectGotoStmt>(S))
    return refuseRanges("the function has a computed goto");
  if (const auto *Asm = llvm::dyn_cast<GCCAsmStmt>(S); Asm && Asm->isAsmGoto())
    return refuseRanges("the function has an asm goto");
  if (const auto *A = llvm::dyn_cast<AttributedStmt>(S);
      A && hasSpecificAttr<MustTailAttr>(A->getAttrs()))
    refuseRanges("the function has a musttail call");
}

//===-- Sites -------------------------------------------------------------===//

void Collector::visitCall(const CallExpr *Call) {
  for (const FunctionDecl *F : callees(Call))
    for (unsigned C : Open)
      Use.calls(Candidates[C].Code, F);
  if (std::optional<CataloguedCall> Found = catalogued(Call, SM))
    addSite(*Found, placeOf(Call),
            [&](const Site &S) { return Probes.addCall(S.Id, Way); });
}

/// A call through a pointer does not show its callee, so report that there may
/// be one.
void Collector::visitReference(const DeclRefExpr *Ref) {
  const auto *F = llvm::dyn_cast<FunctionDecl>(Ref->getDecl());
  if (!F)
    return;
  const Stmt *Child = Ref;
  for (size_t I = Way.size() - 1; I-- > 0; Child = Way[I].S) {
    const Stmt *S = Way[I].S;
    const auto *V = llvm::dyn_cast_or_null<VarDecl>(Way[I].D);
    if (V && V->getType().isConstQualified())
      return; // Calls through it are known.
    const auto *Call = llvm::dyn_cast_or_null<CallExpr>(S);
    if (Call && Call->getCallee() == Child)
      return;
    if (!llvm::isa_and_nonnull<CastExpr, ParenExpr, UnaryOperator>(S))
      break;
  }
  if (std::optional<CataloguedCall> Found = catalogued(F, SM))
    leaveAlone(
        *Found, Ref->getBeginLoc(),
        "its address is taken, and a call through a pointer has no probe");
}

void Collector::leaveAlone(const CataloguedCall &Call, SourceLocation Loc,
                           StringRef Reason) {
  if (!Current.IsUnread)
    NotInstrumented.push_back({Call.Kind.str(), Files.position(Loc),
                               Current.name(), Call.Callee, Reason.str()});
}

/// Whether the current node is part of a full expression that suspends its
/// coroutine. The probe would last until that expression ends.
bool Collector::isInSuspendingExpression() const {
  if (!Current.IsCoroutine)
    return false;
  const Stmt *Full = nullptr;
  for (size_t I = Way.size(); I-- > 0;) {
    if (!llvm::isa_and_nonnull<Expr>(Way[I].S))
      break;
    Full = Way[I].S;
  }
  return suspends(Full);
}

/// A reason that depends on the place of the call, not on its text.
StringRef Collector::whyUnreachable() {
  if (!Current.Refusal.empty())
    return Current.Refusal;
  if (isInSuspendingExpression())
    return InSuspendingExpression;
  for (size_t I = Way.size(); I-- > 0;) {
    if (Way[I].D && llvm::isa<FunctionDecl>(Way[I].D))
      break;
    if (Way[I].D && llvm::isa<ParmVarDecl>(Way[I].D))
      return "in a default argument, which is evaluated at its callers";
    const auto *A = llvm::dyn_cast_or_null<AttributedStmt>(Way[I].S);
    if (A && hasSpecificAttr<MustTailAttr>(A->getAttrs()))
      return "in a musttail call";
  }
  return whyUnwanted();
}

/// The reason if the user excludes a statement around the current node in its
/// function.
StringRef Collector::whyUnwanted() {
  for (size_t I = Way.size(); I-- > 0;) {
    if (Way[I].D && llvm::isa<FunctionDecl>(Way[I].D))
      break;
    if (!Way[I].S || llvm::isa<CompoundStmt>(Way[I].S))
      continue;
    if (StringRef Reason = Wanted.whyNot(Way[I].S); !Reason.empty())
      return Reason;
  }
  return "";
}

uint64_t Collector::nextId(StringRef File, StringRef Function,
                           StringRef Callee) {
  std::string Key = (File + "\n" + Function + "\n" + Callee).str();
  return siteId(File, Function, Callee, Ordinals[Key]++);
}

void Collector::addSite(const CataloguedCall &Call, SourceLocation Loc,
                        llvm::function_ref<std::string(const Site &)> Insert) {
  for (unsigned C : Open)
    Use.markGpu(Candidates[C].Code, Call.IsWork);
  if (Current.IsUnread)
    return;
  // A macro may use its argument twice, which is one place in the source.
  if (!Seen.insert(
               {SM.getSpellingLoc(Loc), SM.getExpansionLoc(Loc), Call.Callee})
           .second)
    return;
  Site S{0, Call.Kind.str(), Files.position(Loc), Current.name(), Call.Callee};
  S.Id = nextId(S.Location.File, Current.signature(), Call.Callee);
  std::string Reason = whyUnreachable().str();
  if (Reason.empty())
    Reason = Insert(S);
  if (Reason.empty())
    Sites.push_back(std::move(S));
  else
    NotInstrumented.push_back(
        {S.Kind, S.Location, S.Function, S.Callee, std::move(Reason)});
}

//===-- Ranges ------------------------------------------------------------===//

/// A loop that comes from a macro is not the user's, unless its body is; an
/// empty loop has nothing to show.
bool Collector::openLoop(const Stmt *S) {
  const Stmt *Body = loopBody(S);
  if (!Body || llvm::isa<NullStmt>(Body) ||
      (S->getBeginLoc().isMacroID() &&
       SM.getExpansionLoc(S->getBeginLoc()) ==
           SM.getExpansionLoc(Body->getBeginLoc())))
    return false;
  const bool Inner = llvm::any_of(
      Open, [this](unsigned C) { return Candidates[C].Loop != nullptr; });
  std::string Refusal = Current.Refusal.str();
  if (Refusal.empty() && isCollapsed(Way, SM))
    Refusal = "one of several loops that OpenMP collapses";
  if (Refusal.empty() && Current.IsCoroutine && suspends(Body))
    Refusal = "the coroutine may be suspended in the loop's body";
  if (Refusal.empty())
    Refusal = whyUnwanted().str();
  Open.push_back(Candidates.size());
  Candidates.push_back({nullptr, S, Body, Current, std::move(Refusal),
                        Use.add(nullptr), !Inner});
  return true;
}

void Collector::refuseRanges(StringRef Reason) {
  WithoutRanges[Current.Number] = Reason.str();
}

/// A jump into a block must not pass the range's variable. Any goto may jump to
/// a label in the enclosing loops, and a switch to the cases in the loops
/// between the two.
void Collector::visitLabel(const Stmt *S) {
  size_t Loops = Open.size();
  for (size_t I = Way.size(); I-- > 0 && Loops > 0;) {
    if (llvm::isa_and_nonnull<LambdaExpr>(Way[I].S))
      return;
    if (llvm::isa<SwitchCase>(S) && llvm::isa_and_nonnull<SwitchStmt>(Way[I].S))
      return;
    Candidate &Inner = Candidates[Open[Loops - 1]];
    if (Way[I].S && loopBody(Way[I].S) == Inner.Body) {
      Inner.Refusal = "a jump leads into the loop's body";
      --Loops;
    }
  }
}

/// An outermost loop gets a range because it may be the step, which the
/// analysis decides by what ran in it; only one is open at a time. A loop that
/// only allocates is not the step, and may run millions of times, so it gets
/// none. It still uses an ordinal, so that the ids of other loops do not depend
/// on this.
void Collector::placeRange(const Candidate &C) {
  if (C.Enclosing.IsUnread)
    return;
  const bool IsFunction = C.Function != nullptr;
  const bool IsSuspect = C.IsOutermostLoop && Use.callsOut(C.Code);
  const bool MayHaveRange = Use.usesGpu(C.Code) || IsSuspect;
  if (!MayHaveRange && !Wanted.namesStep())
    return;
  Site S{0, IsFunction ? "function" : "loop",
         Files.position(IsFunction ? C.Function->getLocation()
                                   : C.Loop->getBeginLoc()),
         C.Enclosing.name(), ""};
  const bool IsStep = Wanted.isStep(S);
  if (!IsStep) {
    if (!MayHaveRange)
      return;
    if (IsFunction && S.Function != "main" && Wanted.isSmall(C.Body))
      return;
  }
  S.Id = nextId(S.Location.File, C.Enclosing.signature(),
                IsFunction ? "<function>" : "<loop>");
  const bool IsIdleLoop =
      !IsFunction && !IsStep && !IsSuspect && !Use.works(C.Code);
  if (IsIdleLoop)
    return;
  std::string Reason = C.Refusal;
  if (auto Refused = WithoutRanges.find(C.Enclosing.Number);
      Refused != WithoutRanges.end() && Reason.empty())
    Reason = Refused->second;
  if (Reason.empty() && hasOwnRange(C.Body))
    Reason = "it has an NVTX range of its own";
  if (Reason.empty())
    Reason = IsFunction ? Probes.addFunction(S.Id, C.Function)
                        : Probes.addLoop(S.Id, C.Loop);
  if (Reason.empty())
    Sites.push_back(std::move(S));
  else
    NotInstrumented.push_back({S.Kind, S.Location, S.Function, "", Reason});
}

void Collector::finish() {
  if (Wanted.wantsRanges()) {
    Use.close(SM);
    for (const Candidate &C : Candidates)
      placeRange(C);
  }
  auto Before = [](const auto &A, const auto &B) {
    return std::tie(A.Location.File, A.Location.Line, A.Location.Column, A.Kind,
                    A.Callee) < std::tie(B.Location.File, B.Location.Line,
                                         B.Location.Column, B.Kind, B.Callee);
  };
  llvm::sort(Sites, Before);
  llvm::sort(NotInstrumented, Before);
}

} // namespace autoprof::source
