// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/document/Renderings.h"

#include <fmt/format.h>

#include <algorithm>

using namespace autoprof;
using namespace autoprof::report;

namespace {

/// Writes one block after the other, each indented by the same width.
class Terminal {
  llvm::raw_ostream &Out;
  const TextStyle &Style;
  unsigned Indent = 0;

public:
  Terminal(llvm::raw_ostream &Out, const TextStyle &Style)
      : Out(Out), Style(Style) {}

  void document(const Document &D) {
    if (const std::string Title = title(D); !Title.empty()) {
      printWrapped(Out, Title, 0, Style.Width);
      Out << '\n';
    }
    if (!D.IsAnswerLast)
      visitInText(D.Answer, Style, *this);
    Indent = 2;
    for (const Section &S : D.Sections)
      section(S);
    if (D.IsAnswerLast) {
      Indent = 0;
      visitInText(D.Answer, Style, *this);
    }
    if (D.Limits.empty())
      return;
    heading(D.LimitsHeading);
    for (const std::string &Line : D.Limits)
      printWrapped(Out, Line, Indent, Style.Width);
  }

  void operator()(const Paragraph &P) {
    const bool IsBold = Style.Color && P.Kind == Paragraph::Answer;
    Out << (IsBold ? "\033[1m" : "");
    printWrapped(Out, P.Text.text(), Indent, Style.Width);
    Out << (IsBold ? "\033[0m" : "");
  }
  void operator()(const List &L) {
    for (const Phrase &Item : L.Items)
      printWrapped(Out, Item.text(), std::max(Indent, 2U), Style.Width);
  }
  void operator()(const Facts &F) {
    size_t Width = 0;
    for (const auto &[Name, Value] : F.Lines)
      Width = std::max(Width, Name.size());
    for (const auto &[Name, Value] : F.Lines) {
      std::string Wrapped;
      llvm::raw_string_ostream Text(Wrapped);
      printWrapped(Text, Value.text(), unsigned(Width) + Indent + 2,
                   Style.Width);
      Out.indent(Indent) << fmt::format("{:<{}}  {}", Name, Width,
                                        llvm::StringRef(Wrapped).ltrim(' '));
    }
  }
  void operator()(const Figures &F) {
    for (const Figures::Figure &One : F.All)
      printWrapped(Out,
                   One.Name + ": " + One.Value +
                       (One.More.empty() ? "" : ", " + One.More),
                   Indent, Style.Width);
  }
  void operator()(const Table &T) {
    const size_t Rows = rowsInText(T, Style);
    if (Rows)
      printAligned(Out, T, std::max(Style.Width, T.LeastWidth), Style.Color,
                   Rows);
    if (const std::string Rest = T.rest(Rows); !Rest.empty())
      printWrapped(Out, Rest, 2, Style.Width);
  }
  void operator()(const Excerpt &E) {
    for (size_t I = 0; I < E.Lines.size(); ++I) {
      const unsigned Number = E.First + unsigned(I);
      Out.indent(Indent) << fmt::format("{:>5} | {}\n", Number,
                                        terminalText(E.Lines[I]));
      if (Number == E.Marked && E.Column)
        Out.indent(Indent) << fmt::format("{:>5} | {:>{}}\n", "", "^",
                                          E.Column);
    }
  }
  void operator()(const Diagnostics &D) {
    for (const Diagnostic &One : D.All) {
      diagnostic(One);
      for (const Diagnostic &Note : One.Notes)
        diagnostic(Note);
    }
  }
  void operator()(const Picture &) {}

private:
  /// Neither wrapped nor indented: editors parse it.
  void diagnostic(const Diagnostic &D) {
    constexpr llvm::StringLiteral Colors[] = {"\033[1;31m", "\033[1;35m",
                                              "\033[1;34m", "\033[1;36m"};
    const std::string Place = D.place();
    if (!Place.empty())
      Out << paint("\033[1m", terminalText(Place) + ": ");
    Out << paint(Colors[D.Kind], name(D.Kind).str() + ": ")
        << terminalText(D.Text) << (D.Rule.empty() ? "" : " [" + D.Rule + "]")
        << '\n';
    if (!D.Source.Lines.empty())
      (*this)(D.Source);
  }
  std::string paint(llvm::StringRef Code, const std::string &Text) const {
    return Style.Color ? Code.str() + Text + "\033[0m" : Text;
  }
  /// "base.pftrace: ./train --epochs 3": the file is cut, a long command
  /// continues on further lines.
  std::string title(const Document &D) const {
    if (D.File.empty() || D.Origin.empty())
      return D.File + D.Origin;
    const size_t Room =
        Style.Width - 2 - std::min<size_t>(D.Origin.size(), Style.Width / 2);
    return cut(D.File, Room, /*AtEnd=*/false) + ": " + D.Origin;
  }
  void heading(llvm::StringRef Text) {
    Out << (Style.Color ? "\n\033[1m" : "\n") << Text
        << (Style.Color ? "\033[0m\n" : "\n");
  }
  void section(const Section &S) {
    if (!isInText(S, Style))
      return;
    if (!S.Heading.empty())
      heading(S.Heading);
    visitInText(S, Style, *this);
  }
};

} // namespace

void report::renderTerminal(llvm::raw_ostream &Out, const Document &D,
                            const TextStyle &Style) {
  constexpr unsigned Unlimited = 1U << 30;
  TextStyle Used = Style;
  if (D.IsLog)
    Used.Width = Unlimited;
  Terminal(Out, Used).document(D);
}
