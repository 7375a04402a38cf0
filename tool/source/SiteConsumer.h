// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers the user's declarations while clang parses a translation unit, and
// at its end turns them into a Rewriting.
#ifndef AUTOPROF_SOURCE_SITECONSUMER_H
#define AUTOPROF_SOURCE_SITECONSUMER_H

#include "source/Rewriting.h"

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

class SiteConsumer : public clang::SemaConsumer {
public:
  SiteConsumer(clang::CompilerInstance &CI, RewriteOptions Options)
      : CI(CI), Options(std::move(Options)) {}

  void InitializeSema(clang::Sema &S) override { TheSema = &S; }
  void ForgetSema() override { TheSema = nullptr; }
  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override;

protected:
  /// What to change in text that has no errors. The table is not in it.
  Rewriting collect(clang::ASTContext &Context);

  /// The user's text of a file, which may be a part of what clang reads.
  virtual llvm::StringRef textOf(clang::FileID File) const;

  /// Drops the instantiation of function templates: their patterns are all
  /// that collect() looks at, and functions that constant expressions need
  /// are instantiated in any case.
  virtual bool skipsInstantiations() const { return true; }

  /// Was the text that clang reads already changed at this place?
  virtual bool isTaken(clang::FileEntryRef, unsigned) const { return false; }

  /// Does the probe with this id stand already?
  virtual bool isKnown(uint64_t) const { return false; }

  /// What was parsed so far needs no edits: collect() uses it for what it
  /// tells about the rest.
  void allDone() { Done = TopLevel.size(); }

  clang::CompilerInstance &CI;
  const RewriteOptions Options;

private:
  bool mainFileIncludesItself() const;

  clang::Sema *TheSema = nullptr;
  std::vector<clang::Decl *> TopLevel;
  size_t Done = 0; ///< So many of TopLevel.
};

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_SITECONSUMER_H
