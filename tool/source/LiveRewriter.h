// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewriting without reading headers twice
// ---------------------------------------
// Most of a compilation's front end time goes into system headers, so a second
// parse of everything costs too much. Instead, the compilation is stopped at
// the first token of the user's own code, when the headers before it are
// already parsed, and the process is copied (fork). The copy goes on with the
// original text, silently, up to the end of the translation unit; there it
// sends the edits through a pipe and ends without a word to the outside. The
// first process waits for them, puts the new text into the memory from which
// the lexer is reading, and goes on.
//
// That is sound because
// - the text that was lexed so far is the same in the original and in the
//   rewritten file: directives, comments and one token, all before any edit
//   (checked, else nothing is changed);
// - files that are being read at that moment, and so cannot be exchanged, were
//   given memory with room at their end before they were opened;
// - whatever happens to the copy, a crash included, the first process can
//   still go on with the original text.
//
// The room at the end of files is blank, and OriginalDiagnostics hides it from
// messages.
#ifndef AUTOPROF_SOURCE_LIVEREWRITER_H
#define AUTOPROF_SOURCE_LIVEREWRITER_H

#include "source/OriginalDiagnostics.h"
#include "source/SiteConsumer.h"

#include <functional>
#include <map>

namespace autoprof::source {

class LiveRewriter : public SiteConsumer {
public:
  /// `Accept` sees the result and says whether to use it.
  using Decision = std::function<bool(const Rewriting &)>;

  /// Prepares the main file of `CI`; call it before anything is lexed. Null
  /// when the file cannot be prepared (it is unreadable or enormous).
  static std::unique_ptr<LiveRewriter> create(clang::CompilerInstance &CI,
                                              const RewriteOptions &Options,
                                              Decision Accept);

  void Initialize(clang::ASTContext &Context) override;
  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override;
  bool shouldSkipFunctionBody(clang::Decl *D) override;
  void HandleTranslationUnit(clang::ASTContext &Context) override;

private:
  class Callbacks;
  /// A file that clang reads from memory of ours.
  struct RoomyFile {
    clang::FileEntryRef File;
    std::string Original;
    char *Memory;
    size_t Size;
  };

  LiveRewriter(clang::CompilerInstance &CI, const RewriteOptions &Options,
               Decision Accept, std::string MainFile);

  llvm::StringRef textOf(clang::FileID File) const override;
  bool isUsersHeader(clang::FileEntryRef File,
                     clang::SrcMgr::CharacteristicKind Type) const;
  bool makeRoom(clang::FileEntryRef File);
  void beforeInclusion(clang::FileEntryRef File, clang::SourceLocation At);
  void beforeUsersCode(clang::SourceLocation At);
  void becomeCopy(int Pipe);
  void sayFailed() const;
  void apply(Rewriting R);
  bool isPossible(const Rewriting &R) const;
  std::map<const clang::FileEntry *, unsigned> lexedSoFar() const;
  void replaceText(const RoomyFile &Roomy, const std::string &Text);
  void dropLineCache(const clang::FileEntry *File);

  Decision Accept;
  Project Users;
  OriginalDiagnostics *Diagnostics = nullptr;
  std::map<const clang::FileEntry *, RoomyFile> Roomy;
  clang::SourceLocation Stopped; ///< Where the copy was made.
  bool Done = false;             ///< The copy was made.

  // In the copy:
  int Pipe = -1; ///< Where the result goes.
  FirstError Errors;
  bool FailedBefore = false; ///< There were errors before the copy was made.
};

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_LIVEREWRITER_H
