// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/document/Table.h"

#include "report/Html.h"
#include "support/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>
#include <map>

using namespace autoprof::report;
using llvm::StringRef;

namespace {

constexpr unsigned Indent = 2, NoteIndent = 6;
/// The first column is cut to this before the space between columns is reduced.
constexpr size_t MinFirst = 20, LeastFirst = 10;

bool isWithinCharacter(char C) { return (C & 0xC0) == 0x80; }

} // namespace

std::string autoprof::report::cut(StringRef Text, size_t Width, bool AtEnd) {
  if (Text.size() <= Width)
    return Text.str();
  StringRef Left =
      AtEnd ? Text.take_front(Width - 3) : Text.take_back(Width - 3);
  while (!AtEnd && !Left.empty() && isWithinCharacter(Left.front()))
    Left = Left.drop_front();
  while (AtEnd && !Left.empty() && isWithinCharacter(Text[Left.size()]))
    Left = Left.drop_back();
  return AtEnd ? Left.str() + "..." : "..." + Left.str();
}

/// Where what `Texts` have in common ends, at the beginning of a word.
static size_t commonBeginning(llvm::ArrayRef<StringRef> Texts) {
  size_t Length = Texts.front().size();
  for (StringRef Text : Texts)
    Length = std::min<size_t>(Length, std::mismatch(Text.begin(), Text.end(),
                                                    Texts.front().begin(),
                                                    Texts.front().end())
                                              .first -
                                          Text.begin());
  auto IsOfWord = [](char C) {
    return llvm::isAlnum(C) || C == '_' || isWithinCharacter(C) ||
           static_cast<unsigned char>(C) >= 0xC0;
  };
  while (Length && IsOfWord(Texts.front()[Length - 1]))
    --Length;
  return Length;
}

/// "train.py:88", "(train.py:88)", "train.py:88:14", "libx.so+0x12".
static bool isPlace(StringRef Word) {
  const StringRef After = Word.drop_until([](char C) { return C == ':'; });
  return Word.contains("+0x") ||
         (After.size() > 1 && After.size() < Word.size() &&
          llvm::isDigit(After[1]));
}

/// What a label begins with; "": no place.
static StringRef placeIn(StringRef Label) {
  constexpr StringRef Unknown = "(no source line)";
  if (Label.starts_with(Unknown))
    return Unknown;
  const StringRef First = Label.split(' ').first;
  return isPlace(First) ? First : "";
}

/// The first `Front` and the last `Back` bytes, without parts of characters.
static std::string leaveOutMiddle(StringRef Text, size_t Front, size_t Back) {
  while (Front && isWithinCharacter(Text[Front]))
    --Front;
  size_t Begin = Text.size() - Back;
  while (Begin < Text.size() && isWithinCharacter(Text[Begin]))
    ++Begin;
  return (Text.take_front(Front) + "..." + Text.drop_front(Begin)).str();
}

static std::string shorten(StringRef Text, size_t Width) {
  if (Text.size() <= Width)
    return Text.str();
  const size_t Room = Width - 3;
  const size_t Call = Text.size() - std::min(Text.rfind(' '), Text.size());
  if (const StringRef Place = placeIn(Text);
      !Place.empty() && Place.size() + Call <= Room)
    return leaveOutMiddle(Text, Room - Call, Call);
  return leaveOutMiddle(Text, Room - Room / 3, Room / 3);
}

std::vector<std::string>
autoprof::report::shortenAll(llvm::ArrayRef<std::string> Texts, size_t Width) {
  std::vector<std::string> Result;
  std::map<std::string, std::vector<size_t>> Alike;
  for (size_t I = 0; I < Texts.size(); ++I) {
    Result.push_back(shorten(Texts[I], Width));
    if (Texts[I].size() > Width)
      Alike[Result.back()].push_back(I);
  }
  for (const auto &[Shown, Rows] : Alike) {
    std::vector<StringRef> Whole;
    for (size_t I : Rows)
      Whole.push_back(Texts[I]);
    if (llvm::all_equal(Whole))
      continue;
    const size_t Common = commonBeginning(Whole);
    for (size_t I : Rows)
      Result[I] = shorten("..." + Texts[I].substr(Common), Width);
  }
  return Result;
}

