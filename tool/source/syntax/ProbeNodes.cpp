// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/syntax/ProbeNodes.h"

#include "source/text/ProbeText.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

//===-- What probe.h declares ---------------------------------------------===//

static NamedDecl *lookUp(const DeclContext *Scope, ASTContext &Context,
                         StringRef Name) {
  const DeclContextLookupResult Found =
      Scope->lookup(DeclarationName(&Context.Idents.get(Name)));
  return Found.empty() ? nullptr : Found.front();
}

FunctionDecl *ProbeNodes::function(StringRef Name) const {
  NamedDecl *D = lookUp(Context.getTranslationUnitDecl(), Context, Name);
  FunctionDecl *F = D ? D->getAsFunction() : nullptr;
  return F ? F->getDefinition() : nullptr;
}

const Decl *ProbeNodes::hooks() const {
  return lookUp(Context.getTranslationUnitDecl(), Context, "autoprof_hooks_v1");
}

NamedDecl *ProbeNodes::member(StringRef Name) const {
  const auto *Space = llvm::dyn_cast_or_null<NamespaceDecl>(
      lookUp(Context.getTranslationUnitDecl(), Context, "autoprof"));
  return Space ? lookUp(Space, Context, Name) : nullptr;
}

std::optional<ProbeNodes> ProbeNodes::of(ASTContext &Context) {
  ProbeNodes N(Context);
  N.SiteBegin = N.function("autoprof_site_begin");
  N.SiteEnd = N.function("autoprof_site_end");
  N.RangeBegin = N.function("autoprof_range_begin");
  N.RangeEnd = N.function("autoprof_range_end");
  N.Destruction = N.function("autoprof_destruction");
  N.DestructionBegin = N.function("autoprof_destruction_begin");
  if (!N.SiteBegin || !N.SiteEnd || !N.RangeBegin || !N.RangeEnd ||
      !N.Destruction || !N.DestructionBegin)
    return std::nullopt;
  if (!Context.getLangOpts().CPlusPlus)
    return N;
  N.Scope = llvm::dyn_cast_or_null<FunctionDecl>(N.member("scope"));
  const CXXRecordDecl *Class =
      N.Scope ? N.Scope->getReturnType()->getAsCXXRecordDecl() : nullptr;
  N.ScopeEnd = Class ? Class->getDestructor() : nullptr;
  if (!N.ScopeEnd)
    return std::nullopt;
  return N;
}

//===-- Expressions -------------------------------------------------------===//

Expr *ProbeNodes::number(uint64_t Value, SourceLocation Position) {
  return IntegerLiteral::Create(
      Context,
      llvm::APInt(Context.getIntWidth(Context.UnsignedLongLongTy), Value),
      Context.UnsignedLongLongTy, Position);
}

Expr *ProbeNodes::call(FunctionDecl *F, Expr *Argument,
                       SourceLocation Position) {
  F->markUsed(Context);
  Expr *Name = DeclRefExpr::Create(
      Context, NestedNameSpecifierLoc(), SourceLocation(), F,
      /*RefersToEnclosingVariableOrCapture=*/false, Position, F->getType(),
      Context.getLangOpts().CPlusPlus ? VK_LValue : VK_PRValue);
  Expr *Pointer = ImplicitCastExpr::Create(
      Context, Context.getPointerType(F->getType()), CK_FunctionToPointerDecay,
      Name, nullptr, VK_PRValue, FPOptionsOverride());
  return CallExpr::Create(Context, Pointer, {Argument}, F->getReturnType(),
                          VK_PRValue, Position, FPOptionsOverride());
}

Expr *ProbeNodes::site(uint64_t Id, Expr *E, DeclContext *Parent) {
  const SourceLocation Position = E->getBeginLoc();
  if (!Scope) {
    Stmt *Statements[] = {
        declaration(guard(SiteBegin, SiteEnd, Id, Parent, Position)), E};
    auto *Block = CompoundStmt::Create(Context, Statements, FPOptionsOverride(),
                                       Position, E->getEndLoc());
    return new (Context) StmtExpr(Block, E->getType(), Position, E->getEndLoc(),
                                  /*TemplateDepth=*/0);
  }
  ScopeEnd->markUsed(Context);
  Expr *Begin = CXXBindTemporaryExpr::Create(
      Context, CXXTemporary::Create(Context, ScopeEnd),
      call(Scope, number(Id, Position), Position));
  Begin = CStyleCastExpr::Create(
      Context, Context.VoidTy, VK_PRValue, CK_ToVoid, Begin, nullptr,
      FPOptionsOverride(),
      Context.getTrivialTypeSourceInfo(Context.VoidTy, Position), Position,
      Position);
  return BinaryOperator::Create(Context, Begin, E, BO_Comma, E->getType(),
                                E->getValueKind(), E->getObjectKind(), Position,
                                FPOptionsOverride());
}

