// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A document as a page. Everything is in the HTML, so that the page is readable
// without its scripts: these sort, filter, and fold.
#include "report/Html.h"
#include "report/document/Renderings.h"
#include "support/Words.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using llvm::StringRef;

namespace {

// clang-format off: the order matters.
constexpr StringRef Style =
#include "report/base.css.inc"
    ;
constexpr StringRef Script =
#include "report/tables.js.inc"
    ;
// clang-format on

/// The largest number of rows in a table, and of bytes in a cell: a trace may
/// have thousands of kernels whose names are thousands of bytes long.
constexpr size_t MaxTableRows = 500, MaxCards = 12, MaxCellBytes = 240;

/// Lines are cut after this many bytes.
constexpr size_t LongestLine = 500;

/// The bytes of the name at a column: identifiers, `::` among them.
size_t lengthOfName(StringRef Line, size_t Begin) {
  size_t End = Begin;
  while (End < Line.size() &&
         (llvm::isAlnum(Line[End]) || Line[End] == '_' || Line[End] == ':'))
    ++End;
  while (End > Begin && Line[End - 1] == ':')
    --End;
  if (End == Begin)
    for (++End; End < Line.size() && (Line[End] & 0xC0) == 0x80;)
      ++End; // one character
  return End - Begin;
}

/// UTF-8 is not cut within a character.
StringRef shownPart(StringRef Line) {
  size_t Size = std::min(Line.size(), LongestLine);
  while (Size && Size < Line.size() && (Line[Size] & 0xC0) == 0x80)
    --Size;
  return Line.take_front(Size);
}

/// One line of a source file, with a mark where the excerpt has it, unless that
/// is beyond the shown part.
std::string markupLine(StringRef Line, const Excerpt &E, bool IsMarked) {
  const StringRef Shown = shownPart(Line);
  std::string Result;
  size_t Begin = 0;
  if (IsMarked && E.Column && E.Column <= Shown.size()) {
    Begin = E.Column - 1;
    const size_t Length = E.Length ? E.Length : lengthOfName(Shown, Begin),
                 End = std::min(Begin + Length, Shown.size());
    Result = escapeHtml(Shown.take_front(Begin)) +
             "<mark class=\"y\" title=\"" + escapeHtml(E.Why) + "\">" +
             escapeHtml(Shown.slice(Begin, End)) + "</mark>";
    Begin = End;
  }
  Result += escapeHtml(Shown.drop_front(Begin));
  if (Shown.size() < Line.size())
    Result += "<em> … " + std::to_string(Line.size() - Shown.size()) +
              " more bytes</em>";
  return Result;
}

std::string linked(const std::string &Html, const std::string &Link) {
  return Link.empty() ? Html
                      : "<a href=\"" + escapeHtml(Link) + "\">" + Html + "</a>";
}

std::string markup(const Span &One) {
  std::string Text = escapeHtml(One.Text);
  if (One.Kind == Span::Code)
    Text = "<code>" + Text + "</code>";
  if (One.Kind == Span::Strong)
    Text = "<b>" + Text + "</b>";
  return linked(Text, One.Link);
}

std::string markup(const Phrase &Text) {
  std::string Result;
  for (const Span &One : Text.spans())
    Result += markup(One);
  return Result;
}

std::string figures(const std::vector<Figures::Figure> &All) {
  std::string Result = "<dl class=\"figures\">\n";
  for (const Figures::Figure &F : All)
    Result += fmt::format("<div><dt>{}</dt><dd><b>{}</b> <span>{}</span></dd>"
                          "</div>\n",
                          escapeHtml(F.Name), escapeHtml(F.Value),
                          escapeHtml(F.More));
  return Result + "</dl>\n";
}

std::string excerpt(const Excerpt &E) {
  std::string Result = "<div class=\"code\">\n";
  for (size_t I = 0; I < E.Lines.size(); ++I) {
    const unsigned Number = E.First + unsigned(I);
    const bool IsMarked = Number == E.Marked;
    Result += fmt::format(
        "<div class=\"l{}\" data-n=\"{}\"><code>{}</code></div>\n",
        IsMarked ? " y hot" : "", Number, markupLine(E.Lines[I], E, IsMarked));
  }
  return Result + "</div>\n";
}

std::string notes(const Table::Row &R) {
  std::string Result;
  for (const Table::Note &N : R.Notes)
    Result +=
        "<p class=\"advice\">" +
        (N.Label.empty() ? "" : "<span>" + escapeHtml(N.Label) + "</span> ") +
        escapeHtml(N.Text) + "</p>\n";
  return Result;
}

std::string card(const Table &T, const Table::Row &R) {
  std::string Result =
      fmt::format("<article class=\"card {}\">\n<h3><code>{}</code>{}</h3>\n",
                  R.Class, escapeHtml(R.Cells[0]),
                  R.Badge.empty() ? ""
                                  : " <span class=\"badge\">" +
                                        escapeHtml(R.Badge) + "</span>");
  std::vector<Figures::Figure> All;
  for (size_t C = 1; C < R.Cells.size(); ++C)
    if (!R.Cells[C].empty())
      All.push_back({R.Cells[C], T.columns()[C].Title, ""});
  Result += figures(All) + notes(R);
  if (!R.Source.Lines.empty())
    Result += excerpt(R.Source);
  return Result + "</article>\n";
}

/// Of each column.
std::vector<std::vector<std::string>>
shownCells(const Table &T, llvm::ArrayRef<Table::Row> Rows) {
  std::vector<std::vector<std::string>> Result;
  for (size_t C = 0; C < T.columns().size(); ++C) {
    std::vector<std::string> Cells;
    for (const Table::Row &R : Rows)
      Cells.push_back(R.Cells[C]);
    if (!T.columns()[C].CutEnd) {
      Result.push_back(shortenAll(Cells, MaxCellBytes));
      continue;
    }
    for (std::string &Cell : Cells)
      Cell = cut(Cell, MaxCellBytes, /*AtEnd=*/true);
    Result.push_back(std::move(Cells));
  }
  return Result;
}

std::string sheet(const Table &T, size_t First = 0) {
  const llvm::ArrayRef<Table::Row> Rows = T.rows().drop_front(First);
  const auto Cells = shownCells(T, Rows.take_front(MaxTableRows));
  auto Class = [&T](size_t C) {
    return T.columns()[C].Left ? " class=\"text\"" : "";
  };
  std::string Result = "<div class=\"sheet\">\n<div class=\"scroll\">\n"
                       "<table>\n<thead><tr>";
  for (size_t C = 0; C < T.columns().size(); ++C)
    Result += fmt::format("<th scope=\"col\"{}>{}</th>", Class(C),
                          escapeHtml(T.columns()[C].Title));
  Result += "</tr></thead>\n<tbody>\n";
  for (size_t I = 0; I < std::min(Rows.size(), MaxTableRows); ++I) {
    const Table::Row &R = Rows[I];
    Result += "<tr>";
    for (size_t C = 0; C < R.Cells.size(); ++C) {
      const char *Tag = C ? "td" : "th";
      Result += fmt::format("<{}{}{}>{}{}</{}>", Tag, C ? "" : " scope=\"row\"",
                            Class(C), escapeHtml(Cells[C][I]),
                            C ? "" : notes(R), Tag);
    }
    Result += "</tr>\n";
  }
  Result += "</tbody>\n</table>\n</div>\n";
  if (Rows.size() > MaxTableRows)
    Result += fmt::format("<p class=\"what\">{} more rows are omitted; "
                          "--format=json lists all.</p>\n",
                          autoprof::count(Rows.size() - MaxTableRows));
  return Result + "</div>\n";
}

std::string diagnostic(const Diagnostic &D) {
  const std::string Place = D.place();
  const std::string Label = D.Label.empty() ? name(D.Kind).str() : D.Label;
  std::string Result = fmt::format(
      "<li class=\"{0}\">{1}<b>{0}</b> {2}{3}\n", Label,
      Place.empty() ? "" : "<code>" + escapeHtml(Place) + "</code> ",
      escapeHtml(D.Text),
      D.Rule.empty()
          ? ""
          : " <i>" +
                linked(escapeHtml(D.Rule), isAddress(D.More) ? D.More : "") +
                "</i>");
  if (!D.Source.Lines.empty())
    Result += excerpt(D.Source);
  if (!D.Notes.empty()) {
    Result += "<ul>\n";
    for (const Diagnostic &Note : D.Notes)
      Result += diagnostic(Note);
    Result += "</ul>\n";
  }
  return Result + "</li>\n";
}

/// Those that do not get a card are in a table.
std::string cards(const Table &T) {
  std::string Result;
  for (const Table::Row &R : T.rows().take_front(MaxCards))
    Result += card(T, R);
  return T.size() > MaxCards ? Result + sheet(T, MaxCards) : Result;
}

struct ToHtml {
  std::string operator()(const Paragraph &P) const {
    constexpr StringRef Classes[] = {"", " class=\"answer\"", " class=\"what\"",
                                     " class=\"warning\""};
    return "<p" + Classes[P.Kind].str() + ">" + markup(P.Text) + "</p>\n";
  }
  std::string operator()(const List &L) const {
    std::string Result = "<ul>\n";
    for (const Phrase &Item : L.Items)
      Result += "<li>" + markup(Item) + "</li>\n";
    return Result + "</ul>\n";
  }
  std::string operator()(const Facts &F) const {
    std::string Result = "<table class=\"summary\">\n";
    for (const auto &[Name, Value] : F.Lines)
      Result += "<tr><th scope=\"row\">" + escapeHtml(Name) + "</th><td>" +
                markup(Value) + "</td></tr>\n";
    return Result + "</table>\n";
  }
  std::string operator()(const Figures &F) const { return figures(F.All); }
  std::string operator()(const Table &T) const {
    return T.IsCards ? cards(T) : sheet(T);
  }
  std::string operator()(const Excerpt &E) const { return excerpt(E); }
  std::string operator()(const Diagnostics &D) const {
    std::string Result = "<ul class=\"diagnostics\">\n";
    for (const Diagnostic &One : D.All)
      Result += diagnostic(One);
    return Result + "</ul>\n";
  }
  std::string operator()(const Picture &P) const { return P.Html(); }
};

std::string blocks(const Section &S) {
  std::string Result;
  for (const Block &B : S.Blocks)
    Result += std::visit(ToHtml(), B.Content);
  return Result;
}

std::string section(const Section &S) {
  const std::string Id = S.Id.empty() ? "" : " id=\"" + escapeHtml(S.Id) + "\"";
  const std::string Heading =
      S.Heading.empty() ? "" : "<h2>" + escapeHtml(S.Heading) + "</h2>\n";
  return "<section" + Id + ">\n" + Heading + blocks(S) + "</section>\n";
}

std::string header(const Document &D) {
  std::string Result = "<header>\n";
  bool HasHeading = false;
  for (const Block &B : D.Answer.Blocks) {
    const auto *P = std::get_if<Paragraph>(&B.Content);
    const bool IsHeading = P && P->Kind == Paragraph::Answer && !HasHeading;
    HasHeading |= IsHeading;
    // A heading has no full stop.
    Result += IsHeading ? "<h1>" + StringRef(markup(P->Text)).rtrim('.').str() +
                              "</h1>\n"
                        : std::visit(ToHtml(), B.Content);
  }
  if (!D.Origin.empty() || !D.File.empty())
    Result +=
        "<p class=\"run\">" +
        (D.Origin.empty() ? "" : "<code>" + escapeHtml(D.Origin) + "</code> ") +
        escapeHtml(D.File) + "</p>\n";
  return Result + "</header>\n";
}

std::string limits(const Document &D) {
  if (D.Limits.empty())
    return "";
  List L;
  L.Items.assign(D.Limits.begin(), D.Limits.end());
  return "<aside class=\"caveats\">\n<h2>" + escapeHtml(D.LimitsHeading) +
         "</h2>\n" + ToHtml()(L) + "</aside>\n";
}

} // namespace

void report::renderHtml(llvm::raw_ostream &Out, const Document &D,
                        const TextStyle &) {
  std::string Links, Body;
  for (const Section &S : D.Sections) {
    if (S.Blocks.empty())
      continue;
    if (!S.Id.empty() && !S.IsPart)
      Links += fmt::format("<a href=\"#{}\">{}</a>\n", S.Id,
                           escapeHtml(S.Link.empty() ? S.Heading : S.Link));
    Body += section(S);
  }
  Out << htmlPage(cut(D.Title.text(), MaxCellBytes, /*AtEnd=*/true),
                  (Style + D.Page.Style).str(),
                  header(D) + limits(D) +
                      (Links.empty() ? "" : "<nav>\n" + Links + "</nav>\n") +
                      "<main>\n" + Body + "</main>\n",
                  (Script + D.Page.Script).str());
}
