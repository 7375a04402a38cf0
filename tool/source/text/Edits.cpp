// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/text/Edits.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace autoprof::source {

std::string rewrite(llvm::StringRef Original, llvm::ArrayRef<Edit> Changes) {
  std::vector<const Edit *> InOrder;
  for (const Edit &E : Changes)
    InOrder.push_back(&E);
  llvm::sort(InOrder, [](const Edit *A, const Edit *B) {
    return std::tie(A->Offset, A->Order, A) < std::tie(B->Offset, B->Order, B);
  });
  // At one offset, closing text precedes opening text, and what was opened last
  // is closed first.
  std::multimap<unsigned, llvm::StringRef> Texts;
  for (const Edit *E : llvm::reverse(InOrder))
    if (!E->Closing.empty())
      Texts.emplace(E->End, E->Closing);
  for (const Edit *E : InOrder)
    Texts.emplace(E->Offset, E->Text);
  std::string Result;
  size_t From = 0;
  for (const auto &[Offset, Text] : Texts) {
    Result += Original.slice(From, Offset);
    Result += Text;
    From = Offset;
  }
  return Result += Original.substr(From);
}

bool Edits::insert(SourceLocation Loc, Rank Order, const std::string &Text,
                   SourceLocation End, llvm::StringRef Closing) {
  auto [Id, Offset] = SM.getDecomposedLoc(Loc);
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(Id);
  if (!Entry)
    return false;
  File &F = Files.try_emplace(&Entry->getFileEntry(), File{*Entry, Id, {}})
                .first->second;
  std::vector<Recorded> &Insertions = F.Places[{Offset, Order}];
  for (const Recorded &R : Insertions)
    if (R.Change.Text == Text)
      return true;
  for (const Recorded &R : Insertions)
    if (R.Inclusion != Id)
      return false;
  Edit New{Offset, Order, Text, Offset, Closing.str()};
  if (End.isValid())
    New.End = SM.getFileOffset(End);
  Insertions.push_back({Id, std::move(New)});
  return true;
}

std::vector<EditedFile> Edits::files() const {
  std::vector<EditedFile> Result;
  for (const auto &[Entry, F] : Files) {
    EditedFile Out{F.Entry, SM.getBufferData(F.Id).str(), {}};
    for (const auto &[Place, Insertions] : F.Places)
      for (const Recorded &R : Insertions)
        Out.Changes.push_back(R.Change);
    Result.push_back(std::move(Out));
  }
  // Not sorted by pointers: the output must be deterministic.
  llvm::sort(Result, [](const EditedFile &A, const EditedFile &B) {
    return A.File.getName() < B.File.getName();
  });
  return Result;
}

} // namespace autoprof::source
