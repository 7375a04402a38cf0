// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/syntax/DelayedConsumer.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace autoprof::source {

// When CompilerInstance initializes its consumers, it has already stored them,
// and nothing else refers to them: Sema is created later.
void DelayedConsumer::install(CompilerInstance &CI, AtEnd Finish) {
  std::unique_ptr<ASTConsumer> Rest = CI.takeASTConsumer();
  CI.setASTConsumer(std::unique_ptr<ASTConsumer>(
      new DelayedConsumer(std::move(Rest), std::move(Finish))));
}

void DelayedConsumer::InitializeSema(Sema &S) {
  if (auto *C = llvm::dyn_cast<SemaConsumer>(Rest.get()))
    C->InitializeSema(S);
}

void DelayedConsumer::ForgetSema() {
  if (auto *C = llvm::dyn_cast<SemaConsumer>(Rest.get()))
    C->ForgetSema();
}

/// Passes `Call` on, now or at the end.
#define DELAY(Call)                                                            \
  do {                                                                         \
    if (IsComplete)                                                            \
      Rest->Call;                                                              \
    else                                                                       \
      Kept.push_back([=] { Rest->Call; });                                     \
  } while (false)

bool DelayedConsumer::HandleTopLevelDecl(DeclGroupRef Group) {
  if (IsComplete)
    return Rest->HandleTopLevelDecl(Group);
  TopLevel.insert(TopLevel.end(), Group.begin(), Group.end());
  Kept.push_back([=] {
    if (*Group.begin() != Dropped)
      Rest->HandleTopLevelDecl(Group);
  });
  return true;
}

void DelayedConsumer::HandleInterestingDecl(DeclGroupRef Group) {
  if (!IsComplete)
    TopLevel.insert(TopLevel.end(), Group.begin(), Group.end());
  DELAY(HandleInterestingDecl(Group));
}

void DelayedConsumer::HandleInlineFunctionDefinition(FunctionDecl *D) {
  DELAY(HandleInlineFunctionDefinition(D));
}

void DelayedConsumer::HandleTagDeclDefinition(TagDecl *D) {
  DELAY(HandleTagDeclDefinition(D));
}

void DelayedConsumer::HandleTagDeclRequiredDefinition(const TagDecl *D) {
  DELAY(HandleTagDeclRequiredDefinition(D));
}

void DelayedConsumer::HandleCXXImplicitFunctionInstantiation(FunctionDecl *D) {
  DELAY(HandleCXXImplicitFunctionInstantiation(D));
}

void DelayedConsumer::HandleTopLevelDeclInObjCContainer(DeclGroupRef Group) {
  DELAY(HandleTopLevelDeclInObjCContainer(Group));
}

void DelayedConsumer::HandleImplicitImportDecl(ImportDecl *D) {
  DELAY(HandleImplicitImportDecl(D));
}

void DelayedConsumer::CompleteTentativeDefinition(VarDecl *D) {
  DELAY(CompleteTentativeDefinition(D));
}

void DelayedConsumer::CompleteExternalDeclaration(DeclaratorDecl *D) {
  DELAY(CompleteExternalDeclaration(D));
}

void DelayedConsumer::AssignInheritanceModel(CXXRecordDecl *D) {
  DELAY(AssignInheritanceModel(D));
}

void DelayedConsumer::HandleCXXStaticMemberVarInstantiation(VarDecl *D) {
  if (!IsComplete)
    Instantiated.push_back(D);
  DELAY(HandleCXXStaticMemberVarInstantiation(D));
}

#if AUTOPROF_HAS_OPENACC_ROUTINES
void DelayedConsumer::HandleOpenACCRoutineReference(
    const FunctionDecl *F, const OpenACCRoutineDecl *D) {
  DELAY(HandleOpenACCRoutineReference(F, D));
}
#endif

void DelayedConsumer::HandleVTable(CXXRecordDecl *D) { DELAY(HandleVTable(D)); }
#undef DELAY

/// An instantiated variable, or member that is defined outside its class, is
/// appended to the namespace of its pattern. Code generation visits a namespace
/// when it receives it, and would now find the variable there, so its
/// initializer would run before others that it has to follow.
static void leaveNamespace(VarDecl *V) {
  DeclContext *Space = V->getLexicalDeclContext();
  const bool IsAppended = Space != V->getDeclContext() ||
                          llvm::isa<VarTemplateSpecializationDecl>(V);
  if (Space->isFileContext() && IsAppended &&
      !llvm::isa<TranslationUnitDecl>(Space) && Space->containsDecl(V))
    Space->removeDecl(V);
}

// Passing one call on may add more, for example a body that is read from a
// module.
void DelayedConsumer::tellAll() {
  IsComplete = true;
  for (const std::function<void()> &Call : std::exchange(Kept, {}))
    Call();
}

void DelayedConsumer::HandleTranslationUnit(ASTContext &Context) {
  const Changes Final = Finish(TopLevel);
  Dropped = Final.Dropped;
  for (VarDecl *V : Instantiated)
    leaveNamespace(V);
  tellAll();
  for (Decl *D : Final.Added)
    Rest->HandleTopLevelDecl(DeclGroupRef(D));
  Rest->HandleTranslationUnit(Context);
}

} // namespace autoprof::source
