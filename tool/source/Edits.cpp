// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/Edits.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace autoprof::source {

std::string EditedFile::rewritten() const {
  std::string Result;
  size_t From = 0;
  for (const Insertion &I : Insertions) {
    Result.append(Original, From, I.Offset - From);
    Result += I.Text;
    From = I.Offset;
  }
  return Result.append(Original, From, std::string::npos);
}

unsigned EditedFile::originalOffset(unsigned Rewritten) const {
  size_t Inserted = 0;
  for (const Insertion &I : Insertions) {
    size_t Begin = I.Offset + Inserted;
    if (Rewritten < Begin)
      break;
    if (Rewritten < Begin + I.Text.size())
      return I.Offset;
    Inserted += I.Text.size();
  }
  return std::min(Rewritten - Inserted, Original.size());
}

bool Edits::insert(SourceLocation At, Rank Order, const std::string &Text,
                   SourceLocation End, llvm::StringRef Closing) {
  auto [Id, Offset] = SM.getDecomposedLoc(At);
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(Id);
  if (!Entry || IsTaken(*Entry, Offset))
    return false;
  File &F = Files.try_emplace(&Entry->getFileEntry(), File{*Entry, Id, {}})
                .first->second;
  std::vector<Piece> &Pieces = F.Offsets[Offset].Opening[Order];
  for (const Piece &P : Pieces)
    if (P.Text == Text)
      return true;
  for (const Piece &P : Pieces)
    if (P.From != Id)
      return false;
  Pieces.push_back({Id, Text});
  if (End.isValid())
    F.Offsets[SM.getFileOffset(End)].Closing += Closing;
  return true;
}

std::vector<EditedFile>
Edits::take(llvm::function_ref<llvm::StringRef(FileID)> TextOf) const {
  std::vector<EditedFile> Result;
  for (const auto &[Entry, F] : Files) {
    EditedFile Out{F.Entry, TextOf(F.Id).str(), {}};
    for (const auto &[Offset, At] : F.Offsets) {
      std::string Text = At.Closing;
      for (const auto &[Order, Pieces] : At.Opening)
        for (const Piece &P : Pieces)
          Text += P.Text;
      Out.Insertions.push_back({Offset, std::move(Text)});
    }
    Result.push_back(std::move(Out));
  }
  // Not in the order of pointers: what is printed must not vary.
  llvm::sort(Result, [](const EditedFile &A, const EditedFile &B) {
    return A.File.getName() < B.File.getName();
  });
  return Result;
}

} // namespace autoprof::source
