// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/project/Comments.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

std::vector<Comment> readComments(StringRef Text) {
  // The lexer requires a zero after the text.
  const std::string Copy = Text.str();
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true;
  Lexer Lex(SourceLocation(), Options, Copy.data(), Copy.data(),
            Copy.data() + Copy.size());
  Lex.SetCommentRetentionState(true);
  std::vector<Comment> All;
  size_t Waiting = 0; // The first of All whose NextLine is not known.
  size_t Done = 0;
  unsigned Line = 1, CodeLine = 0;
  Token Tok;
  while (!Lex.LexFromRawLexer(Tok)) {
    const size_t End = Lex.getBufferLocation() - Copy.data();
    const size_t Begin = End - Tok.getLength();
    Line += unsigned(Text.slice(Done, Begin).count('\n'));
    Done = Begin;
    if (Tok.is(tok::comment)) {
      All.push_back({Text.slice(Begin, End), Line, CodeLine, 0});
      continue;
    }
    for (; Waiting < All.size(); ++Waiting)
      All[Waiting].NextLine = Line;
    CodeLine = Line;
  }
  return All;
}

} // namespace autoprof::source
