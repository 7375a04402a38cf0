// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/project/Suppressions.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

static constexpr StringRef Keyword = "autoprof:skip";

namespace {

/// Walks over the tokens of a file, comments included.
class CommentReader {
  StringRef Text;
  Suppressions::File Result;
  unsigned Line = 1; ///< Of Done.
  size_t Done = 0;
  unsigned CodeLine = 0;     ///< Of the last token that is no comment.
  unsigned RegionBegin = 0;  ///< 0: none is open.
  unsigned WaitingSince = 0; ///< A comment alone on its line; 0: none.

  unsigned lineAt(size_t Offset) {
    Line += Text.slice(Done, Offset).count('\n');
    Done = Offset;
    return Line;
  }
  void comment(StringRef Comment, unsigned At);
  void code(unsigned At) {
    if (WaitingSince)
      Result.Marked.try_emplace(At, WaitingSince);
    WaitingSince = 0;
    CodeLine = At;
  }

public:
  explicit CommentReader(StringRef Text) : Text(Text) {}
  Suppressions::File read();
};

void CommentReader::comment(StringRef Comment, unsigned At) {
  size_t Found = Comment.find(Keyword);
  if (Found == StringRef::npos)
    return;
  At += Comment.take_front(Found).count('\n');
  StringRef Which =
      Comment.drop_front(Found + Keyword.size()).take_while([](char C) {
        return C == '-' || isalpha(C);
      });
  if (Which == "-file") {
    Result.Whole = At;
  } else if (Which == "-begin") {
    RegionBegin = RegionBegin ? RegionBegin : At;
  } else if (Which == "-end" && RegionBegin) {
    Result.Regions.push_back({RegionBegin, At});
    RegionBegin = 0;
  } else if (Which.empty() && CodeLine == At) {
    Result.Marked.try_emplace(At, At);
  } else if (Which.empty()) {
    WaitingSince = At;
  }
}

Suppressions::File CommentReader::read() {
  // The lexer wants a zero behind the text.
  const std::string Copy = Text.str();
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true;
  Lexer Lex(SourceLocation(), Options, Copy.data(), Copy.data(),
            Copy.data() + Copy.size());
  Lex.SetCommentRetentionState(true);
  Token Tok;
  while (!Lex.LexFromRawLexer(Tok)) {
    const size_t End = Lex.getBufferLocation() - Copy.data();
    const size_t Begin = End - Tok.getLength();
    if (Tok.is(tok::comment))
      comment(Text.slice(Begin, End), lineAt(Begin));
    else
      code(lineAt(Begin));
  }
  if (RegionBegin)
    Result.Regions.push_back({RegionBegin, ~0u});
  return std::move(Result);
}

} // namespace

Suppressions::File Suppressions::read(StringRef Text) {
  if (!Text.contains(Keyword))
    return File();
  return CommentReader(Text).read();
}

const Suppressions::File &Suppressions::file(SourceLocation Loc) {
  if (!Preprocessed) {
    FileID Id = SM.getFileID(Loc);
    auto [It, New] = ById.try_emplace(Id);
    if (New)
      It->second = read(SM.getBufferData(Id));
    return It->second;
  }
  auto [It, New] = ByName.try_emplace(SM.getPresumedLoc(Loc).getFilename());
  if (New)
    if (OptionalFileEntryRef Entry =
            SM.getFileManager().getOptionalFileRef(It->first()))
      if (auto Text = SM.getFileManager().getBufferForFile(*Entry))
        It->second = read((*Text)->getBuffer());
  return It->second;
}

static std::string comment(StringRef Which, unsigned Line) {
  return ("// " + Keyword + Which + " in line " + llvm::Twine(Line)).str();
}

std::string Suppressions::why(SourceLocation Begin, SourceLocation End) {
  Begin = SM.getFileLoc(Begin);
  if (Begin.isInvalid() || SM.isLoadedSourceLocation(Begin) ||
      SM.getPresumedLoc(Begin).isInvalid())
    return "";
  const File &F = file(Begin);
  if (F.empty())
    return "";
  auto LineOf = [this](SourceLocation Loc) {
    return Preprocessed ? SM.getPresumedLineNumber(Loc)
                        : SM.getSpellingLineNumber(Loc);
  };
  const unsigned Line = LineOf(Begin);
  if (F.Whole)
    return comment("-file", F.Whole);
  for (auto [First, Last] : F.Regions)
    if (Line >= First && Line <= Last)
      return comment("-begin", First);
  auto Mark = F.Marked.find(Line);
  if (Mark == F.Marked.end() && End.isValid()) {
    // Only a comment behind the code, not one before the next line.
    unsigned Last = LineOf(SM.getFileLoc(End));
    Mark = F.Marked.find(Last);
    if (Mark != F.Marked.end() && Mark->second != Last)
      Mark = F.Marked.end();
  }
  return Mark == F.Marked.end() ? "" : comment("", Mark->second);
}

} // namespace autoprof::source
