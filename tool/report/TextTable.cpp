// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/TextTable.h"

#include "report/Html.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace autoprof::report;
using llvm::StringRef;

namespace {

constexpr unsigned Indent = 2, Between = 2, NoteIndent = 6, MinFirst = 20;

/// The end of a path tells more than its beginning.
std::string cut(StringRef Text, size_t Width, bool AtEnd) {
  if (Text.size() <= Width)
    return Text.str();
  if (AtEnd)
    return Text.take_front(Width - 3).str() + "...";
  return "..." + Text.take_back(Width - 3).str();
}

std::string oneLine(std::string Text) {
  std::replace(Text.begin(), Text.end(), '\n', ' ');
  return Text;
}

} // namespace

void autoprof::report::printWrapped(llvm::raw_ostream &Out, StringRef Text,
                                    unsigned Indent, unsigned Width) {
  size_t Column = 0;
  for (StringRef Word : llvm::split(Text, ' ')) {
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
  }
  Out << '\n';
}

std::string autoprof::report::escapeMarkdown(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    if (StringRef("|\\`*_<>[]").contains(C))
      Result += '\\';
    Result += C;
  }
  return Result;
}

void TextTable::printAligned(llvm::raw_ostream &Out, unsigned Width,
                             bool Color) const {
  std::vector<size_t> Widths;
  size_t Total = Indent;
  for (size_t C = 0; C < Columns.size(); ++C) {
    size_t W = Columns[C].Title.size();
    for (const Row &R : Rows)
      W = std::max(W, R.Cells[C].size());
    Widths.push_back(W);
    Total += W + (C ? Between : 0);
  }
  if (Total > Width) {
    size_t Excess = Total - Width;
    Widths[0] -=
        std::min(Excess, Widths[0] - std::min<size_t>(Widths[0], MinFirst));
  }

  auto PrintCells = [&](auto Text) {
    std::string Line(Indent, ' ');
    for (size_t C = 0; C < Columns.size(); ++C) {
      std::string Cell =
          cut(Text(C), std::max<size_t>(Widths[C], 3), Columns[C].CutEnd);
      std::string Pad(Widths[C] > Cell.size() ? Widths[C] - Cell.size() : 0,
                      ' ');
      Line += std::string(C ? Between : 0, ' ');
      Line += Columns[C].Left ? Cell + Pad : Pad + Cell;
    }
    Out << StringRef(Line).rtrim(' ') << '\n';
  };
  if (Color)
    Out << "\033[1m";
  PrintCells([&](size_t C) { return Columns[C].Title; });
  if (Color)
    Out << "\033[0m";
  for (const Row &R : Rows) {
    PrintCells([&](size_t C) { return R.Cells[C]; });
    for (const std::string &Note : R.Notes) {
      if (Color)
        Out << "\033[2m";
      printWrapped(Out, Note, NoteIndent, Width);
      if (Color)
        Out << "\033[0m";
    }
  }
}

void TextTable::printMarkdown(llvm::raw_ostream &Out) const {
  for (const Column &C : Columns)
    Out << "| " << C.Title << ' ';
  Out << "|\n";
  for (const Column &C : Columns)
    Out << (C.Left ? "|---" : "|--:");
  Out << "|\n";
  for (const Row &R : Rows) {
    for (const std::string &Cell : R.Cells)
      Out << "| " << oneLine(escapeMarkdown(Cell)) << ' ';
    Out << "|\n";
  }
}

void TextTable::printHtml(llvm::raw_ostream &Out) const {
  auto Class = [this](size_t C) {
    return Columns[C].Left ? " class=\"text\"" : "";
  };
  Out << "<table>\n<thead><tr>";
  for (size_t C = 0; C < Columns.size(); ++C)
    Out << "<th scope=\"col\"" << Class(C) << '>'
        << escapeHtml(Columns[C].Title) << "</th>";
  Out << "</tr></thead>\n<tbody>\n";
  for (const Row &R : Rows) {
    Out << "<tr>";
    for (size_t C = 0; C < Columns.size(); ++C)
      Out << (C ? "<td" : "<th scope=\"row\"") << Class(C) << '>'
          << escapeHtml(R.Cells[C]) << (C ? "</td>" : "</th>");
    Out << "</tr>\n";
  }
  Out << "</tbody>\n</table>\n";
}
