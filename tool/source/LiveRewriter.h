// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewriting without reading headers twice
// ---------------------------------------
// Most of a compilation's front end time goes into system headers, so a second
// parse of everything costs too much. Instead, the compilation is stopped at
// the first token of a segment of the user's own code, when the headers before
// it are already parsed, and the process is copied (fork). The copy goes on
// with the original text, silently, up to where the next system header begins
// or the translation unit ends; there it sends the edits through a pipe and
// ends without a word to the outside. The first process waits for them, puts
// the new text into the memory from which the lexer is reading, and goes on to
// the next segment.
//
// That is sound because
// - no edit is made in text that the first process has lexed: at the copy these
//   are directives, comments, one token, and segments already rewritten;
// - files that are being read at that moment, and so cannot be exchanged, were
//   given memory with room at their end before they were opened;
// - whatever happens to a copy, a crash included, the first process can still
//   go on with the text it has.
//
// The room at the end of files is blank, and OriginalDiagnostics hides it from
// messages. What a segment cannot know is what later ones define; a function
// that is only declared yet counts as one of another translation unit.
#ifndef AUTOPROF_SOURCE_LIVEREWRITER_H
#define AUTOPROF_SOURCE_LIVEREWRITER_H

#include "source/OriginalDiagnostics.h"
#include "source/SiteConsumer.h"

#include <functional>
#include <map>

namespace autoprof::source {

class LiveRewriter : public SiteConsumer {
public:
  struct Answers {
    /// May the compilation go on with this text?
    std::function<bool(const Rewriting &)> MayUse;
    /// Called once, at the end.
    std::function<void(const Rewriting &)> Show;
  };

  /// Prepares the main file of `CI`; call it before anything is lexed. Null
  /// when the file cannot be prepared (it is unreadable or enormous).
  static std::unique_ptr<LiveRewriter> create(clang::CompilerInstance &CI,
                                              const RewriteOptions &Options,
                                              Answers Ask);

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
  using Offsets = std::map<const clang::FileEntry *, unsigned>;

  LiveRewriter(clang::CompilerInstance &CI, const RewriteOptions &Options,
               Answers Ask, clang::FileEntryRef Main);

  // Of SiteConsumer, in the copy.
  llvm::StringRef textOf(clang::FileID File) const override;
  bool isTaken(clang::FileEntryRef File, unsigned Offset) const override;
  bool isKnown(uint64_t Id) const override;
  bool skipsInstantiations() const override { return isCopy(); }

  bool isCopy() const { return Pipe >= 0; }
  bool isUsersHeader(clang::FileEntryRef File,
                     clang::SrcMgr::CharacteristicKind Type) const;
  bool makeRoom(clang::FileEntryRef File);
  void beforeInclusion(clang::FileEntryRef File, clang::SourceLocation At);
  void beforeUsersCode(clang::SourceLocation At);
  /// For the list: from where the last copy was made, there are no probes.
  void noteLoss(llvm::StringRef Reason);
  void becomeCopy(int ToOriginal);
  [[noreturn]] void sendSegment();
  Offsets lexedSoFar() const;
  Rewriting withTable() const;
  bool fits(const Rewriting &R) const;
  bool apply(Rewriting Segment);
  void replaceText(const RoomyFile &Roomy, const std::string &Text);
  void dropLineCache(const clang::FileEntry *File);

  Answers Ask;
  const clang::FileEntryRef Main;
  const Project Users;
  const bool MayBePrecompiled;
  OriginalDiagnostics *Diagnostics = nullptr;
  std::map<const clang::FileEntry *, RoomyFile> Roomy;
  std::set<const clang::FileEntry *> UsersFiles, Entered;
  Rewriting Total;               ///< Of all segments so far, without the table.
  clang::SourceLocation Stopped; ///< Where the last copy was made.
  bool SegmentEnds = true; ///< The user's code was left since the last copy.
  bool Off = false;        ///< No more copies.

  // In the copy:
  int Pipe = -1; ///< Where the result goes.
  FirstError Errors;
  bool FailedBefore = false; ///< There were errors before the copy was made.
  Offsets LexedBefore;
  std::set<const clang::FileEntry *> EnteredBefore;
};

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_LIVEREWRITER_H
