// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/MarkdownFit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <deque>
#include <vector>

using llvm::StringRef;

namespace {

bool isHeading(StringRef Line) { return Line.starts_with("## "); }
bool isRow(StringRef Line) {
  return Line.starts_with("| ") || Line.ltrim(' ').starts_with("- ");
}
/// How to read what is above.
bool isNote(StringRef Line) {
  return Line.starts_with("_") && Line.ends_with("_");
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

using Cells = std::vector<StringRef>;

/// The cells of "| a | b |"; a | in a cell is escaped.
Cells cellsOf(StringRef Row) {
  Cells Result;
  size_t Begin = 1;
  for (size_t I = 1; I < Row.size(); ++I)
    if (Row[I] == '|' && Row[I - 1] != '\\') {
      Result.push_back(Row.slice(Begin, I));
      Begin = I + 1;
    }
  return Result;
}

/// Columns of the first table that are left out before rows are, the first ones
/// first: the headline has the advice, and the others have the cost.
constexpr StringRef Spare[] = {"kind", "of the step", "waits/step", "calls"};

class Fitter {
  std::string Title;
  std::vector<Section> Sections;
  size_t Room;
  std::deque<std::string> Narrowed; ///< Lines without columns.
  std::vector<StringRef> Dropped;   ///< Columns.
  bool CountsSections = false;      ///< Their names do not fit.

  static constexpr StringRef Closing = "Left out for lack of room: ";

  void split(StringRef Text);
  std::string closing() const;
  size_t size() const;
  bool grow(Section &S);
  void growUntil(Section &S, size_t Most);
  void dropColumn(Section &S, StringRef Name);
  void addFirst(Section &S);

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
    else if (!isNote(Line))
      Sections.back().Lines.push_back(Line);
  // A list must not continue in what closes the text.
  if (!Sections.empty())
    Sections.back().Lines.push_back("");
  for (Section &S : Sections)
    for (size_t I = 0; I < S.Lines.size(); ++I)
      S.Rows += isRowAt(S.Lines, I);
}

/// Names the columns and sections that are not in.
std::string Fitter::closing() const {
  std::string Result;
  if (!Dropped.empty())
    Result = (Closing + (Dropped.size() == 1 ? "the column " : "the columns ") +
              llvm::join(Dropped, ", "))
                 .str();
  size_t Hidden = 0;
  for (const Section &S : Sections) {
    Hidden += !S.IsIn;
    if (!S.IsIn && !CountsSections)
      Result += (Result.empty() ? Closing.str() : "; ") + S.name().str();
  }
  if (Hidden && CountsSections)
    Result += (Result.empty() ? Closing.str() : "; ") + std::to_string(Hidden) +
              (Hidden == 1 ? " section" : " sections");
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

void Fitter::growUntil(Section &S, size_t Most) {
  while (size() < Most && grow(S))
    ;
}

void Fitter::dropColumn(Section &S, StringRef Name) {
  auto Head = llvm::find_if(
      S.Lines, [](StringRef Line) { return Line.starts_with("| "); });
  if (Head == S.Lines.end())
    return;
  Cells Names = cellsOf(*Head);
  const size_t Column =
      llvm::find_if(Names, [Name](StringRef N) { return N.trim() == Name; }) -
      Names.begin();
  if (Column == Names.size())
    return;
  Dropped.push_back(Name);
  for (StringRef &Line : S.Lines) {
    Cells Kept = cellsOf(Line);
    if (!Line.starts_with("|") || Kept.size() != Names.size())
      continue;
    Kept.erase(Kept.begin() + Column);
    Line = Narrowed.emplace_back("|" + llvm::join(Kept, "|") + "|");
  }
}

/// The first section is what the report is for: it gets most of the room, with
/// fewer columns if not all rows fit with all.
void Fitter::addFirst(Section &S) {
  const size_t Most = Title.size() + (Room - Title.size()) * 2 / 3;
  growUntil(S, Most);
  for (StringRef Name : Spare) {
    if (S.Kept == S.Rows && S.IsIn)
      return;
    S.IsIn = S.IsFull = false;
    S.Kept = 0;
    dropColumn(S, Name);
    growUntil(S, Most);
  }
  if (S.IsIn)
    return;
  CountsSections = true;
  S.IsFull = false;
  growUntil(S, Most);
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
  if (!Sections.empty())
    addFirst(Sections.front());
  // What the figures do not cover is last, and must not get lost among them; a
  // long list leaves half of the room to them.
  if (const size_t Used = size(); Sections.size() > 1)
    growUntil(Sections.back(), Used + (Room - std::min(Room, Used)) / 2);
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
