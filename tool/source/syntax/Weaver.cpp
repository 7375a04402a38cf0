// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/syntax/Weaver.h"

#include "source/ast/Functions.h"
#include "source/ast/Loops.h"

#include "clang/AST/DeclFriend.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/Basic/Stack.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace autoprof::source {

//===-- Declarations ------------------------------------------------------===//

template <typename TemplateT> void Weaver::weaveInstances(TemplateT *T) {
  for (auto *Instance : T->specializations())
    weave(Instance);
}

void Weaver::weave(Decl *D) {
  // An implicit constructor runs the initializers of members.
  if (!D || (D->isImplicit() && !llvm::isa<CXXConstructorDecl>(D)) ||
      !Woven.insert(D).second)
    return;
  if (auto *T = llvm::dyn_cast<FunctionTemplateDecl>(D))
    return weaveInstances(T->getCanonicalDecl());
  if (auto *T = llvm::dyn_cast<VarTemplateDecl>(D))
    return weaveInstances(T->getCanonicalDecl());
  if (auto *T = llvm::dyn_cast<ClassTemplateDecl>(D))
    return weaveInstances(T->getCanonicalDecl());
  if (auto *Friend = llvm::dyn_cast<FriendDecl>(D))
    return weave(Friend->getFriendDecl());
  if (auto *F = llvm::dyn_cast<FunctionDecl>(D))
    return weaveFunction(F);
  if (auto *V = llvm::dyn_cast<VarDecl>(D))
    return weaveVariable(V);
  if (auto *F = llvm::dyn_cast<FieldDecl>(D))
    return weaveField(F);
  if (auto *Inner = llvm::dyn_cast<DeclContext>(D))
    if (!llvm::isa<EnumDecl, RequiresExprBodyDecl>(D))
      for (Decl *Member : Inner->noload_decls())
        weave(Member);
}

void Weaver::commit(Body &B) {
  for (const Replacement &R : B.Replacements)
    *R.Slot = R.New;
  for (const std::function<void()> &Change : B.Actions)
    Change();
}

void Weaver::weaveFunction(FunctionDecl *F) {
  if (F->isDependentContext() || !F->doesThisDeclarationHaveABody() ||
      F->isFromASTFile() || isDeviceOnly(F))
    return;
  Stmt *Whole = F->getBody();
  if (!Whole)
    return;
  llvm::SaveAndRestore Outside(EnclosingId, uint64_t(0));
  Body B{F, {}, {}};
  if (auto *C = llvm::dyn_cast<CXXConstructorDecl>(F))
    initialisers(C, B);
  bool HasTemporary = false;
  children(Whole, B, HasTemporary);
  if (const auto *P = Plan.ofFunction(F)) {
    // With a handler for the whole function, the range is the try block.
    if (auto *Try = llvm::dyn_cast<CXXTryStmt>(Whole)) {
      Stmt *&Block = *Try->child_begin();
      B.Actions.push_back(
          [this, P, &Block, F] { Block = Nodes.range(P->Id, Block, F); });
    } else {
      B.Actions.push_back(
          [this, P, Whole, F] { F->setBody(Nodes.range(P->Id, Whole, F)); });
    }
  }
  commit(B);
}

/// Handles a variable outside functions, or a static member. The definition of
/// an instantiated member is not in the class.
void Weaver::weaveVariable(VarDecl *V) {
  if (V->isStaticDataMember())
    weave(V->getDefinition());
  if (V->getDeclContext()->isDependentContext() ||
      V->getType()->isDependentType() || V->isFromASTFile() || !V->hasInit() ||
      V->isConstexpr())
    return;
  Body B{V->getDeclContext(), {}, {}};
  Expr *Old = V->getInit(), *New = initialiser(V, B);
  commit(B);
  if (New != Old)
    V->setInit(New);
}

void Weaver::weaveField(FieldDecl *F) {
  if (F->getDeclContext()->isDependentContext() || F->isFromASTFile() ||
      !F->hasNonNullInClassInitializer())
    return;
  memberInitialiser(F);
}

/// The initializer of `F` for constructors and aggregates that do not override
/// it. A field's initializer can be set only once, so its uses get the new one.
Expr *Weaver::memberInitialiser(FieldDecl *F) {
  if (auto Known = OfMembers.find(F); Known != OfMembers.end())
    return Known->second;
  Body B{F->getDeclContext(), {}, {}};
  Expr *New = fullExpression(F->getInClassInitializer(), B);
  commit(B);
  return OfMembers[F] = New;
}

//===-- Statements --------------------------------------------------------===//

