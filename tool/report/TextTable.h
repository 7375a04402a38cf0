// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aligned columns for terminals, and rows for Markdown and HTML.
#ifndef AUTOPROF_REPORT_TEXTTABLE_H
#define AUTOPROF_REPORT_TEXTTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace autoprof::report {

class TextTable {
public:
  struct Column {
    std::string Title;
    bool Left = false; ///< Text; numbers are aligned on the right.
    /// Of the first column: cut where it ends, not where it begins.
    bool CutEnd = false;
  };
  explicit TextTable(std::vector<Column> Columns)
      : Columns(std::move(Columns)) {}

  void addRow(std::vector<std::string> Cells) {
    Rows.push_back({std::move(Cells), {}});
  }
  /// A paragraph under the last row; terminals only.
  void addNote(std::string Text) {
    Rows.back().Notes.push_back(std::move(Text));
  }
  bool empty() const { return Rows.empty(); }

  /// Aligned, indented by two. If the table would be wider than `Width`, the
  /// first column is cut, then the space between columns is reduced, then other
  /// columns of text are cut. Notes are wrapped at `Width`.
  void printAligned(llvm::raw_ostream &Out, unsigned Width, bool Color) const;
  void printMarkdown(llvm::raw_ostream &Out) const;
  size_t size() const { return Rows.size(); }
  /// A <table>, everything escaped; notes are left out, and all but the first
  /// `MaxRows` rows. Longer cells than `MaxCell` bytes are cut.
  void printHtml(llvm::raw_ostream &Out, size_t MaxRows = SIZE_MAX,
                 size_t MaxCell = SIZE_MAX) const;

private:
  struct Row {
    std::vector<std::string> Cells, Notes;
  };
  std::vector<Column> Columns;
  std::vector<Row> Rows;
};

/// `Text`, or with "..." as much of it as fits: the end, which is the more
/// useful part of a path, or with `AtEnd` the beginning. `Width`: 3 or more.
std::string cut(llvm::StringRef Text, size_t Width, bool AtEnd);

/// The texts of one column, each cut. If different texts would read the same
/// without their ends, what they have in common at the beginning is left out
/// instead.
std::vector<std::string> cutAll(llvm::ArrayRef<std::string> Texts, size_t Width,
                                bool AtEnd);

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

#endif // AUTOPROF_REPORT_TEXTTABLE_H
