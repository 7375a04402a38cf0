// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/Edits.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace autoprof::source {

std::vector<Insertion> insertionsOf(llvm::ArrayRef<Edit> Changes) {
  std::vector<const Edit *> InOrder;
  for (const Edit &E : Changes)
    InOrder.push_back(&E);
  llvm::sort(InOrder, [](const Edit *A, const Edit *B) {
    return std::tie(A->Offset, A->Order, A) < std::tie(B->Offset, B->Order, B);
  });
  // What closes stands before what opens at the same offset, and what opened
  // last closes first.
  std::multimap<unsigned, llvm::StringRef> Texts;
  for (const Edit *E : llvm::reverse(InOrder))
    if (!E->Closing.empty())
      Texts.emplace(E->End, E->Closing);
  for (const Edit *E : InOrder)
    Texts.emplace(E->Offset, E->Text);
  std::vector<Insertion> Result;
  for (const auto &[Offset, Text] : Texts)
    Result.push_back({Offset, Text});
  return Result;
}

std::string rewrite(llvm::StringRef Original, llvm::ArrayRef<Edit> Changes) {
  std::string Result;
  size_t From = 0;
  for (const Insertion &I : insertionsOf(Changes)) {
    Result += Original.slice(From, I.Offset);
    Result += I.Text;
    From = I.Offset;
  }
  return Result += Original.substr(From);
}

unsigned EditedFile::originalOffset(unsigned Rewritten) const {
  size_t Inserted = 0;
  for (const Insertion &I : insertionsOf(Changes)) {
    size_t Begin = I.Offset + Inserted;
    if (Rewritten < Begin)
      break;
    if (Rewritten < Begin + I.Text.size())
      return I.Offset;
    Inserted += I.Text.size();
  }
  return std::min(Rewritten - Inserted, Original.size());
}

unsigned EditedFile::originalColumn(unsigned Line, unsigned Column) const {
  size_t Start = 0;
  for (unsigned L = 1; L < Line && Start != std::string::npos; ++L) {
    Start = Original.find('\n', Start);
    Start += Start != std::string::npos;
  }
  if (Start == std::string::npos)
    return Column;
  size_t InsertedBefore = 0;
  for (const Insertion &I : insertionsOf(Changes))
    if (I.Offset < Start)
      InsertedBefore += I.Text.size();
  return originalOffset(Start + InsertedBefore + Column - 1) - Start + 1;
}

bool Edits::insert(SourceLocation At, Rank Order, const std::string &Text,
                   SourceLocation End, llvm::StringRef Closing) {
  auto [Id, Offset] = SM.getDecomposedLoc(At);
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(Id);
  if (!Entry || IsTaken(*Entry, Offset))
    return false;
  File &F = Files.try_emplace(&Entry->getFileEntry(), File{*Entry, Id, {}})
                .first->second;
  std::vector<Recorded> &Here = F.Places[{Offset, Order}];
  for (const Recorded &R : Here)
    if (R.Change.Text == Text)
      return true;
  for (const Recorded &R : Here)
    if (R.From != Id)
      return false;
  Edit New{Offset, Order, Text, Offset, Closing.str()};
  if (End.isValid())
    New.End = SM.getFileOffset(End);
  Here.push_back({Id, std::move(New)});
  return true;
}

std::vector<EditedFile>
Edits::take(llvm::function_ref<llvm::StringRef(FileID)> TextOf) const {
  std::vector<EditedFile> Result;
  for (const auto &[Entry, F] : Files) {
    EditedFile Out{F.Entry, TextOf(F.Id).str(), {}};
    for (const auto &[Place, Here] : F.Places)
      for (const Recorded &R : Here)
        Out.Changes.push_back(R.Change);
    Result.push_back(std::move(Out));
  }
  // Not in the order of pointers: what is printed must not vary.
  llvm::sort(Result, [](const EditedFile &A, const EditedFile &B) {
    return A.File.getName() < B.File.getName();
  });
  return Result;
}

} // namespace autoprof::source
