// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/text/Rewriting.h"

#include "source/project/UserFiles.h"
#include "support/Archive.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

const EditedFile *Rewriting::find(FileEntryRef File) const {
  for (const EditedFile &F : Files)
    if (F.File == File)
      return &F;
  return nullptr;
}

void Rewriting::addTable(FileEntryRef Main, StringRef Text,
                         const ProbeText &Probes, StringRef Step) {
  std::string Lines =
      Text.ends_with("\n") && !Text.ends_with("\\\n") ? "" : "\n";
  for (const std::string &Rows : tableRows(Sites, Step, Probes.longestTable()))
    Lines += Probes.table(Rows) + "\n";
  auto File =
      llvm::find_if(Files, [&](const EditedFile &F) { return F.File == Main; });
  if (File == Files.end())
    File = Files.insert(Files.end(), {Main, Text.str(), {}});
  Edit Table;
  Table.Offset = Text.size();
  Table.Text = std::move(Lines);
  File->Changes.push_back(std::move(Table));
}

template <typename V> static void visit(V &Archive, Edit &E) {
  Archive(E.Offset, E.Order, E.Text, E.End, E.Closing);
}
template <typename V> static void visit(V &Archive, Site &S) {
  Archive(S.Id, S.Kind, S.Location, S.Function, S.Callee);
}

namespace {
/// The part of an EditedFile that is sent.
struct FileEdits {
  std::string Name, Original;
  std::vector<Edit> Changes;
};
template <typename V> void visit(V &Archive, FileEdits &F) {
  Archive(F.Name, F.Original, F.Changes);
}
} // namespace

/// Visits everything of a Rewriting but the files.
template <typename V> static void visit(V &Archive, Rewriting &R) {
  Archive(R.Sites, R.NotInstrumented, R.Warnings, R.Root, R.AtRisk);
}

std::string serialize(Rewriting R) {
  std::vector<FileEdits> Edits;
  for (EditedFile &F : R.Files)
    Edits.push_back(
        {F.File.getName().str(), std::move(F.Original), std::move(F.Changes)});
  support::ArchiveWriter Out;
  Out(Edits, R);
  return std::move(Out.Bytes);
}

std::optional<Rewriting> deserialize(StringRef Bytes, FileManager &Files) {
  support::ArchiveReader Reader(Bytes);
  Rewriting R;
  std::vector<FileEdits> Edits;
  Reader(Edits, R);
  if (Reader.Damaged || !Reader.atEnd())
    return std::nullopt;
  for (FileEdits &E : Edits) {
    OptionalFileEntryRef File = Files.getOptionalFileRef(E.Name);
    if (!File)
      return std::nullopt;
    R.Files.push_back({*File, std::move(E.Original), std::move(E.Changes)});
  }
  return R;
}

} // namespace autoprof::source