/// The replacement of the statement `S`, which may be `S`.
Stmt *Weaver::statement(Stmt *S, Body &B) {
  if (!S)
    return S;
  if (auto *E = llvm::dyn_cast<Expr>(S))
    return fullExpression(E, B);
  bool HasTemporary = false;
  children(S, B, HasTemporary);
  return S;
}

/// Operators that coverage looks through for the branches of a condition.
static bool isLogical(const Expr *E) {
  if (const auto *Binary = llvm::dyn_cast<BinaryOperator>(E))
    return Binary->isLogicalOp();
  const auto *Unary = llvm::dyn_cast<UnaryOperator>(E);
  return llvm::isa<ParenExpr>(E) || (Unary && Unary->getOpcode() == UO_LNot);
}

Expr *Weaver::fullExpression(Expr *E, Body &B) {
  // Coverage does not look through cleanups. If the user's `E` had any, it
  // would be a node with cleanups, so it has none; those of probes can go where
  // they do not hide operators.
  if (IsCovered && isLogical(E)) {
    for (Stmt *&Operand : E->children())
      if (Stmt *New = statement(Operand, B); New != Operand)
        B.Replacements.push_back({&Operand, New});
    return E;
  }
  bool HasTemporary = false;
  Expr *New = expression(E, B, HasTemporary);
  return HasTemporary && !llvm::isa<ExprWithCleanups>(New)
             ? Nodes.withCleanups(New)
             : New;
}

/// Whether code is generated from something other than the children of the
/// node.
static bool isOpaque(const Stmt *S) {
  return llvm::isa<PseudoObjectExpr, OpaqueValueExpr, ConstantExpr, BlockExpr,
                   UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, RequiresExpr,
                   GCCAsmStmt, MSAsmStmt>(S);
}

/// The initializer of the elements that a list does not mention is not a child.
static Expr *arrayFiller(Stmt *S) {
  if (auto *Braces = llvm::dyn_cast<InitListExpr>(S))
    return Braces->getArrayFiller();
  if (auto *Parentheses = llvm::dyn_cast<CXXParenListInitExpr>(S))
    return Parentheses->getArrayFiller();
  return nullptr;
}

void Weaver::children(Stmt *S, Body &B, bool &HasTemporary) {
  if (isOpaque(S))
    return;
  if (auto *L = llvm::dyn_cast<LambdaExpr>(S))
    return lambda(L, B, HasTemporary);
  if (auto *Coroutine = llvm::dyn_cast<CoroutineBodyStmt>(S))
    return children(Coroutine->getBody(), B, HasTemporary);
  if (auto *C = llvm::dyn_cast<CapturedStmt>(S))
    return captured(C, B);
  if (auto *D = llvm::dyn_cast<DeclStmt>(S))
    return declarations(D, B);
  if (Expr *Filler = arrayFiller(S))
    children(Filler, B, HasTemporary);
  const Stmt *LoopBody = loopBody(S);
  for (Stmt *&Child : S->children()) {
    if (!Child)
      continue;
    Stmt *New = Child;
    auto *E = llvm::dyn_cast<Expr>(Child);
    if (E && llvm::isa<Expr>(S))
      New = expression(E, B, HasTemporary);
    else
      New = statement(Child, B);
    if (Child == LoopBody)
      if (const auto *P = Plan.ofLoop(S))
        // Created last, because the body's own statements may be replaced, too.
        B.Actions.push_back([this, P, &Child, Scope = B.Scope] {
          Child = Nodes.range(P->Id, Child, Scope);
        });
    if (New != Child)
      B.Replacements.push_back({&Child, New});
  }
}

/// The replacement of `E`, a part of a full expression.
Expr *Weaver::expression(Expr *E, Body &B, bool &HasTemporary) {
  if (auto Known = Wrapped.find(E); Known != Wrapped.end()) {
    HasTemporary |= Context.getLangOpts().CPlusPlus;
    return Known->second;
  }
  // A node shared by two functions, such as the initializer of a member.
  if (Made.count(E)) {
    HasTemporary |= Context.getLangOpts().CPlusPlus;
    return E;
  }
  if (auto *Default = llvm::dyn_cast<CXXDefaultInitExpr>(E))
    return defaultInitialiser(Default, B);
  const auto *P = Plan.ofExpression(E);
  if (P && P->Id == EnclosingId)
    P = nullptr;
  llvm::SaveAndRestore Inside(EnclosingId, P ? P->Id : EnclosingId);
  runWithSufficientStackSpace([] {}, [&] { children(E, B, HasTemporary); });
  if (!P)
    return E;
  HasTemporary |= Context.getLangOpts().CPlusPlus;
  Expr *New = Nodes.site(P->Id, E, B.Scope);
  Wrapped[E] = New;
  Made.insert(New);
  return New;
}

