// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Chevrons.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace autoprof::driver {

namespace {

/// Of plain C++, in which `<<<` is two tokens wherever its blanks are.
struct Piece {
  tok::TokenKind Kind;
  unsigned Offset, Length;
};

std::vector<Piece> piecesOf(llvm::StringRef Text) {
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = true;
  Lexer Lex(SourceLocation(), Options, Text.begin(), Text.begin(), Text.end());
  std::vector<Piece> Pieces;
  Token Tok;
  while (!Lex.LexFromRawLexer(Tok)) {
    const unsigned Length = Tok.getLength();
    Pieces.push_back(
        {Tok.getKind(), Lex.getCurrentBufferOffset() - Length, Length});
  }
  return Pieces;
}

/// Is this `<<` and `<`, or `>>` and `>`, or `>` and `>>`, as three chevrons?
/// Other blanks than spaces and tabs between them are left alone.
bool areChevrons(const Piece &First, const Piece &Second, bool Open,
                 llvm::StringRef Text) {
  const tok::TokenKind Two = Open ? tok::lessless : tok::greatergreater;
  const tok::TokenKind One = Open ? tok::less : tok::greater;
  const bool Match = (First.Kind == Two && Second.Kind == One) ||
                     (!Open && First.Kind == One && Second.Kind == Two);
  if (!Match)
    return false;
  const unsigned End = First.Offset + First.Length;
  return Text.slice(End, Second.Offset).trim(" \t").empty();
}

void join(std::string &Text, const Piece &First, const Piece &Second) {
  const unsigned End = Second.Offset + Second.Length;
  const char Chevron = Text[First.Offset];
  for (unsigned I = First.Offset; I < End; ++I)
    Text[I] = I < First.Offset + 3 ? Chevron : ' ';
}

/// The index of the first of the closing chevrons of the launch whose opening
/// ones end before `Begin`; 0 if there are none before the statement ends.
size_t findClosing(llvm::ArrayRef<Piece> Pieces, size_t Begin,
                   llvm::StringRef Text) {
  int Depth = 0;
  for (size_t I = Begin; I + 1 < Pieces.size(); ++I) {
    switch (Pieces[I].Kind) {
    case tok::l_paren:
    case tok::l_brace:
    case tok::l_square:
      ++Depth;
      continue;
    case tok::r_paren:
    case tok::r_brace:
    case tok::r_square:
      if (--Depth < 0)
        return 0;
      continue;
    case tok::semi:
      return 0;
    default:
      if (!Depth && areChevrons(Pieces[I], Pieces[I + 1], false, Text))
        return I;
    }
  }
  return 0;
}

/// Of the arguments between chevrons, those that are lists in braces. Empty
/// ones stay: parentheses could hold nothing.
void replaceBraces(std::string &Text, llvm::ArrayRef<Piece> Arguments) {
  int Depth = 0;
  bool Replacing = false;
  for (size_t I = 0; I < Arguments.size(); ++I) {
    const tok::TokenKind Kind = Arguments[I].Kind;
    if (Kind == tok::l_paren || Kind == tok::l_brace || Kind == tok::l_square) {
      const bool IsArgument = !I || Arguments[I - 1].Kind == tok::comma;
      const bool IsEmpty =
          I + 1 < Arguments.size() && Arguments[I + 1].Kind == tok::r_brace;
      if (!Depth++ && Kind == tok::l_brace && IsArgument && !IsEmpty) {
        Text[Arguments[I].Offset] = '(';
        Replacing = true;
      }
    } else if (Kind == tok::r_paren || Kind == tok::r_brace ||
               Kind == tok::r_square) {
      if (!--Depth && Replacing) {
        Text[Arguments[I].Offset] = ')';
        Replacing = false;
      }
    }
  }
}

} // namespace

std::string withClangsChevrons(llvm::StringRef Text) {
  std::string Result = Text.str();
  // The lexer wants a zero behind the end, which a std::string has.
  const std::string Original = Result;
  if (!llvm::StringRef(Original).contains("<<"))
    return Result;
  const std::vector<Piece> Pieces = piecesOf(Original);
  for (size_t I = 0; I + 1 < Pieces.size(); ++I) {
    if (!areChevrons(Pieces[I], Pieces[I + 1], true, Original))
      continue;
    const size_t Closing = findClosing(Pieces, I + 2, Original);
    if (!Closing)
      continue;
    join(Result, Pieces[I], Pieces[I + 1]);
    join(Result, Pieces[Closing], Pieces[Closing + 1]);
    replaceBraces(Result, llvm::ArrayRef(Pieces).slice(I + 2, Closing - I - 2));
    I = Closing + 1;
  }
  return Result;
}

} // namespace autoprof::driver
