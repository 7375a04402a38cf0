// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comments that exclude code:
//
//     // autoprof:skip-file            this file
//     // autoprof:skip-begin           everything from here
//     // autoprof:skip-end             to here, or to the end of the file
//     // autoprof:skip                 after code: the statement, loop or
//                                      function that begins on this line (or
//                                      the simple statement that ends on it);
//                                      alone on a line: on the next one
#pragma once

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace autoprof::source {

class Suppressions {
public:
  /// `Preprocessed`: the parsed text has no comments; they are read from the
  /// files that its line markers name.
  Suppressions(const clang::SourceManager &SM, bool Preprocessed)
      : SM(SM), Preprocessed(Preprocessed) {}

  /// The comment that excludes the code at `Begin`, or "". `End` is that of a
  /// simple statement; invalid for code with a body.
  std::string why(clang::SourceLocation Begin, clang::SourceLocation End);

  /// The comments of one file, by line.
  struct File {
    unsigned Whole = 0; ///< Line of skip-file; 0: none.
    std::vector<std::pair<unsigned, unsigned>> Regions; ///< Last line included.
    llvm::DenseMap<unsigned, unsigned> Marked; ///< To the comment's own line.
    /// Comments like "autoprof:skp", which mean nothing, by line.
    std::vector<std::pair<unsigned, std::string>> Unknown;
    bool empty() const { return !Whole && Regions.empty() && Marked.empty(); }
  };
  static File read(llvm::StringRef Text);

  /// Lines for the user about the files that were queried.
  llvm::ArrayRef<std::string> warnings() const { return Warnings; }

private:
  const File &file(clang::SourceLocation Loc);
  void warn(const File &F, llvm::StringRef Name);

  const clang::SourceManager &SM;
  const bool Preprocessed;
  llvm::DenseMap<clang::FileID, File> ById;
  llvm::StringMap<File> ByName;
  std::vector<std::string> Warnings;
};

} // namespace autoprof::source