/// A use of a member's initializer may have a copy of it.
Expr *Weaver::defaultInitialiser(CXXDefaultInitExpr *E, Body &B) {
  Expr *Old = E->getExpr();
  Expr *New = E->hasRewrittenInit() ? fullExpression(Old, B)
                                    : memberInitialiser(E->getField());
  return New == Old ? E
                    : CXXDefaultInitExpr::Create(Context, E->getBeginLoc(),
                                                 E->getField(),
                                                 E->getUsedContext(), New);
}

/// Captures belong to the full expression around the lambda; its body is
/// visited as a function.
void Weaver::lambda(LambdaExpr *L, Body &B, bool &HasTemporary) {
  for (Expr *&Init : L->capture_inits()) {
    Expr *New = Init ? expression(Init, B, HasTemporary) : Init;
    if (New != Init)
      B.Actions.push_back([&Init, New] { Init = New; });
  }
  if (FunctionTemplateDecl *Generic = L->getDependentCallOperator())
    weave(Generic);
  else if (Woven.insert(L->getCallOperator()).second)
    weaveFunction(L->getCallOperator());
}

/// The statement that OpenMP or OpenACC moves to a separate function. It is
/// stored after the captures, which are the children.
void Weaver::captured(CapturedStmt *S, Body &B) {
  Stmt *&Slot = *S->child_end();
  Stmt *New = statement(Slot, B);
  if (New != Slot)
    B.Actions.push_back([S, &Slot, New] {
      Slot = New;
      S->getCapturedDecl()->setBody(New);
    });
}

//===-- Variables and members ---------------------------------------------===//

Expr *Weaver::initialiser(VarDecl *V, Body &B) {
  bool HasTemporary = false;
  Expr *New = expression(V->getInit(), B, HasTemporary);
  if (const auto *P = Plan.ofVariable(V, LifeEnd::Construction)) {
    New = Nodes.site(P->Id, New, B.Scope);
    HasTemporary |= Context.getLangOpts().CPlusPlus;
  }
  return HasTemporary && !llvm::isa<ExprWithCleanups>(New)
             ? Nodes.withCleanups(New)
             : New;
}

void Weaver::declarations(DeclStmt *S, Body &B) {
  for (Decl *D : S->decls()) {
    if (auto *Class = llvm::dyn_cast<RecordDecl>(D))
      weave(Class);
    auto *V = llvm::dyn_cast<VarDecl>(D);
    if (!V)
      continue;
    if (V->hasInit() && !V->isConstexpr()) {
      Expr *New = initialiser(V, B);
      if (New != V->getInit())
        B.Actions.push_back([V, New] { *V->getInitAddress() = New; });
    }
    if (const auto *P = Plan.ofVariable(V, LifeEnd::Destruction))
      B.Actions.push_back([this, S, V, P, Scope = B.Scope] {
        S->setDeclGroup(Nodes.destruction(P->Id, S->getDeclGroup(), V, Scope));
      });
  }
}

static CXXCtorInitializer *withInit(ASTContext &Context,
                                    const CXXCtorInitializer *Old, Expr *Init) {
  CXXCtorInitializer *New = nullptr;
  if (Old->isDelegatingInitializer())
    New = new (Context)
        CXXCtorInitializer(Context, Old->getTypeSourceInfo(),
                           Old->getLParenLoc(), Init, Old->getRParenLoc());
  else if (Old->isBaseInitializer())
    New = new (Context) CXXCtorInitializer(
        Context, Old->getTypeSourceInfo(), Old->isBaseVirtual(),
        Old->getLParenLoc(), Init, Old->getRParenLoc(), SourceLocation());
  else if (Old->isIndirectMemberInitializer())
    New = new (Context) CXXCtorInitializer(
        Context, Old->getIndirectMember(), Old->getMemberLocation(),
        Old->getLParenLoc(), Init, Old->getRParenLoc());
  else
    New = new (Context)
        CXXCtorInitializer(Context, Old->getMember(), Old->getMemberLocation(),
                           Old->getLParenLoc(), Init, Old->getRParenLoc());
  if (Old->isWritten())
    New->setSourceOrder(Old->getSourceOrder());
  return New;
}

void Weaver::initialisers(CXXConstructorDecl *C, Body &B) {
  for (auto I = C->init_begin(); I != C->init_end(); ++I) {
    Expr *Old = (*I)->getInit();
    Expr *New = Old ? fullExpression(Old, B) : Old;
    if (New != Old)
      B.Actions.push_back([this, I, New] { *I = withInit(Context, *I, New); });
  }
}

} // namespace autoprof::source
