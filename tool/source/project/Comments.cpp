// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/project/Comments.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

/// `Text` must be followed by a zero, which the lexer needs.
static Lexer lexerOf(const std::string &Text) {
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true;
  return Lexer(SourceLocation(), Options, Text.data(), Text.data(),
               Text.data() + Text.size());
}

std::vector<Comment> readComments(StringRef Text) {
  const std::string Copy = Text.str();
  Lexer Lex = lexerOf(Copy);
  Lex.SetCommentRetentionState(true);
  std::vector<Comment> All;
  size_t Waiting = 0; // The first one in All whose NextLine is unknown.
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

namespace {

/// Follows the tokens of a statement to its end.
class Statement {
public:
  /// Whether `Tok` is part of it. The first one always is.
  bool take(const Token &Tok);

private:
  int Depth = 0; ///< Nesting of parentheses, brackets, and braces in them.
  bool IsFirst = true;   ///< No token has been taken.
  bool IsOver = false;   ///< The last token ended it.
  bool Controls = false; ///< It begins with if, for, ...
  bool Closed = false;   ///< The last token closed the outermost parenthesis.
};

bool Statement::take(const Token &Tok) {
  if (IsOver)
    return false;
  const bool StartsLine = Tok.isAtStartOfLine() && !IsFirst;
  const bool IsWord = Tok.is(tok::raw_identifier);
  if (StartsLine && !Depth &&
      (Tok.is(tok::hash) || (Closed && IsWord && !Controls)))
    return false;
  if (IsFirst && IsWord)
    Controls = llvm::is_contained<StringRef>(
        {"if", "for", "while", "switch", "do", "else"}, Tok.getRawIdentifier());
  IsFirst = Closed = false;
  if (Tok.isOneOf(tok::l_paren, tok::l_square)) {
    ++Depth;
  } else if (Tok.is(tok::l_brace)) {
    IsOver = !Depth;
    ++Depth;
  } else if (Tok.isOneOf(tok::r_paren, tok::r_square, tok::r_brace)) {
    --Depth;
    Closed = !Depth && Tok.is(tok::r_paren);
    IsOver = Depth < 0;
  } else if (Tok.is(tok::semi)) {
    IsOver = !Depth;
  }
  return true;
}

} // namespace

unsigned lastLineAfter(StringRef Text, const Comment &C) {
  const StringRef Rest = Text.drop_front(C.Text.end() - Text.begin());
  const std::string Copy = Rest.str();
  Lexer Lex = lexerOf(Copy);
  Statement Next;
  Token Tok;
  size_t Last = 0;
  while (!Lex.LexFromRawLexer(Tok) && Next.take(Tok))
    Last = Lex.getBufferLocation() - Copy.data();
  return Last ? C.lineAt(C.Text.size()) +
                    unsigned(Rest.take_front(Last).count('\n'))
              : 0;
}

} // namespace autoprof::source
