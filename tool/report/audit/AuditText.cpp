// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/SourceLines.h"
#include "report/audit/Audit.h"
#include "report/audit/Formats.h"
#include "report/audit/Prices.h"

#include "llvm/Support/Format.h"

using namespace autoprof;
using namespace autoprof::audit;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

class Printer {
  const report::Audit &A;
  raw_ostream &OS;
  bool Color;
  report::SourceLines Source;

public:
  Printer(const report::Audit &A, raw_ostream &OS, bool Color)
      : A(A), OS(OS), Color(Color) {}

  void finding(const Finding &F) {
    // Waits outside loops cost little.
    const bool Weak = F.Level == Severity::Note;
    head(F.Location, Weak ? "remark" : "warning",
         Weak ? raw_ostream::BLUE : raw_ostream::MAGENTA,
         // After the message, so that parsers of compiler output find the rule
         // alone in its brackets.
         F.Message + " (" + report::severityText(F) + ") [" + F.Rule + "]");
    excerpt(F.Location);
    for (const PathStep &Step : F.Path)
      note(Step.Location, Step.Description);
    for (const PathStep &Step : F.Notes)
      note(Step.Location, Step.Description);
    if (!F.Replacement.empty())
      note(F.Location, "advice: " + F.Replacement);
    if (const std::string Price = report::priceText(A, F); !Price.empty())
      note(F.Location, report::measuredText(Price));
  }

private:
  void paint(raw_ostream::Colors C, bool Bold) {
    if (Color)
      OS.changeColor(C, Bold);
  }
  void plain() {
    if (Color)
      OS.resetColor();
  }
  void head(const Place &Position, StringRef Kind, raw_ostream::Colors C,
            const std::string &Text) {
    paint(raw_ostream::SAVEDCOLOR, true);
    OS << A.P.shownPath(Position) << ':' << Position.Line << ':'
       << Position.Column << ": ";
    paint(C, true);
    OS << Kind << ": ";
    plain();
    OS << Text << '\n';
  }
  void note(const Place &Position, const std::string &Text) {
    head(Position, "note", raw_ostream::CYAN, Text);
  }
  void excerpt(const Place &Position) {
    StringRef Line = Source.line(Position.File, Position.Line);
    if (Line.empty())
      return;
    std::string Number = std::to_string(Position.Line);
    const std::string Margin(Number.size(), ' ');
    OS << "  " << Number << " | " << Line << '\n' << "  " << Margin << " | ";
    // Tabs keep their width in the line above.
    for (unsigned I = 0; I + 1 < Position.Column && I < Line.size(); ++I)
      OS << (Line[I] == '\t' ? '\t' : ' ');
    paint(raw_ostream::GREEN, true);
    OS << "^";
    plain();
    OS << '\n';
  }
};

} // namespace

/// The rules that found something, and the waits that are not findings.
static void writeTail(raw_ostream &OS, const report::Audit &A) {
  const std::vector<report::RuleCount> Rules = report::byRule(A);
  if (!Rules.empty())
    OS << "\nfindings by rule, which 'autoprof explain RULE' describes:\n";
  for (const report::RuleCount &R : Rules)
    OS << llvm::format("%6u  ", R.Counts.total())
       << llvm::left_justify(R.Rule, 40) << ' ' << R.Counts.text() << '\n';
  const report::SilentCounts Silent = report::silentCounts(A);
  if (!Silent.Silent)
    return;
  OS << '\n' << report::silentSentence(Silent) << ":\n";
  for (auto [Why, Count] : Silent.Reasons)
    OS << llvm::format("%6u  ", Count) << describe(Why) << '\n';
}

/// Below the findings: what was measured, and where the audit found nothing.
static void printPricing(raw_ostream &OS, const report::Audit &A,
                         const report::TextStyle &Style) {
  constexpr size_t MostUnfound = 10;
  if (!A.Unfound.empty()) {
    OS << '\n' << report::unfoundHeading() << ":\n";
    for (const UnfoundWait &W :
         llvm::ArrayRef(A.Unfound).take_front(MostUnfound)) {
      report::printWrapped(OS, report::unfoundText(A, W), 2, Style.Width);
      report::printWrapped(OS, W.Text, 6, Style.Width);
    }
    if (A.Unfound.size() > MostUnfound)
      OS << "  " << A.Unfound.size() - MostUnfound
         << " more are in the other formats\n";
    OS << '\n';
  }
  OS << "measured: " << report::pricingSummary(A) << '\n';
  for (const std::string &Line : report::pricingCaveats(A))
    OS << "measured: " << Line << '\n';
}

void report::writeAuditText(raw_ostream &OS, const Audit &A,
                            const TextStyle &Style) {
  Printer Print(A, OS, Style.Color);
  OS << auditSummary(A) << '\n';
  if (!A.Findings.empty())
    OS << '\n';
  for (const Finding *F : sorted(A))
    Print.finding(*F);
  const std::vector<UnreadLine> Unread = unread(A);
  if (!Unread.empty())
    OS << '\n';
  for (const UnreadLine &L : Unread)
    OS << L.Place << ": " << L.Reason << '\n';
  for (const UnknownRule &U : A.UnknownRules)
    OS << A.P.shownPath({U.File}) << ':' << U.Line
       << ": warning: " << describe(U) << '\n';
  for (const UnusedComment &U : A.UnusedComments)
    OS << A.P.shownPath({U.File}) << ':' << U.Line << ": note: " << describe(U)
       << '\n';
  for (const std::string &Line : stale(A))
    OS << "note: " << Line << '\n';
  if (A.Priced)
    printPricing(OS, A, Style);
  writeTail(OS, A);
}