/// Names come from the program, and characters that control a terminal do so
/// in any format that is printed to it; those of C1 have two bytes.
static std::string withoutControls(StringRef Text) {
  std::string Result = Text.str();
  for (size_t I = 0; I < Result.size(); ++I) {
    const auto C = static_cast<unsigned char>(Result[I]);
    if ((C < 0x20 && C != '\n' && C != '\t') || C == 0x7F)
      Result[I] = '?';
    else if (C == 0xC2 && I + 1 < Result.size() &&
             static_cast<unsigned char>(Result[I + 1]) < 0xA0)
      Result.replace(I, 2, "?");
  }
  return Result;
}

std::string autoprof::report::terminalText(StringRef Text) {
  std::string Result = withoutControls(readable(Text));
  for (char &C : Result)
    if (C == '\n' || C == '\t')
      C = ' ';
  return Result;
}

void autoprof::report::printWrapped(llvm::raw_ostream &Out, StringRef Text,
                                    unsigned Indent, unsigned Width) {
  const size_t Longest = std::max(Width, Indent + 10) - Indent;
  size_t Column = 0;
  auto Put = [&](StringRef Word) {
    if (Column && Column + 1 + Word.size() > Width) {
      Out << '\n';
      Column = 0;
    }
    if (!Column) {
      Out.indent(Indent);
      Column = Indent;
    } else {
      Out << ' ';
      ++Column;
    }
    Out << Word;
    Column += Word.size();
  };
  const std::string Safe = terminalText(Text);
  for (StringRef Word : llvm::split(Safe, ' ')) {
    while (Word.size() > Longest) {
      size_t End = Longest;
      while (isWithinCharacter(Word[End]))
        --End;
      Put(Word.take_front(End));
      Word = Word.drop_front(End);
    }
    Put(Word);
  }
  Out << '\n';
}

std::string autoprof::report::escapeMarkdown(StringRef Text) {
  std::string Result;
  for (char C : withoutControls(Text)) {
    if (StringRef("|\\`*_<>[]").contains(C))
      Result += '\\';
    Result += C;
  }
  return Result;
}

namespace {

/// The cells of a table as a terminal shows them, by column.
struct Grid {
  std::vector<Table::Column> Columns;
  std::vector<std::vector<std::string>> Cells; ///< Of each column.
  std::vector<size_t> Widths;
  size_t Between = 2; ///< Blanks between columns.
  /// By row: what is on a line above it; "": the first cell is in the row.
  std::vector<std::string> Above;

