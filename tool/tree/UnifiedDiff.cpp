// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tree/UnifiedDiff.h"

using llvm::StringRef;

namespace autoprof::tree {

namespace {

/// Splits the text into lines, with their ends.
std::vector<StringRef> lines(StringRef Text) {
  std::vector<StringRef> Result;
  while (!Text.empty()) {
    size_t Size = std::min(Text.find('\n'), Text.size() - 1) + 1;
    Result.push_back(Text.take_front(Size));
    Text = Text.drop_front(Size);
  }
  return Result;
}

/// A line of the original text and its replacement.
struct Line {
  StringRef Old; ///< Empty: after the last line.
  std::string New;
  bool isChanged() const { return Old != New; }
};

std::vector<Line> compare(StringRef Text, llvm::ArrayRef<source::Edit> Edits) {
  std::vector<Line> Result;
  std::vector<source::Insertion> Insertions = source::insertionsOf(Edits);
  auto Next = Insertions.begin();
  std::vector<StringRef> Old = lines(Text);
  // Text after a last line without an end is on that line.
  if (Old.empty() || Old.back().ends_with("\n"))
    Old.push_back(StringRef());
  for (size_t I = 0, Offset = 0; I < Old.size(); Offset += Old[I++].size()) {
    Line L{Old[I], ""};
    size_t From = Offset;
    const size_t End = Offset + Old[I].size();
    for (; Next != Insertions.end() &&
           (Next->Offset < End || I + 1 == Old.size());
         ++Next) {
      L.New += Text.slice(From, Next->Offset);
      L.New += Next->Text;
      From = Next->Offset;
    }
    L.New += Text.slice(From, End);
    Result.push_back(std::move(L));
  }
  return Result;
}

void printLine(llvm::raw_ostream &OS, char Mark, StringRef Line) {
  OS << Mark << Line;
  if (!Line.ends_with("\n"))
    OS << "\n\\ No newline at end of file\n";
}

class Hunk {
  const std::vector<Line> &All;
  size_t Begin, End; ///< Indices into All.

public:
  Hunk(const std::vector<Line> &All, size_t Begin, size_t End)
      : All(All), Begin(Begin), End(End) {}

  /// `Grown`: the number of lines that the previous hunks have added.
  int print(llvm::raw_ostream &OS, int Grown) const {
    size_t OldLines = 0, NewLines = 0;
    for (size_t I = Begin; I < End; ++I) {
      OldLines += !All[I].Old.empty();
      NewLines += lines(All[I].New).size();
    }
    OS << "@@ -" << Begin + (OldLines != 0) << ',' << OldLines << " +"
       << static_cast<int>(Begin) + Grown + (NewLines != 0) << ',' << NewLines
       << " @@\n";
    for (size_t I = Begin; I < End; ++I)
      printChange(OS, All[I]);
    return static_cast<int>(NewLines) - static_cast<int>(OldLines);
  }

private:
  static void printChange(llvm::raw_ostream &OS, const Line &L) {
    StringRef New = L.New;
    // The original line is unchanged, perhaps after new lines.
    const bool IsKept = !L.Old.empty() && New.consume_back(L.Old) &&
                        (New.empty() || New.ends_with("\n"));
    if (!IsKept)
      New = L.New;
    if (!IsKept && !L.Old.empty())
      printLine(OS, '-', L.Old);
    for (StringRef Added : lines(New))
      printLine(OS, '+', Added);
    if (IsKept)
      printLine(OS, ' ', L.Old);
  }
};

} // namespace

void printDiff(llvm::raw_ostream &OS, StringRef Name, StringRef Text,
               llvm::ArrayRef<source::Edit> Changes) {
  const size_t Context = 3;
  const std::vector<Line> All = compare(Text, Changes);
  OS << "--- a/" << Name << "\n+++ b/" << Name << '\n';
  int Grown = 0;
  for (size_t I = 0; I < All.size();) {
    if (!All[I].isChanged()) {
      ++I;
      continue;
    }
    const size_t Begin = I - std::min(I, Context);
    size_t Last = I; // The last changed line.
    for (; I < All.size() && I <= Last + 2 * Context + 1; ++I)
      if (All[I].isChanged())
        Last = I;
    size_t End = std::min(Last + Context + 1, All.size());
    // The place after the last line counts as a line only if it has text.
    if (End == All.size() && All.back().Old.empty() && !All.back().isChanged())
      --End;
    Grown += Hunk(All, Begin, End).print(OS, Grown);
    I = End;
  }
}

} // namespace autoprof::tree