Expr *ProbeNodes::withCleanups(Expr *E) {
  return ExprWithCleanups::Create(Context, E, /*CleanupsHaveSideEffects=*/true,
                                  {});
}

//===-- Variables ---------------------------------------------------------===//

VarDecl *ProbeNodes::guard(StringRef Name, QualType Type, Expr *Value,
                           FunctionDecl *Cleanup, DeclContext *Parent,
                           SourceLocation Position) {
  Cleanup->markUsed(Context);
  VarDecl *V = VarDecl::Create(
      Context, Parent, Position, Position, &Context.Idents.get(Name), Type,
      Context.getTrivialTypeSourceInfo(Type, Position), SC_None);
  V->setImplicit();
  V->setInit(Value);
  V->markUsed(Context);
  V->addAttr(CleanupAttr::CreateImplicit(Context, Cleanup));
  // It is not the user's variable.
  V->addAttr(NoDebugAttr::CreateImplicit(Context));
  return V;
}

VarDecl *ProbeNodes::guard(FunctionDecl *Begin, FunctionDecl *End, uint64_t Id,
                           DeclContext *Parent, SourceLocation Position) {
  return guard("autoprof_guard", Begin->getReturnType(),
               call(Begin, number(Id, Position), Position), End, Parent,
               Position);
}

Stmt *ProbeNodes::declaration(VarDecl *V) {
  return new (Context)
      DeclStmt(DeclGroupRef(V), V->getLocation(), V->getLocation());
}

CompoundStmt *ProbeNodes::range(uint64_t Id, Stmt *Body, DeclContext *Parent) {
  const auto *Block = llvm::dyn_cast<CompoundStmt>(Body);
  const SourceLocation Position = Body->getBeginLoc();
  // With the place of the first statement, a debugger stops there, as without
  // the range.
  const bool IsEmpty = !Block || Block->body_empty();
  llvm::SmallVector<Stmt *, 16> Statements = {declaration(
      guard(RangeBegin, RangeEnd, Id, Parent,
            IsEmpty ? Position : Block->body_front()->getBeginLoc()))};
  if (Block)
    Statements.append(Block->body_begin(), Block->body_end());
  else
    Statements.push_back(Body);
  return CompoundStmt::Create(Context, Statements,
                              Block ? Block->getStoredFPFeaturesOrDefault()
                                    : FPOptionsOverride(),
                              Position, Body->getEndLoc());
}

// Variables are destroyed in the reverse order of their declarations: the one
// that begins the probe goes after V, the one that ends it before V.
DeclGroupRef ProbeNodes::destruction(uint64_t Id, DeclGroupRef Group,
                                     VarDecl *V, DeclContext *Parent) {
  const SourceLocation Position = V->getLocation();
  VarDecl *End = guard(Destruction, SiteEnd, Id, Parent, Position);
  Expr *Name =
      DeclRefExpr::Create(Context, NestedNameSpecifierLoc(), SourceLocation(),
                          End, false, Position, End->getType(), VK_LValue);
  const QualType Pointer = Context.getPointerType(End->getType());
  Expr *Address = UnaryOperator::Create(
      Context, Name, UO_AddrOf, Pointer, VK_PRValue, OK_Ordinary, Position,
      /*CanOverflow=*/false, FPOptionsOverride());
  VarDecl *Begin = guard("autoprof_destruction", Pointer, Address,
                         DestructionBegin, Parent, Position);
  llvm::SmallVector<Decl *, 4> Declarations;
  for (Decl *D : Group) {
    if (D == V)
      Declarations.push_back(End);
    Declarations.push_back(D);
    if (D == V)
      Declarations.push_back(Begin);
  }
  return DeclGroupRef::Create(Context, Declarations.data(),
                              Declarations.size());
}

//===-- The table ---------------------------------------------------------===//

Decl *ProbeNodes::table(StringRef Rows, SourceLocation Position) {
  const std::string Text = tableAssembly(Rows);
  const QualType Type = Context.getStringLiteralArrayType(
      Context.CharTy, static_cast<unsigned>(Text.size()));
  StringLiteral *Literal =
      StringLiteral::Create(Context, Text, StringLiteralKind::Ordinary,
                            /*Pascal=*/false, Type, {Position});
  return FileScopeAsmDecl::Create(Context, Context.getTranslationUnitDecl(),
                                  Literal, Position, Position);
}

} // namespace autoprof::source
