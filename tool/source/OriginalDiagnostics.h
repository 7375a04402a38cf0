// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Users must see their own source in compiler messages, not the probes in it.
// This consumer stands before the compiler's own, and moves every location in
// rewritten text to the same place in the original text, which it keeps in the
// source manager as a file of its own with the same name. Warnings about the
// probes themselves are no business of the user's and are dropped.
#ifndef AUTOPROF_SOURCE_ORIGINALDIAGNOSTICS_H
#define AUTOPROF_SOURCE_ORIGINALDIAGNOSTICS_H

#include "source/Edits.h"

#include "clang/Basic/Diagnostic.h"
#include <map>
#include <memory>

namespace autoprof::source {

class OriginalDiagnostics : public clang::DiagnosticConsumer {
public:
  /// Takes the place of the client of `Diags`, which owns the result.
  static OriginalDiagnostics *install(clang::DiagnosticsEngine &Diags);

  /// From now on `File` is shown as it was. What is in the rewritten text
  /// behind the original's end is shown at that end.
  void show(EditedFile File);

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;
  void BeginSourceFile(const clang::LangOptions &LangOpts,
                       const clang::Preprocessor *PP) override {
    Client->BeginSourceFile(LangOpts, PP);
  }
  void EndSourceFile() override { Client->EndSourceFile(); }
  void finish() override { Client->finish(); }
  void clear() override {
    DiagnosticConsumer::clear();
    Client->clear();
  }
  bool IncludeInDiagnosticCounts() const override {
    return Client->IncludeInDiagnosticCounts();
  }

private:
  explicit OriginalDiagnostics(clang::SourceManager &SM) : SM(SM) {}

  const EditedFile *editedFile(clang::FileID Id) const;
  bool isInserted(clang::SourceLocation Loc) const;
  clang::SourceLocation original(clang::SourceLocation Loc);
  clang::CharSourceRange original(clang::CharSourceRange Range);
  clang::SourceLocation originalExpansion(clang::FileID Expansion);
  clang::FileID originalFile(clang::FileID Rewritten, const EditedFile &File);
  std::string originalMessage(llvm::StringRef Message) const;
  void copyLineDirectives(clang::FileID Rewritten, clang::FileID Original,
                          const EditedFile &File);

  clang::SourceManager &SM;
  std::vector<EditedFile> Files;
  std::unique_ptr<clang::DiagnosticConsumer> Owned;
  clang::DiagnosticConsumer *Client = nullptr;
  bool Dropping = false; ///< The notes that follow a dropped warning.
  std::map<clang::FileID, clang::FileID> Originals;
  std::map<clang::FileID, clang::SourceLocation> Expansions;
};

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_ORIGINALDIAGNOSTICS_H
