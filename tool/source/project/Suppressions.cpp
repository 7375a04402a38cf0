// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/project/Suppressions.h"

#include "config/Suggestion.h"
#include "source/project/Comments.h"

#include "clang/Basic/FileManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

static constexpr StringRef Prefix = "autoprof:";
static constexpr StringRef Keyword = "autoprof:skip";
static constexpr StringRef Words[] = {"skip", "skip-begin", "skip-end",
                                      "skip-file", "allow"};

static StringRef wordAt(StringRef Text) {
  return Text.take_while(
      [](char Letter) { return Letter == '-' || llvm::isAlpha(Letter); });
}

/// The word after "autoprof:" that the user may have meant as one of Words, or
/// "". Other words are mistakes only at the beginning of a comment: the text of
/// a comment may be about anything.
static StringRef unknownWord(const Comment &C) {
  const size_t Found = C.Text.find(Prefix);
  if (Found == StringRef::npos)
    return "";
  const StringRef Word = wordAt(C.Text.drop_front(Found + Prefix.size()));
  if (Word.empty() || llvm::is_contained(Words, Word))
    return "";
  const bool IsFirst = C.Text.take_front(Found).trim("/*!< \t\n").empty();
  return IsFirst || !nearest(Word, Words).empty() ? Word : "";
}

Suppressions::File Suppressions::read(StringRef Text) {
  File Result;
  if (!Text.contains(Prefix))
    return Result;
  unsigned RegionBegin = 0; // 0: none is open.
  for (const Comment &C : readComments(Text)) {
    if (StringRef Word = unknownWord(C); !Word.empty())
      Result.Unknown.push_back(
          {C.lineAt(C.Text.find(Prefix)), (Prefix + Word).str()});
    const size_t Found = C.Text.find(Keyword);
    if (Found == StringRef::npos)
      continue;
    const unsigned Line = C.lineAt(Found);
    const StringRef Names = wordAt(C.Text.drop_front(Found + Keyword.size()));
    if (Names == "-file") {
      Result.Whole = Line;
    } else if (Names == "-begin") {
      RegionBegin = RegionBegin ? RegionBegin : Line;
    } else if (Names == "-end" && RegionBegin) {
      Result.Regions.push_back({RegionBegin, Line});
      RegionBegin = 0;
    } else if (Names.empty() && C.CodeLine == Line) {
      Result.Marked.try_emplace(Line, Line);
    } else if (Names.empty() && C.NextLine) {
      Result.Marked.insert_or_assign(C.NextLine, Line);
    }
  }
  if (RegionBegin)
    Result.Regions.push_back({RegionBegin, ~0u});
  return Result;
}

void Suppressions::warn(const File &F, StringRef Name) {
  for (const auto &[Line, Comment] : F.Unknown)
    Warnings.push_back(
        (Name + ":" + llvm::Twine(Line) + ": warning: autoprof: the comment '" +
         Comment + "' has no effect; known are " + Prefix +
         llvm::join(llvm::ArrayRef(Words), (", " + Prefix).str()) + "(RULE)")
            .str());
}

const Suppressions::File &Suppressions::file(SourceLocation Loc) {
  if (!Preprocessed) {
    FileID Id = SM.getFileID(Loc);
    auto [It, New] = ById.try_emplace(Id);
    if (New) {
      It->second = read(SM.getBufferData(Id));
      warn(It->second, SM.getFilename(Loc));
    }
    return It->second;
  }
  auto [It, New] = ByName.try_emplace(SM.getPresumedLoc(Loc).getFilename());
  if (New)
    if (OptionalFileEntryRef Entry =
            SM.getFileManager().getOptionalFileRef(It->first()))
      if (auto Text = SM.getFileManager().getBufferForFile(*Entry)) {
        It->second = read((*Text)->getBuffer());
        warn(It->second, It->first());
      }
  return It->second;
}

static std::string comment(StringRef Names, unsigned Line) {
  return ("// " + Keyword + Names + " on line " + llvm::Twine(Line)).str();
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
    // Only a comment after the code, not one before the next line.
    unsigned Last = LineOf(SM.getFileLoc(End));
    Mark = F.Marked.find(Last);
    if (Mark != F.Marked.end() && Mark->second != Last)
      Mark = F.Marked.end();
  }
  return Mark == F.Marked.end() ? "" : comment("", Mark->second);
}

} // namespace autoprof::source
