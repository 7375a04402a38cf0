// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What people read, as data: a report, a comparison, an audit, or an
// explanation is built once as a Document; a renderer turns any document into
// one format and knows nothing of its subject. A new table is a new block in
// one builder; a new format is a new renderer (Renderings.h).
//
// Texts are plain: each renderer escapes and wraps them. Only Picture holds
// markup.
#pragma once

#include "report/document/Phrase.h"
#include "report/document/Table.h"

#include <functional>
#include <variant>

namespace autoprof::report {

/// Which formats show a block or a section.
enum class Shown : uint8_t {
  Everywhere,
  InFull, ///< On pages, and elsewhere if everything is asked for.
  OnPages ///< Pictures, and what repeats other parts next to them.
};

struct Paragraph {
  enum Role : uint8_t {
    Normal,
    Answer, ///< What the reader came for; emphasized.
    Note,   ///< How to read what is above or below it.
    Warning
  };
  Phrase Text;
  Role Kind = Normal;
};

struct List {
  std::vector<Phrase> Items;
};

/// Names and values, one below the other. An empty name continues the line
/// above.
struct Facts {
  std::vector<std::pair<std::string, Phrase>> Lines;
};

/// Key figures: "152 us", "step time", "p95 153 us".
struct Figures {
  struct Figure {
    std::string Value, Name, More;
  };
  std::vector<Figure> All;
};

/// Messages about places, as compilers print them; GitHub shows them next to
/// the lines of a change.
struct Diagnostic {
  enum Level : uint8_t { Error, Warning, Remark, Note };
  Level Kind = Note;
  std::string File; ///< "": the message has no place.
  unsigned Line = 0, Column = 0;
  std::string Text, Rule; ///< Rule: "" or the name of what found it.
  Excerpt Source;
  std::vector<Diagnostic> Notes{}; ///< What belongs to it, one level deep.
  std::string Title{};             ///< On GitHub; "": the rule.
  /// On pages and in Markdown in place of the kind: "medium".
  std::string Label{};
  std::string More{}; ///< About the rule: an address, or a command; or "".

  /// "train.cu:88:5", "train.cu:88", "train.cu", "".
  std::string place() const {
    return File + (Line ? ":" + std::to_string(Line) : "") +
           (Line && Column ? ":" + std::to_string(Column) : "");
  }
};
struct Diagnostics {
  std::vector<Diagnostic> All;
};
/// "error", "warning", "remark", "note".
llvm::StringRef name(Diagnostic::Level L);

/// An SVG, or what a script of the page draws; made only for pages, while what
/// the document was built from still exists.
struct Picture {
  std::function<std::string()> Html;
};

struct Block {
  std::variant<Paragraph, List, Facts, Figures, Table, Excerpt, Diagnostics,
               Picture>
      Content;
  Shown Where = Shown::Everywhere;
};

struct Section {
  std::string Heading; ///< "": continues what is above.
  std::string Id;      ///< Of the element on a page; "": none.
  std::string Link;    ///< In a page's navigation; "": the heading.
  std::vector<Block> Blocks;
  Shown Where = Shown::Everywhere;
  /// Belongs to the section above, as a smaller heading without a link.
  bool IsPart = false;

  /// Adds a block, unless it is empty: a paragraph or list without text, a
  /// table without rows.
  template <typename T> Section &add(T Content, Shown On = Shown::Everywhere) {
    if (!isEmpty(Content))
      Blocks.push_back({std::move(Content), On});
    return *this;
  }
  /// A paragraph.
  Section &say(Phrase Text, Paragraph::Role Kind = Paragraph::Normal,
               Shown On = Shown::Everywhere) {
    return add(Paragraph{std::move(Text), Kind}, On);
  }

private:
  static bool isEmpty(const Paragraph &P) { return P.Text.empty(); }
  static bool isEmpty(const List &L) { return L.Items.empty(); }
  static bool isEmpty(const Facts &F) { return F.Lines.empty(); }
  static bool isEmpty(const Figures &F) { return F.All.empty(); }
  static bool isEmpty(const Table &T) { return T.empty(); }
  static bool isEmpty(const Excerpt &E) { return E.Lines.empty(); }
  static bool isEmpty(const Diagnostics &D) { return D.All.empty(); }
  static bool isEmpty(const Picture &P) { return !P.Html; }
};

/// The style and scripts of a page, besides those that all pages have;
/// literals.
struct PageParts {
  llvm::StringRef Style, Script;
};

struct Document {
  Phrase Title; ///< Of a page's tab, and of Markdown.
  /// In Markdown, a comment on the first line, by which scripts find the text
  /// among others: "autoprof-audit"; or "".
  std::string Marker;
  std::string File;   ///< That it was read from; a terminal may cut it.
  std::string Origin; ///< What it is about: the command.
  Section Answer;     ///< Without a heading.
  /// On terminals, the answer comes last, as compilers do it.
  bool IsAnswerLast = false;
  /// On terminals, no line is wrapped and no table cut: editors and scripts
  /// read it.
  bool IsLog = false;
  std::vector<Section> Sections;
  std::string LimitsHeading;
  std::vector<std::string> Limits; ///< Caveats: last, on pages first.
  PageParts Page;

  /// Adds a section to fill; the reference is valid until the next call.
  Section &section(std::string Heading, std::string Id = "",
                   Shown Where = Shown::Everywhere) {
    Sections.emplace_back();
    Sections.back().Heading = std::move(Heading);
    Sections.back().Id = std::move(Id);
    Sections.back().Where = Where;
    return Sections.back();
  }
};

} // namespace autoprof::report
