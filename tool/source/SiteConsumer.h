// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the user's declarations while clang parses a translation unit.
#ifndef AUTOPROF_SOURCE_SITECONSUMER_H
#define AUTOPROF_SOURCE_SITECONSUMER_H

#include "source/SiteFinder.h"
#include "source/ast/ErrorLog.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/SemaConsumer.h"
#include <vector>

namespace autoprof::source {

/// Prints nothing and keeps the first error: "file:line:column: words".
class FirstError : public clang::DiagnosticConsumer {
  std::string Message;

public:
  const std::string &message() const { return Message; }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;
};

/// For parses that only search: skips the instantiation of function templates.
/// The search needs only their patterns, and functions that constant
/// expressions need are instantiated in any case.
class SiteConsumer : public clang::SemaConsumer {
public:
  SiteConsumer(clang::CompilerInstance &CI, RewriteOptions Options)
      : CI(CI), Options(std::move(Options)) {}

  void InitializeSema(clang::Sema &S) override { TheSema = &S; }
  void ForgetSema() override { TheSema = nullptr; }
  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override;

protected:
  /// The changes to the text, in functions that are intact despite `Errors`.
  Rewriting collect(const Damage &Errors) {
    return SiteFinder(CI, Options).findAsText(TopLevel, &Errors);
  }

  /// The user's declarations so far.
  llvm::ArrayRef<clang::Decl *> topLevel() const { return TopLevel; }

  clang::CompilerInstance &CI;
  const RewriteOptions Options;

private:
  clang::Sema *TheSema = nullptr;
  std::vector<clang::Decl *> TopLevel;
};

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_SITECONSUMER_H
