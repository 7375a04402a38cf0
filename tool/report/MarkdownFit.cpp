// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/MarkdownFit.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <vector>

using llvm::StringRef;

namespace {

bool isHeading(StringRef Line) { return Line.starts_with("## "); }
bool isRow(StringRef Line) {
  return Line.starts_with("| ") || Line.starts_with("- ");
}
bool isRuler(StringRef Line) { return Line.starts_with("|--"); }

/// A heading and what is below it.
struct Section {
  std::vector<StringRef> Lines;
  /// Rows may be left out; other lines belong to the row that follows, or to
  /// the section's end.
  size_t Rows = 0;
  size_t Kept = 0; ///< Rows.
  bool IsIn = false;
  bool IsFull = false; ///< The next row did not fit.

  StringRef name() const { return Lines[0].drop_front(3); }
  /// Its text with this many rows.
  std::string text(size_t WithRows) const;
};

/// A table's head, which is followed by a ruler, is not a row.
bool isRowAt(const std::vector<StringRef> &Lines, size_t I) {
  return isRow(Lines[I]) && !isRuler(Lines[I]) &&
         (I + 1 == Lines.size() || !isRuler(Lines[I + 1]));
}

std::string Section::text(size_t WithRows) const {
  std::string Result;
  size_t Seen = 0;
  for (size_t I = 0; I < Lines.size(); ++I) {
    if (isRowAt(Lines, I) && Seen++ >= WithRows)
      continue;
    // A list that was left out leaves no gap.
    if (!Lines[I].empty() || !StringRef(Result).ends_with("\n\n"))
      Result += (Lines[I] + "\n").str();
  }
  if (WithRows < Rows)
    Result += std::string(StringRef(Result).ends_with("\n\n") ? "" : "\n") +
              "(" + std::to_string(Rows - WithRows) + " more " +
              (Rows - WithRows == 1 ? "row" : "rows") + " omitted)\n\n";
  return Result;
}

class Fitter {
  std::string Title;
  std::vector<Section> Sections;
  size_t Room;

  static constexpr StringRef Closing = "Left out for lack of room: ";

  void split(StringRef Text);
  std::string closing() const;
  size_t size() const;
  bool grow(Section &S);

public:
  Fitter(StringRef Text, size_t MaxBytes) : Room(MaxBytes) { split(Text); }
  std::string fit();
};

void Fitter::split(StringRef Text) {
  llvm::SmallVector<StringRef, 0> Lines;
  Text.rtrim('\n').split(Lines, '\n');
  for (StringRef Line : Lines)
    if (isHeading(Line))
      Sections.push_back({{Line}});
    else if (Sections.empty())
      Title += (Line + "\n").str();
    else
      Sections.back().Lines.push_back(Line);
  // A list must not continue in what closes the text.
  if (!Sections.empty())
    Sections.back().Lines.push_back("");
  for (Section &S : Sections)
    for (size_t I = 0; I < S.Lines.size(); ++I)
      S.Rows += isRowAt(S.Lines, I);
}

/// Names the sections that are not in.
std::string Fitter::closing() const {
  std::string Result;
  for (const Section &S : Sections)
    if (!S.IsIn)
      Result += (Result.empty() ? Closing.str() : "; ") + S.name().str();
  return Result.empty() ? Result : Result + ".\n";
}

size_t Fitter::size() const {
  size_t Sum = Title.size() + closing().size();
  for (const Section &S : Sections)
    if (S.IsIn)
      Sum += S.text(S.Kept).size();
  return Sum;
}

/// One more row, or the section with its first; false when nothing was added.
bool Fitter::grow(Section &S) {
  if (S.IsFull || (S.IsIn && S.Kept == S.Rows))
    return false;
  const Section Saved = S;
  S.Kept += S.Rows > 0;
  S.IsIn = true;
  if (size() <= Room)
    return true;
  S = Saved;
  S.IsFull = true;
  return false;
}

/// At the end of a line where there is one, and never within a character.
std::string cut(StringRef Text, size_t Size) {
  StringRef Start = Text.take_front(Size);
  if (const size_t End = Start.rfind('\n'); End != StringRef::npos)
    return Start.take_front(End).str();
  while (!Start.empty() && (Text[Start.size()] & 0xC0) == 0x80)
    Start = Start.drop_back();
  return Start.str();
}

std::string Fitter::fit() {
  if (Title.size() > Room / 2)
    Title = cut(Title, Room / 2) + " ...\n\n";
  // What the figures do not cover must not get lost among them; a long list
  // leaves half of the room to them.
  for (Section &S : Sections)
    if (S.name().starts_with("Limitations"))
      while (size() < Title.size() + (Room - Title.size()) / 2 && grow(S))
        ;
  for (bool Grew = true; Grew;) {
    Grew = false;
    for (Section &S : Sections)
      Grew |= grow(S);
  }
  std::string Result = Title;
  for (const Section &S : Sections)
    if (S.IsIn)
      Result += S.text(S.Kept);
  Result += closing();
  // Not if the names of the omitted sections alone are too long.
  return Result.size() <= Room ? Result : cut(Result, Room);
}

} // namespace

std::string autoprof::report::fitMarkdown(StringRef Text, size_t MaxBytes) {
  if (Text.size() <= MaxBytes)
    return Text.str();
  return Fitter(Text, MaxBytes).fit();
}
