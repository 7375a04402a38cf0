// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The insertions into the files of one translation unit. Nothing is ever
// removed or replaced, and no insertion contains a newline, so the lines of the
// rewritten text are those of the original.
#pragma once

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace autoprof::source {

/// The order of several insertions at one offset: outer ones first.
enum class Rank { Range, Block, Object, Bracket, Prefix, Parentheses };

/// One insertion, and the one that closes it. Offsets are in the original
/// text, in bytes.
struct Edit {
  unsigned Offset = 0;
  Rank Order = Rank::Range;
  std::string Text;
  unsigned End = 0;
  std::string Closing; ///< Empty: nothing to close.
};

/// `Original` with these edits.
std::string rewrite(llvm::StringRef Original, llvm::ArrayRef<Edit> Changes);

/// A file and its insertions.
struct EditedFile {
  clang::FileEntryRef File;
  std::string Original;
  std::vector<Edit> Changes; ///< In any order.

  std::string rewritten() const { return rewrite(Original, Changes); }
};

class Edits {
public:
  explicit Edits(const clang::SourceManager &SM) : SM(SM) {}

  /// Inserts `Text` before the character at `Loc`, a file location, and, if
  /// `End` is valid, `Closing` before the character there. A file that is
  /// included twice is one text: the same insertion counts once, and a
  /// different one from another inclusion is refused (returns false).
  bool insert(clang::SourceLocation Loc, Rank Order, const std::string &Text,
              clang::SourceLocation End = {}, llvm::StringRef Closing = "");

  bool empty() const { return Files.empty(); }

  /// All files with insertions.
  std::vector<EditedFile> files() const;

private:
  struct Recorded {
    clang::FileID Inclusion;
    Edit Change;
  };
  struct File {
    clang::FileEntryRef Entry;
    clang::FileID Id;
    std::map<std::pair<unsigned, Rank>, std::vector<Recorded>> Places;
  };

  const clang::SourceManager &SM;
  std::map<const clang::FileEntry *, File> Files;
};

} // namespace autoprof::source
