// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit as a document: loop by loop, the findings as compilers print them,
// what they cost where recordings tell, the rules, and what was left out.
#include "audit/Finding.h"
#include "report/Format.h"
#include "report/SourceLines.h"
#include "report/audit/Audit.h"
#include "report/audit/Prices.h"
#include "report/audit/RulePages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace autoprof;
using namespace autoprof::audit;
using namespace autoprof::report;
using llvm::StringRef;

namespace {

Diagnostic note(const Audit &A, const Place &Position, std::string Text) {
  Diagnostic D;
  D.File = A.P.shownPath(Position);
  D.Line = Position.Line;
  D.Column = Position.Column;
  D.Text = std::move(Text);
  return D;
}

/// The line with a mark at the place.
Excerpt excerpt(SourceLines &Source, const Place &Position) {
  const StringRef Line = Source.line(Position.File, Position.Line);
  if (Line.empty())
    return {};
  return {Position.File,   Position.Line, {Line.str()}, Position.Line,
          Position.Column, /*Length=*/0,  "waits"};
}

Diagnostic diagnostic(const Audit &A, const Finding &F, SourceLines &Source) {
  Diagnostic D = note(A, F.Location, F.Message + " (" + severityText(F) + ")");
  // Waits outside loops cost little.
  D.Kind = F.Level == Severity::Note ? Diagnostic::Remark : Diagnostic::Warning;
  D.Label = name(F.Level).str();
  D.Rule = F.Rule;
  D.Title = F.Rule + " (" + severityText(F) + ")";
  const std::string Url = rulePageUrl(F.Rule);
  D.More = Url.empty() ? "autoprof explain " + F.Rule : Url;
  D.Source = excerpt(Source, F.Location);
  for (const auto *Steps : {&F.Path, &F.Notes})
    for (const PathStep &Step : *Steps)
      D.Notes.push_back(note(A, Step.Location, Step.Description));
  if (!F.Replacement.empty())
    D.Notes.push_back(note(A, F.Location, "advice: " + F.Replacement));
  for (std::string &Line : elsewhere(A, F))
    D.Notes.push_back(note(A, F.Location, std::move(Line)));
  if (std::string Price = measuredText(A, F); !Price.empty())
    D.Notes.push_back(note(A, F.Location, std::move(Price)));
  return D;
}

/// Waits of a loop that are shown with another one.
std::string shownElsewhere(const Audit &A, const LoopFindings &L) {
  constexpr size_t Most = 5;
  std::vector<std::string> Places;
  for (const Finding *F : L.Others) {
    const Place &At = F->Decided;
    std::string Text = A.P.shownPath(At) + ":" + llvm::utostr(At.Line);
    if (!llvm::is_contained(Places, Text))
      Places.push_back(std::move(Text));
  }
  if (Places.empty())
    return "";
  const size_t More = Places.size() - std::min(Most, Places.size());
  Places.resize(Places.size() - More);
  return "Shown with other loops, but in this one, too: " +
         llvm::join(Places, ", ") +
         (More ? " and " + llvm::utostr(More) + " more" : "") + ".";
}

void addFindings(Document &D, const Audit &A) {
  D.section("Findings", "findings").Link = plural(A.Findings.size(), "finding");
  SourceLines Source;
  for (const LoopFindings &L : byLoop(A)) {
    Diagnostics Found;
    for (const Finding *F : L.All)
      Found.All.push_back(diagnostic(A, *F, Source));
    Section &S = D.section(describe(A, L));
    S.add(std::move(Found));
    if (std::string Others = shownElsewhere(A, L); !Others.empty())
      S.say(std::move(Others), Paragraph::Note);
  }
  if (!A.Findings.empty())
    D.section("").say(Phrase("Run ") + code("autoprof explain RULE") +
                          " for what a rule counts and what to do.",
                      Paragraph::Note);
}

/// What recordings measured, and where the audit found nothing.
void addPrices(Document &D, const Audit &A) {
  if (!A.Priced)
    return;
  Section &S = D.section("What it cost", "cost");
  S.say("measured: " + pricingSummary(A));
  for (const std::string &Line : pricingCaveats(A))
    S.say("measured: " + Line, Paragraph::Note);
  if (A.Unfound.empty())
    return;
  constexpr size_t MostRows = 10;
  Table Unfound = unfoundTable(A);
  Unfound.Limit = MostRows;
  Unfound.HowToSee = "--format=markdown lists them";
  D.section("Recorded waits that are not findings", "unfound")
      .add(std::move(Unfound));
}

/// Waits without a finding, and why.
void addSilent(Document &D, const Audit &A) {
  const SilentCounts Silent = silentCounts(A);
  if (!Silent.Silent)
    return;
  Section &S = D.section("Waits without a finding", "silent");
  S.say(silentSentence(Silent) + ":");
  Table T({{"calls"}, {"why", true}});
  for (auto [Why, Count] : Silent.Reasons)
    T.addRow({llvm::utostr(Count), describe(Why).str()});
  S.add(std::move(T));
}

/// What the audit could not read, and comments and entries without effect.
void addLeftOut(Document &D, const Audit &A) {
  Diagnostics Found;
  auto Add = [&](const char *Title, std::string File, unsigned Line,
                 std::string Text) -> Diagnostic & {
    Diagnostic &One = Found.All.emplace_back();
    One.Title = Title;
    One.File = std::move(File);
    One.Line = Line;
    One.Text = std::move(Text);
    return One;
  };
  for (const UnreadLine &L : unread(A))
    Add("not read", L.Place, 0, L.Reason);
  for (const Place &Loop : A.Cut)
    Add("not followed", A.P.shownPath(Loop), Loop.Line,
        "this loop calls more than the audit follows: waits may be missing");
  for (const UnknownRule &U : A.UnknownRules)
    Add("unknown rule", A.P.shownPath({U.File}), U.Line, describe(U)).Kind =
        Diagnostic::Warning;
  for (const std::string &Line : stale(A))
    Add("accepted findings", "", 0, Line);
  D.section("Not read, or without effect", "left-out").add(std::move(Found));
}

} // namespace

Document report::auditDocument(const Audit &A, const TextStyle &) {
  Document D;
  D.Title = "Hidden synchronization";
  D.Marker = "autoprof-audit";
  D.IsLog = true;
  D.Answer.say(auditSummary(A), Paragraph::Answer);
  addFindings(D, A);
  addPrices(D, A);
  addSilent(D, A);
  addLeftOut(D, A);
  return D;
}
