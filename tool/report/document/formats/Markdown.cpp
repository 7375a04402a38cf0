// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/document/Renderings.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::report;

namespace {

std::string oneLine(std::string Text) {
  std::replace(Text.begin(), Text.end(), '\n', ' ');
  return Text;
}

std::string markup(const Span &One) {
  std::string Text = oneLine(One.Text);
  if (One.Kind == Span::Code && !Text.empty()) {
    std::replace(Text.begin(), Text.end(), '`', '\'');
    Text = "`" + Text + "`";
  } else {
    Text = escapeMarkdown(Text);
  }
  if (One.Kind == Span::Strong)
    Text = "**" + Text + "**";
  // Links within a page are those of its elements.
  return One.Link.empty() || One.Link.front() == '#'
             ? Text
             : "[" + Text + "](" + One.Link + ")";
}

std::string markup(const Phrase &Text) {
  std::string Result;
  for (const Span &One : Text.spans())
    Result += markup(One);
  return Result;
}

/// Each block is followed by an empty line.
class Markdown {
  llvm::raw_ostream &Out;
  const TextStyle &Style;
  size_t MaxRows; ///< Of each table and list.

public:
  Markdown(llvm::raw_ostream &Out, const TextStyle &Style, size_t MaxRows)
      : Out(Out), Style(Style), MaxRows(MaxRows) {}

  void document(const Document &D) {
    if (!D.Marker.empty())
      Out << "<!-- " << D.Marker << " -->\n";
    Out << "# " << markup(D.Title) << '\n';
    visitInText(D.Answer, Style, *this);
    for (const Section &S : D.Sections)
      section(S);
    if (D.Limits.empty())
      return;
    Out << "\n## " << D.LimitsHeading << '\n';
    List L;
    L.Items.assign(D.Limits.begin(), D.Limits.end());
    (*this)(L);
  }

  void operator()(const Paragraph &P) {
    const std::string Text = markup(P.Text);
    const char *Emphasis = P.Kind == Paragraph::Answer ? "**"
                           : P.Kind == Paragraph::Note ? "_"
                                                       : "";
    Out << '\n' << Emphasis << Text << Emphasis << '\n';
  }
  void operator()(const List &L) {
    Out << '\n';
    for (const Phrase &Item : llvm::ArrayRef(L.Items).take_front(MaxRows))
      Out << "- " << markup(Item) << '\n';
    omitted(L.Items.size());
  }
  void operator()(const Facts &F) {
    Out << '\n';
    for (const auto &[Name, Value] : F.Lines)
      Out << (Name.empty() ? "- " : "- " + Name + ": ") << markup(Value)
          << '\n';
  }
  void operator()(const Figures &F) {
    Out << '\n';
    for (const Figures::Figure &One : F.All)
      Out << "- " << escapeMarkdown(One.Name) << ": "
          << escapeMarkdown(One.Value)
          << (One.More.empty() ? "" : ", " + escapeMarkdown(One.More)) << '\n';
  }
  void operator()(const Table &T) {
    const size_t Rows = rowsInText(T, Style);
    if (Rows)
      rows(T, std::min(Rows, MaxRows));
    if (Rows > MaxRows)
      omitted(T.size());
    else if (const std::string Rest = T.rest(Rows); !Rest.empty())
      Out << '\n' << escapeMarkdown(Rest) << '\n';
  }
  void operator()(const Excerpt &E) {
    Out << "\n```\n";
    for (const std::string &Line : E.Lines)
      Out << Line << '\n';
    Out << "```\n";
  }
  void operator()(const Diagnostics &D) {
    Out << '\n';
    for (const Diagnostic &One : llvm::ArrayRef(D.All).take_front(MaxRows)) {
      diagnostic("- ", One);
      for (const Diagnostic &Note : One.Notes)
        diagnostic("  - ", Note);
    }
    omitted(D.All.size());
  }
  void operator()(const Picture &) {}

private:
  /// Of so many rows.
  void omitted(size_t Count) {
    if (Count > MaxRows)
      Out << "\n(" << Count - MaxRows << " more omitted)\n";
  }
  void diagnostic(const char *Bullet, const Diagnostic &D) {
    const std::string Place = D.place();
    Out << Bullet << (Place.empty() ? "" : escapeMarkdown(Place) + ": ")
        << name(D.Kind).str() << ": " << escapeMarkdown(oneLine(D.Text));
    if (!D.Rule.empty())
      Out << " ("
          << markup(Span{D.Rule, Span::Plain,
                         isAddress(D.More) ? D.More : std::string()})
          << ')';
    Out << '\n';
  }
  /// A table of one column is a list.
  void items(const Table &T, size_t Count) {
    Out << '\n';
    for (const Table::Row &R : T.rows().take_front(Count)) {
      Out << "- " << escapeMarkdown(oneLine(R.Cells[0]))
          << (R.Notes.empty() ? "" : ":");
      for (const Table::Note &Note : R.Notes)
        Out << ' ' << escapeMarkdown(oneLine(Note.text()));
      Out << '\n';
    }
  }
  void rows(const Table &T, size_t Count) {
    if (T.columns().size() == 1)
      return items(T, Count);
    Out << '\n';
    for (const Table::Column &C : T.columns())
      Out << "| " << C.Title << ' ';
    Out << "|\n";
    for (const Table::Column &C : T.columns())
      Out << (C.Left ? "|---" : "|--:");
    Out << "|\n";
    bool HasNotes = false;
    for (const Table::Row &R : T.rows().take_front(Count)) {
      for (size_t C = 0; C < R.Cells.size(); ++C)
        Out << "| "
            << markup(Span{R.Cells[C],
                           T.columns()[C].IsCode ? Span::Code : Span::Plain,
                           ""})
            << ' ';
      Out << "|\n";
      HasNotes |= !R.Notes.empty();
    }
    if (HasNotes)
      Out << '\n';
    for (const Table::Row &R : T.rows().take_front(Count))
      for (const Table::Note &Note : R.Notes)
        Out << "- " << escapeMarkdown(oneLine(R.Cells[0])) << ": "
            << escapeMarkdown(oneLine(Note.text())) << '\n';
  }
  void section(const Section &S) {
    if (!isInText(S, Style))
      return;
    if (!S.Heading.empty())
      Out << (S.IsPart ? "\n### " : "\n## ") << escapeMarkdown(S.Heading)
          << '\n';
    visitInText(S, Style, *this);
  }
};

} // namespace

void report::renderMarkdown(llvm::raw_ostream &Out, const Document &D,
                            const TextStyle &Style) {
  std::string Text;
  for (size_t MaxRows : {SIZE_MAX, 64UL, 32UL, 16UL, 8UL, 4UL, 2UL, 1UL}) {
    Text.clear();
    llvm::raw_string_ostream To(Text);
    Markdown(To, Style, MaxRows).document(D);
    if (Text.size() <= Style.MaxBytes)
      break;
  }
  Out << cut(Text, Style.MaxBytes, /*AtEnd=*/true);
}
