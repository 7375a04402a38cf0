// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tree/Prologue.h"

#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::tree {

namespace {

const StringRef ByteOrderMark = "\xEF\xBB\xBF";

StringRef lineEnd(StringRef Text) {
  size_t End = Text.find('\n');
  return End != StringRef::npos && End > 0 && Text[End - 1] == '\r' ? "\r\n"
                                                                    : "\n";
}

struct Lexeme {
  size_t Begin, End;
  bool StartsLine, IsComment, IsHash;
  StringRef Text;
};

std::vector<Lexeme> lex(const std::string &Text) {
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true;
  const char *Start = Text.data();
  Lexer Raw(SourceLocation(), Options, Start, Start, Start + Text.size());
  Raw.SetCommentRetentionState(true);
  std::vector<Lexeme> Result;
  Token Tok;
  while (!Raw.LexFromRawLexer(Tok)) {
    const size_t End = Raw.getBufferLocation() - Start;
    const size_t Begin = End - Tok.getLength();
    Result.push_back({Begin, End, Tok.isAtStartOfLine(), Tok.is(tok::comment),
                      Tok.is(tok::hash), StringRef(Text).slice(Begin, End)});
  }
  return Result;
}

/// Examines the lines before the first token that is not part of a directive.
class FreeLine {
public:
  explicit FreeLine(StringRef Text)
      : Text(Text.str()), Tokens(lex(this->Text)), Guard(findGuard()) {}

  /// The offset of the start of the best free line.
  std::optional<size_t> find();

private:
  StringRef directive(size_t Hash) const {
    return Hash + 1 < Tokens.size() && !Tokens[Hash + 1].StartsLine
               ? Tokens[Hash + 1].Text
               : StringRef();
  }
  bool isDirective(size_t I) const {
    return Tokens[I].IsHash && Tokens[I].StartsLine;
  }
  std::optional<size_t> findGuard() const;
  std::optional<size_t> blankLine(size_t From, size_t To) const;
  bool isFreeComment(size_t I) const;

  const std::string Text;
  const std::vector<Lexeme> Tokens;
  const std::optional<size_t> Guard; ///< Index of its #ifndef.
};

/// Finds an #if that is the first directive, has no #else, and whose #endif
/// ends the file.
std::optional<size_t> FreeLine::findGuard() const {
  std::optional<size_t> First;
  int Depth = 0;
  for (size_t I = 0; I < Tokens.size(); ++I) {
    if (Tokens[I].IsComment)
      continue;
    if (!isDirective(I)) {
      if (!First || Depth == 0)
        return std::nullopt;
      continue;
    }
    StringRef Name = directive(I);
    if (!First) {
      if (!Name.starts_with("if"))
        return std::nullopt;
      First = I;
    } else if (Depth == 0 || (Depth == 1 && Name.starts_with("el"))) {
      return std::nullopt;
    }
    Depth += Name.starts_with("if") ? 1 : Name == "endif" ? -1 : 0;
    // The rest of a directive's line is not examined.
    while (I + 1 < Tokens.size() && !Tokens[I + 1].StartsLine)
      ++I;
  }
  return Depth == 0 ? First : std::nullopt;
}

/// Finds a line between two tokens that has only blanks.
std::optional<size_t> FreeLine::blankLine(size_t From, size_t To) const {
  StringRef Gap = StringRef(Text).slice(From, To);
  if (Gap.contains('\\')) // The next line belongs to this one.
    return std::nullopt;
  // The first line of the gap belongs to the previous token, if there is one.
  size_t Pos = 0;
  if (From != 0 && StringRef(Text).take_front(From) != ByteOrderMark) {
    Pos = Gap.find('\n');
    if (Pos == StringRef::npos)
      return std::nullopt;
    ++Pos;
  }
  return Gap.find('\n', Pos) == StringRef::npos
             ? std::nullopt
             : std::optional<size_t>(From + Pos);
}

/// Whether it is a comment with nothing else on its lines.
bool FreeLine::isFreeComment(size_t I) const {
  return Tokens[I].IsComment && Tokens[I].StartsLine &&
         (I + 1 == Tokens.size() || Tokens[I + 1].StartsLine);
}

std::optional<size_t> FreeLine::find() {
  std::optional<size_t> Comment;
  int Depth = 0;
  size_t End = StringRef(Text).starts_with(ByteOrderMark) ? 3 : 0;
  for (size_t I = 0; I < Tokens.size(); ++I) {
    if (Depth == 0) {
      if (std::optional<size_t> Blank = blankLine(End, Tokens[I].Begin))
        return Blank;
      if (!Comment && isFreeComment(I))
        Comment = Tokens[I].Begin;
    }
    End = Tokens[I].End;
    if (Tokens[I].IsComment)
      continue;
    if (!isDirective(I))
      break;
    StringRef Name = directive(I);
    if (I != Guard)
      Depth += Name.starts_with("if") ? 1 : Name == "endif" ? -1 : 0;
    while (I + 1 < Tokens.size() && !Tokens[I + 1].StartsLine)
      End = Tokens[++I].End;
  }
  return Comment;
}

} // namespace

source::Edit includeIn(StringRef Text, StringRef Header) {
  source::Edit Result;
  Result.Text = ("#include \"" + Header + "\"").str();
  if (std::optional<size_t> Line = FreeLine(Text).find()) {
    Result.Offset = *Line;
    if (Text.substr(*Line).starts_with("/"))
      Result.Text += ' ';
    return Result;
  }
  StringRef Eol = lineEnd(Text);
  Result.Offset = Text.starts_with(ByteOrderMark) ? 3 : 0;
  Result.Text += (Eol + "#line 1" + Eol).str();
  return Result;
}

source::Edit appendLines(StringRef Text, llvm::ArrayRef<std::string> Lines) {
  source::Edit Result;
  Result.Offset = Text.size();
  StringRef Eol = lineEnd(Text);
  StringRef Whole = Text.rtrim('\n').rtrim('\r');
  if (!Text.ends_with("\n") || Whole.ends_with("\\"))
    Result.Text = Eol.str();
  for (const std::string &Line : Lines)
    Result.Text += Line + Eol.str();
  return Result;
}

std::string headerFor(StringRef RelativePath) {
  std::string Result;
  for (size_t Depth = RelativePath.count('/'); Depth; --Depth)
    Result += "../";
  return Result + "autoprof/annotated.h";
}

} // namespace autoprof::tree
