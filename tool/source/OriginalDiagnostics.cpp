// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/OriginalDiagnostics.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Basic/SourceManagerInternals.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::StringRef;
using llvm::Twine;

namespace autoprof::source {

OriginalDiagnostics *OriginalDiagnostics::install(DiagnosticsEngine &Diags) {
  auto *Self = new OriginalDiagnostics(Diags.getSourceManager());
  Self->Client = Diags.getClient();
  if (Diags.ownsClient())
    Self->Owned = Diags.takeClient();
  // What was reported so far stays counted.
  Self->NumErrors = Self->Client->getNumErrors();
  Self->NumWarnings = Self->Client->getNumWarnings();
  Diags.setClient(Self, /*ShouldOwnClient=*/true);
  return Self;
}

void OriginalDiagnostics::show(EditedFile File) {
  // SARIF logs name files by their real path, which only the real file has.
  if (SM.getDiagnostics().getDiagnosticOptions().getFormat() ==
      DiagnosticOptions::SARIF)
    return;
  auto Known = llvm::find_if(
      Files, [&](const EditedFile &F) { return F.File == File.File; });
  if (Known != Files.end())
    Known->Changes = std::move(File.Changes);
  else
    Files.push_back(std::move(File));
}

const EditedFile *OriginalDiagnostics::editedFile(FileID Id) const {
  const FileEntry *Entry = SM.getFileEntryForID(Id);
  for (const EditedFile &F : Files)
    if (Entry == &F.File.getFileEntry())
      return &F;
  return nullptr;
}

bool OriginalDiagnostics::isInserted(SourceLocation Loc) const {
  if (Loc.isInvalid() || SM.isLoadedSourceLocation(Loc))
    return false;
  auto [Id, Offset] = SM.getDecomposedExpansionLoc(Loc);
  const EditedFile *File = editedFile(Id);
  if (!File)
    return false;
  unsigned Inserted = 0;
  for (const Insertion &I : insertionsOf(File->Changes)) {
    unsigned Begin = I.Offset + Inserted;
    if (Offset < Begin)
      return false;
    if (Offset < Begin + I.Text.size())
      return true;
    Inserted += I.Text.size();
  }
  return false;
}

/// Lines are the same in both texts, so #line and line markers are, too. They
/// are read as the compiler goes on, so each message brings the table up to
/// date.
void OriginalDiagnostics::copyLineDirectives(FileID Rewritten, FileID Original,
                                             const EditedFile &File) {
  if (!SM.hasLineTable())
    return;
  LineTableInfo &Table = SM.getLineTable();
  auto Lines = llvm::find_if(
      Table, [&](const auto &Entry) { return Entry.first == Rewritten; });
  if (Lines == Table.end() || Lines->second.empty())
    return;
  std::vector<LineEntry> Entries = Lines->second;
  for (LineEntry &E : Entries) {
    E.FileOffset = File.originalOffset(E.FileOffset);
    E.IncludeOffset = File.originalOffset(E.IncludeOffset);
  }
  // AddLineNote is what marks a file as one that has line directives.
  const LineEntry &First = Entries.front();
  SM.AddLineNote(SM.getLocForStartOfFile(Original), First.LineNo,
                 First.FilenameID, /*IsFileEntry=*/false, /*IsFileExit=*/false,
                 First.FileKind);
  Table.AddEntry(Original, Entries);
}

FileID OriginalDiagnostics::originalFile(FileID Rewritten,
                                         const EditedFile &File) {
  FileID &Original = Originals[Rewritten];
  if (Original.isInvalid()) {
    SourceLocation Start = SM.getLocForStartOfFile(Rewritten);
    SourceLocation Included = original(SM.getIncludeLoc(Rewritten));
    SrcMgr::CharacteristicKind Kind = SM.getFileCharacteristic(Start);
    FileEntryRef Entry = *SM.getFileEntryRefForID(Rewritten);
    Original = SM.createFileID(
        llvm::MemoryBuffer::getMemBufferCopy(File.Original, Entry.getName()),
        Kind, 0, 0, Included);
  }
  copyLineDirectives(Rewritten, Original, File);
  return Original;
}

/// The start of an expansion whose tokens come from, or stand in, original
/// text.
SourceLocation OriginalDiagnostics::originalExpansion(FileID Id) {
  const SrcMgr::ExpansionInfo Info = SM.getSLocEntry(Id).getExpansion();
  SourceLocation &Result = Expansions[Id];
  if (Result.isValid())
    return Result;
  SourceLocation Spelling = original(Info.getSpellingLoc());
  SourceLocation Start = original(Info.getExpansionLocStart());
  unsigned Length = SM.getFileIDSize(Id);
  if (Info.isMacroArgExpansion())
    return Result = SM.createMacroArgExpansionLoc(Spelling, Start, Length);
  SourceLocation End = original(Info.getExpansionLocEnd());
  if (Spelling == Info.getSpellingLoc() && Start == Info.getExpansionLocStart())
    return Result = SM.getComposedLoc(Id, 0);
  return Result = SM.createExpansionLoc(Spelling, Start, End, Length,
                                        Info.isExpansionTokenRange());
}

SourceLocation OriginalDiagnostics::original(SourceLocation Loc) {
  if (Loc.isInvalid() || SM.isLoadedSourceLocation(Loc))
    return Loc;
  auto [Id, Offset] = SM.getDecomposedLoc(Loc);
  if (Loc.isMacroID())
    return originalExpansion(Id).getLocWithOffset(Offset);
  const EditedFile *File = editedFile(Id);
  if (!File)
    return Loc;
  FileID Original = originalFile(Id, *File);
  if (Original.isInvalid()) // out of source locations
    return Loc;
  return SM.getComposedLoc(Original, File->originalOffset(Offset));
}

CharSourceRange OriginalDiagnostics::original(CharSourceRange Range) {
  // A range that ends in a probe's closing text ends before the place of it.
  const bool ToEndOfToken = Range.isTokenRange() && !isInserted(Range.getEnd());
  return CharSourceRange({original(Range.getBegin()), original(Range.getEnd())},
                         ToEndOfToken);
}

/// Types without a name are called by their place: "(lambda at a.cu:8:22)".
std::string OriginalDiagnostics::originalMessage(StringRef Message) const {
  std::string Result;
  for (;;) {
    auto [Text, Rest] = Message.split(" at ");
    Result += Text;
    if (Text.size() == Message.size())
      return Result;
    Result += " at ";
    Message = Rest;
    for (const EditedFile &F : Files) {
      StringRef Place = Rest;
      unsigned Line, Column;
      if (!Place.consume_front(F.File.getName()) || !Place.consume_front(":") ||
          Place.consumeInteger(10, Line) || !Place.consume_front(":") ||
          Place.consumeInteger(10, Column) || !Place.starts_with(")"))
        continue;
      Result += (F.File.getName() + ":" + Twine(Line) + ":" +
                 Twine(F.originalColumn(Line, Column)))
                    .str();
      Message = Place;
      break;
    }
  }
}

void OriginalDiagnostics::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                           const Diagnostic &Info) {
  if (Level != DiagnosticsEngine::Note)
    Dropping =
        Level < DiagnosticsEngine::Error && isInserted(Info.getLocation());
  if (Dropping)
    return;
  DiagnosticConsumer::HandleDiagnostic(Level, Info); // counts
  SourceLocation Loc = original(Info.getLocation());
  llvm::SmallString<256> Formatted;
  Info.FormatDiagnostic(Formatted);
  const std::string Message = originalMessage(Formatted);
  if (Loc == Info.getLocation() && Message == Formatted)
    return Client->HandleDiagnostic(Level, Info);
  DiagnosticStorage Moved;
  for (const CharSourceRange &Range : Info.getRanges())
    Moved.DiagRanges.push_back(original(Range));
  for (FixItHint Hint : Info.getFixItHints()) {
    Hint.RemoveRange = original(Hint.RemoveRange);
    Hint.InsertFromRange = original(Hint.InsertFromRange);
    Moved.FixItHints.push_back(Hint);
  }
  Client->HandleDiagnostic(
      Level, Diagnostic(Info.getDiags(), Loc, Info.getID(), Moved, Message));
}

} // namespace autoprof::source
