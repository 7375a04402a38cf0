// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/Chevrons.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace clang;

namespace autoprof::sources {

namespace {

/// A token of plain C++, in which `<<<` is two tokens wherever it has blanks.
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

/// Whether `<<` and `<`, or `>>` and `>`, or `>` and `>>`, form three chevrons.
/// Blanks between them other than spaces and tabs are not supported.
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

/// Replaces the braces of arguments between chevrons that are lists. Empty
/// lists stay, because parentheses cannot be empty.
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

/// Whether there may be a `<<<`, however it is spelled. A quick check, because
/// it runs for all headers.
bool mayHoldLaunch(llvm::StringRef Text) {
  for (size_t Pos = 0; (Pos = Text.find("<<", Pos)) != llvm::StringRef::npos;) {
    Pos += 2;
    if (Text.drop_front(Pos).ltrim(" \t").starts_with("<"))
      return true;
  }
  return false;
}

class RespelledFile : public llvm::vfs::File {
  std::unique_ptr<llvm::vfs::File> Original;

public:
  explicit RespelledFile(std::unique_ptr<llvm::vfs::File> Original)
      : Original(std::move(Original)) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override {
    return Original->status();
  }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &Name, int64_t FileSize,
            bool RequiresNullTerminator, bool IsVolatile) override {
    auto Text =
        Original->getBuffer(Name, FileSize, RequiresNullTerminator, IsVolatile);
    if (!Text || !mayHoldLaunch((*Text)->getBuffer()))
      return Text;
    return llvm::MemoryBuffer::getMemBufferCopy(
        withClangsChevrons((*Text)->getBuffer()), Name);
  }
  std::error_code close() override { return Original->close(); }
};

class RespelledFiles : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override {
    auto Found = ProxyFileSystem::openFileForRead(Path);
    if (!Found)
      return Found;
    return std::make_unique<RespelledFile>(std::move(*Found));
  }
};

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
inClangsSpelling(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files) {
  return llvm::makeIntrusiveRefCnt<RespelledFiles>(std::move(Files));
}

std::string withClangsChevrons(llvm::StringRef Text) {
  std::string Result = Text.str();
  // The lexer requires a zero after the end, which a std::string has.
  const std::string Original = Result;
  if (!mayHoldLaunch(Original))
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

} // namespace autoprof::sources
