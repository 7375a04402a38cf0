// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation after the parse.
// clang generates code for a function as soon as it is parsed. Whether a
// function or a loop gets a range depends on later functions, and templates are
// instantiated at the end; so everything that the parser passes to its
// consumers is held back, in order, until the translation unit is complete, and
// passed on then. The code generator supports that: from a precompiled header
// or a module, too, it gets declarations of a complete translation unit.
#pragma once

#include "support/LLVMVersion.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/SemaConsumer.h"
#include <functional>
#include <memory>
#include <vector>

namespace autoprof::source {

class DelayedConsumer : public clang::SemaConsumer {
public:
  /// Handles the translation unit's top-level declarations.
  struct Changes {
    std::vector<clang::Decl *> Added;
    const clang::Decl *Dropped = nullptr;
  };
  /// Called when the translation unit is parsed and instantiated, with all of
  /// its top-level declarations.
  using AtEnd = std::function<Changes(llvm::ArrayRef<clang::Decl *> TopLevel)>;

  /// Puts itself in front of all consumers of `CI`. To be called from
  /// ASTConsumer::Initialize of one of them.
  static void install(clang::CompilerInstance &CI, AtEnd Finish);

  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl *D) override;
  void HandleInterestingDecl(clang::DeclGroupRef Group) override;
  void HandleTranslationUnit(clang::ASTContext &Context) override;
  void HandleTagDeclDefinition(clang::TagDecl *D) override;
  void HandleTagDeclRequiredDefinition(const clang::TagDecl *D) override;
  void HandleCXXImplicitFunctionInstantiation(clang::FunctionDecl *D) override;
  void HandleTopLevelDeclInObjCContainer(clang::DeclGroupRef Group) override;
  void HandleImplicitImportDecl(clang::ImportDecl *D) override;
  void CompleteTentativeDefinition(clang::VarDecl *D) override;
  void CompleteExternalDeclaration(clang::DeclaratorDecl *D) override;
  void AssignInheritanceModel(clang::CXXRecordDecl *D) override;
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl *D) override;
#if AUTOPROF_HAS_OPENACC_ROUTINES
  void
  HandleOpenACCRoutineReference(const clang::FunctionDecl *F,
                                const clang::OpenACCRoutineDecl *D) override;
#endif
  void HandleVTable(clang::CXXRecordDecl *D) override;
  // The other functions are queries, or do not affect the order.
  void InitializeSema(clang::Sema &S) override;
  void ForgetSema() override;
  clang::ASTMutationListener *GetASTMutationListener() override {
    return Rest->GetASTMutationListener();
  }
  clang::ASTDeserializationListener *GetASTDeserializationListener() override {
    return Rest->GetASTDeserializationListener();
  }
  void PrintStats() override { Rest->PrintStats(); }
  bool shouldSkipFunctionBody(clang::Decl *D) override {
    return Rest->shouldSkipFunctionBody(D);
  }

private:
  DelayedConsumer(std::unique_ptr<clang::ASTConsumer> Rest, AtEnd Finish)
      : Rest(std::move(Rest)), Finish(std::move(Finish)) {}
  void tellAll();

  const std::unique_ptr<clang::ASTConsumer> Rest;
  const AtEnd Finish;
  std::vector<std::function<void()>> Kept;
  std::vector<clang::Decl *> TopLevel;
  std::vector<clang::VarDecl *> Instantiated; ///< Static members.
  const clang::Decl *Dropped = nullptr;
  bool IsComplete = false; ///< Later calls are passed on immediately.
};

} // namespace autoprof::source
