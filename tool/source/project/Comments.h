// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the comments of a source file, for the requests that users make in
// them: skip (probes) and allow (the audit). Text in string literals is
// not a comment.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace autoprof::source {

struct Comment {
  llvm::StringRef Text;  ///< Includes the slashes; a part of the file's text.
  unsigned Line = 0;     ///< Line of its first character, from 1.
  unsigned CodeLine = 0; ///< Line of the last token before it; 0: none.
  unsigned NextLine = 0; ///< Line of the first token after it; 0: none.

  /// The line of the character at `Offset` in Text.
  unsigned lineAt(size_t Offset) const {
    return Line + unsigned(Text.take_front(Offset).count('\n'));
  }
};

/// Returns the comments in order. The file need not be valid C++.
std::vector<Comment> readComments(llvm::StringRef Text);

/// The last line of the statement after a comment of `Text`: up to its
/// semicolon, or to the brace that opens its body. A macro without a semicolon
/// ends with its parenthesis. 0 if no code follows.
unsigned lastLineAfter(llvm::StringRef Text, const Comment &C);

} // namespace autoprof::source
