// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows and columns, with notes on rows; and text that fits a width.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace autoprof::report {

/// Lines of a source file; pages and terminals show them.
struct Excerpt {
  std::string File;
  unsigned First = 1; ///< Number of the first line.
  std::vector<std::string> Lines;
  /// The line that it is about, and the part of it: bytes, from 1; 0: none.
  unsigned Marked = 0, Column = 0, Length = 0;
  std::string Why; ///< Why it is marked, for pages: "waits for the GPU".
};

class Table {
public:
  struct Column {
    std::string Title;
    bool Left = false;   ///< Text; numbers are aligned on the right.
    bool CutEnd = false; ///< Prose, which is cut where it ends.
    /// Too much for a line of a terminal: other formats only.
    bool IsWide = false;
    bool IsCode = false; ///< Names of the source.
  };
  /// Below a row: "Instead: ...".
  struct Note {
    std::string Label, Text;
    std::string text() const {
      return Label.empty() ? Text : Label + ": " + Text;
    }
  };
  struct Row {
    std::vector<std::string> Cells;
    std::vector<Note> Notes;
    /// In cards: what is to be said first, and its class of the page's style.
    std::string Badge, Class;
    Excerpt Source; ///< Pages only.
  };

  explicit Table(std::vector<Column> Columns) : Columns(std::move(Columns)) {}

  Row &addRow(std::vector<std::string> Cells) {
    Rows.push_back({std::move(Cells), {}, {}, {}, {}});
    return Rows.back();
  }
  /// A paragraph under the last row; none if it is empty.
  void addNote(std::string Text, std::string Label = "") {
    if (Text.empty())
      return;
    Rows.back().Notes.push_back({std::move(Label), std::move(Text)});
  }
  bool empty() const { return Rows.empty(); }
  size_t size() const { return Rows.size(); }
  llvm::ArrayRef<Row> rows() const { return Rows; }
  llvm::ArrayRef<Column> columns() const { return Columns; }
  /// What the first `Shown` rows leave out, with how to see it: "3 more sites
  /// never waited (--all lists them)"; "": nothing.
  std::string rest(size_t Shown) const;

  /// Rows that are shown unless everything is asked for; pages show all.
  size_t Limit = SIZE_MAX;
  /// What follows the number of the others: "more sites never waited"; "":
  /// "more".
  std::string Others;
  /// How to see them, a clause.
  std::string HowToSee = "--all lists them";
  /// Width that it takes even on a narrower terminal.
  unsigned LeastWidth = 0;
  /// On pages: each row a card, with its first cell as the heading.
  bool IsCards = false;

private:
  std::vector<Column> Columns;
  std::vector<Row> Rows;
};

/// Aligned, indented by two. No line of titles if the first is "". If the table
/// would be wider than `Width`, the first column is shortened, then the space
/// between columns is reduced, then other columns of text are shortened. What
/// is lost too much of is on a line of its own above its row, whole: a label
/// with a place that would be cut, labels that would read the same, and long
/// ones. Notes are wrapped at `Width`.
void printAligned(llvm::raw_ostream &Out, const Table &T, unsigned Width,
                  bool Color, size_t MaxRows = SIZE_MAX);

/// `Text`, or with "..." as much of it as fits: the end, which is the more
/// useful part of a path, or with `AtEnd` the beginning. `Width`: 3 or more.
std::string cut(llvm::StringRef Text, size_t Width, bool AtEnd);

/// The texts of one column, each with "..." in the middle if it is longer. What
/// begins with a place in the source keeps that, and its last word, the call.
/// If different texts would read the same, what they have in common at the
/// beginning is left out instead.
std::vector<std::string> shortenAll(llvm::ArrayRef<std::string> Texts,
                                    size_t Width);

/// Text that is safe on a terminal: valid UTF-8 without control characters,
/// which a name in a trace could contain to move the cursor or worse.
std::string terminalText(llvm::StringRef Text);

/// Prints words of `Text` in lines of at most `Width`, each after `Indent`
/// blanks; longer words are broken.
void printWrapped(llvm::raw_ostream &Out, llvm::StringRef Text, unsigned Indent,
                  unsigned Width);

/// Escapes what Markdown would treat as markup.
std::string escapeMarkdown(llvm::StringRef Text);

} // namespace autoprof::report
