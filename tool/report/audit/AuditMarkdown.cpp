// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit as a comment on a pull request. The first line marks the comment,
// so that a script finds it and updates it.
#include "report/TextTable.h"
#include "report/audit/Audit.h"
#include "report/audit/Formats.h"
#include "report/audit/Prices.h"
#include "report/audit/RulePages.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::audit;
using llvm::StringRef;

namespace {

/// Within a table's row: no line ends, no markup.
std::string cell(StringRef Text) {
  std::string OneLine = Text.str();
  std::replace(OneLine.begin(), OneLine.end(), '\n', ' ');
  return report::escapeMarkdown(OneLine);
}

std::string linked(StringRef Rule) {
  const std::string Url = report::rulePageUrl(Rule);
  return Url.empty() ? cell(Rule) : "[" + cell(Rule) + "](" + Url + ")";
}

std::string row(const report::Audit &A, const Finding &F) {
  const Project &P = A.P;
  std::string Text = "| " + name(F.Level).str() + " | " +
                     cell(P.shownPath(F.Location)) + ":" +
                     llvm::utostr(F.Location.Line) + " | " + cell(F.Message);
  for (const PathStep &Step : F.Path)
    Text += "<br>" + cell(Step.Description) + ": " +
            cell(P.shownPath(Step.Location)) + ":" +
            llvm::utostr(Step.Location.Line);
  if (A.Priced)
    Text += " | " + cell(report::priceText(A, F));
  return Text + " | " + cell(F.Replacement) + " | " + linked(F.Rule) + " |\n";
}

std::string unfoundPart(const report::Audit &A) {
  constexpr size_t Most = 20;
  std::string Text = "\n## " + report::unfoundHeading().str() + "\n\n";
  llvm::raw_string_ostream OS(Text);
  report::unfoundTable(A, Most).printMarkdown(OS);
  if (A.Unfound.size() > Most)
    OS << "\n" << A.Unfound.size() - Most << " more.\n";
  return Text;
}

/// A table of what was found, and a list of what was not.
std::string tail(const report::Audit &A) {
  std::string Text;
  const std::vector<report::RuleCount> Rules = report::byRule(A);
  if (!Rules.empty())
    Text +=
        "\n## Rules\n\n| rule | findings | what it finds |\n|---|---|---|\n";
  for (const report::RuleCount &R : Rules)
    Text += "| " + linked(R.Rule) + " | " + R.Counts.text() + " | " +
            cell(R.Doc) + " |\n";
  if (!Rules.empty())
    Text += "\n`autoprof explain RULE` explains what a rule counts and what to "
            "do.\n";
  const report::SilentCounts Silent = report::silentCounts(A);
  if (Silent.Silent)
    Text += "\n## Waits without a finding\n\n" +
            report::silentSentence(Silent) + ":\n\n";
  for (auto [Why, Count] : Silent.Reasons)
    Text += "- " + llvm::utostr(Count) + " " + describe(Why).str() + "\n";
  return Text;
}

std::string rest(size_t Count, StringRef Noun) {
  return "\n" + llvm::utostr(Count) + " more " + Noun.str() +
         (Count == 1 ? "" : "s") + " did not fit here.\n";
}

} // namespace

void report::writeAuditMarkdown(llvm::raw_ostream &OS, const Audit &A,
                                const TextStyle &Style) {
  const size_t MaxChars = Style.MaxBytes;
  // Room for both lines that say what did not fit.
  size_t Room = MaxChars ? MaxChars - 150 : SIZE_MAX;
  auto Print = [&](const std::string &Text) {
    if (Text.size() > Room)
      return false;
    OS << Text;
    Room -= Text.size();
    return true;
  };
  Print("<!-- autoprof-audit -->\n# Hidden synchronization\n\n" +
        auditSummary(A) + ".\n");
  if (A.Priced)
    Print("\nMeasured: " + escapeMarkdown(pricingSummary(A)) + ".\n");
  if (!A.Findings.empty())
    Print(A.Priced ? "\n| severity | place | finding | measured | instead | "
                     "rule |\n|---|---|---|---|---|---|\n"
                   : "\n| severity | place | finding | instead | rule |\n"
                     "|---|---|---|---|---|\n");
  const std::vector<const Finding *> Sorted = sorted(A);
  size_t Shown = 0;
  while (Shown < Sorted.size() && Print(row(A, *Sorted[Shown])))
    ++Shown;
  if (Shown < Sorted.size())
    OS << rest(Sorted.size() - Shown, "finding");
  if (A.Priced)
    for (const std::string &Line : pricingCaveats(A))
      Print("\n" + escapeMarkdown(Line) + ".\n");
  if (!A.Unfound.empty())
    Print(unfoundPart(A));
  const auto Unread = report::unread(A);
  if (!Unread.empty())
    Print("\n## Not read, or only in part\n\n");
  size_t Named = 0;
  while (Named < Unread.size() &&
         Print("- " + cell(Unread[Named].Place) + ": " +
               cell(Unread[Named].Reason) + "\n"))
    ++Named;
  if (Named < Unread.size())
    OS << rest(Unread.size() - Named, "line");
  if (!A.UnknownRules.empty())
    Print("\n## Comments that name no rule\n\n");
  for (const UnknownRule &U : A.UnknownRules)
    Print("- " + cell(A.P.shownPath({U.File}) + ":" + std::to_string(U.Line)) +
          ": " + cell(describe(U)) + "\n");
  if (!A.UnusedComments.empty())
    Print("\n## Comments that silence nothing\n\n");
  for (const UnusedComment &U : A.UnusedComments)
    Print("- " + cell(A.P.shownPath({U.File}) + ":" + std::to_string(U.Line)) +
          ": " + cell(describe(U)) + "\n");
  const std::vector<std::string> Stale = stale(A);
  if (!Stale.empty())
    Print("\n## Accepted, and not found any more\n\n");
  for (const std::string &Line : Stale)
    Print("- " + cell(Line) + "\n");
  Print(tail(A));
}