  size_t total() const {
    size_t Total = Indent + Between * (Columns.size() - 1);
    for (size_t W : Widths)
      Total += W;
    return Total;
  }
};

Grid makeGrid(const Table &T, size_t Rows) {
  Grid G;
  for (size_t C = 0; C < T.columns().size(); ++C) {
    if (T.columns()[C].IsWide)
      continue;
    G.Columns.push_back(T.columns()[C]);
    G.Cells.emplace_back();
    size_t Width = T.columns()[C].Title.size();
    for (const Table::Row &R : T.rows().take_front(Rows)) {
      G.Cells.back().push_back(terminalText(R.Cells[C]));
      Width = std::max(Width, G.Cells.back().back().size());
    }
    G.Widths.push_back(Width);
  }
  return G;
}

/// Whether a place or, after one, the call is lost.
bool losesPlace(StringRef Shown, StringRef Whole) {
  if (!placeIn(Whole).empty() &&
      !Shown.ends_with(Whole.substr(Whole.rfind(' ') + 1)))
    return true;
  return llvm::any_of(llvm::split(Whole, ' '), [Shown](StringRef Word) {
    return isPlace(Word) && !Shown.contains(Word);
  });
}

/// Texts that are shown for more than one of `Whole`.
llvm::StringSet<> sharedBy(llvm::ArrayRef<std::string> Shown,
                           llvm::ArrayRef<std::string> Whole) {
  llvm::StringMap<StringRef> WholeOf;
  llvm::StringSet<> Result;
  for (auto [Text, All] : llvm::zip_equal(Shown, Whole))
    if (WholeOf.try_emplace(Text, All).first->second != All)
      Result.insert(Text);
  return Result;
}

void moveAbove(Grid &G, llvm::ArrayRef<std::string> Whole, size_t Width) {
  std::vector<std::string> &Cells = G.Cells[0];
  const std::vector<std::string> Lines = shortenAll(Whole, Width - Indent);
  const llvm::StringSet<> SharedCells = sharedBy(Cells, Whole),
                          SharedLines = sharedBy(Lines, Whole);
  G.Above.resize(Cells.size());
  for (size_t R = 0; R < Cells.size(); ++R) {
    if (Cells[R] == Whole[R] ||
        (!SharedCells.contains(Cells[R]) && !losesPlace(Cells[R], Whole[R]) &&
         2 * Lines[R].size() <= 3 * G.Widths[0]))
      continue;
    // Names of kernels may take many lines.
    const bool Fits =
        !SharedLines.contains(Lines[R]) && !losesPlace(Lines[R], Whole[R]);
    G.Above[R] = Fits ? Lines[R] : Whole[R];
    Cells[R].clear();
  }
}

void fit(Grid &G, size_t Width) {
  auto Shrink = [&](size_t &Column, size_t Least) {
    const size_t Total = G.total();
    if (Total > Width && Column > Least)
      Column -= std::min(Total - Width, Column - Least);
  };
  Shrink(G.Widths[0], MinFirst);
  if (G.total() > Width)
    G.Between = 1;
  Shrink(G.Widths[0], LeastFirst);
  for (size_t C = 1; C < G.Columns.size(); ++C)
    if (G.Columns[C].Left)
      Shrink(G.Widths[C], std::max(G.Columns[C].Title.size(), LeastFirst));
  const std::vector<std::string> Whole = G.Cells[0];
  for (size_t C = 0; C < G.Columns.size(); ++C) {
    const size_t Most = std::max<size_t>(G.Widths[C], 3);
    if (G.Columns[C].CutEnd)
      for (std::string &Cell : G.Cells[C])
        Cell = cut(Cell, Most, /*AtEnd=*/true);
    else
      G.Cells[C] = shortenAll(G.Cells[C], Most);
  }
  if (G.Columns.size() > 1 && G.Columns[0].Left && !G.Columns[0].CutEnd)
    moveAbove(G, Whole, Width);
}

void printLine(llvm::raw_ostream &Out, const Grid &G,
               llvm::function_ref<std::string(size_t)> Text) {
  std::string Line(Indent, ' ');
  for (size_t C = 0; C < G.Columns.size(); ++C) {
    const std::string Cell = Text(C);
    const std::string Pad(
        G.Widths[C] > Cell.size() ? G.Widths[C] - Cell.size() : 0, ' ');
    Line += std::string(C ? G.Between : 0, ' ');
    Line += G.Columns[C].Left ? Cell + Pad : Pad + Cell;
  }
  Out << StringRef(Line).rtrim(' ') << '\n';
}

} // namespace

void autoprof::report::printAligned(llvm::raw_ostream &Out, const Table &T,
                                    unsigned Width, bool Color,
                                    size_t MaxRows) {
  const llvm::ArrayRef<Table::Row> Rows = T.rows().take_front(MaxRows);
  Grid G = makeGrid(T, Rows.size());
  fit(G, Width);
  if (!G.Columns[0].Title.empty()) {
    Out << (Color ? "\033[1m" : "");
    printLine(Out, G, [&](size_t C) {
      return cut(G.Columns[C].Title, std::max<size_t>(G.Widths[C], 3),
                 G.Columns[C].CutEnd);
    });
    Out << (Color ? "\033[0m" : "");
  }
  auto PrintNote = [&](StringRef Text) {
    Out << (Color ? "\033[2m" : "");
    printWrapped(Out, Text, NoteIndent, Width);
    Out << (Color ? "\033[0m" : "");
  };
  for (size_t R = 0; R < Rows.size(); ++R) {
    if (!G.Above.empty() && !G.Above[R].empty())
      printWrapped(Out, G.Above[R], Indent, Width);
    if (G.Columns.size() > 1)
      printLine(Out, G, [&](size_t C) { return G.Cells[C][R]; });
    else
      printWrapped(Out, Rows[R].Cells[0], Indent, Width);
    for (const Table::Note &Note : Rows[R].Notes)
      PrintNote(Note.text());
  }
}

std::string Table::rest(size_t Shown) const {
  if (Shown >= Rows.size())
    return "";
  const std::string Count = autoprof::count(Rows.size() - Shown);
  return Count + " " + (Others.empty() ? "more" : Others) + " (" + HowToSee +
         ")";
}
