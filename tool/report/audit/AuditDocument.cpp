// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit as a document: loop by loop, the findings as compilers print them,
// what they cost where recordings tell, the rules, and what was left out. Pages
// add the annotated listing of each file; their script only filters, and moves
// from finding to finding.
#include "audit/Rules.h"
#include "report/Format.h"
#include "report/Html.h"
#include "report/audit/Audit.h"
#include "report/audit/Listing.h"
#include "report/audit/Prices.h"
#include "report/audit/RulePages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::audit;
using namespace autoprof::report;
using catalogue::Waits;
using llvm::StringRef;

namespace {

constexpr StringRef Style =
#include "report/audit.css.inc"
    ;
constexpr StringRef Script =
#include "report/audit.js.inc"
    ;

std::string plural(size_t Count, const char *Noun) {
  return fmt::format("{} {}{}", Count, Noun, Count == 1 ? "" : "s");
}

std::string findingLink(const Audit &A, const Finding &F) {
  return "#finding-" + llvm::utostr(&F - A.Findings.data());
}

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
  D.Link = findingLink(A, F);
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

/// Hidden until the script shows it.
std::string filterHtml(const Audit &A) {
  std::string Html =
      "<form id=\"filter\" hidden>\n<fieldset><legend>Severity</legend>";
  for (Severity S : SeverityCounts::Worst)
    Html += fmt::format("<label class=\"{0}\"><input type=\"checkbox\" "
                        "name=\"severity\" value=\"{0}\" checked> {0}</label>",
                        name(S).str());
  Html += "</fieldset>\n<label>Rule <select name=\"rule\"><option "
          "value=\"\">all</option>";
  for (const RuleCount &R : byRule(A))
    Html += "<option>" + R.Rule.str() + "</option>";
  return Html + "</select></label>\n<label>File <input type=\"search\" "
                "name=\"file\" placeholder=\"part of its path\"></label>\n"
                "<output aria-live=\"polite\"></output>\n<span class=\"keys\">"
                "<kbd>n</kbd> <kbd>p</kbd> next, previous</span>\n</form>\n";
}

void addFindings(Document &D, const Audit &A) {
  Section &S = D.section("Findings", "findings");
  S.Link = plural(A.Findings.size(), "finding");
  if (!A.Findings.empty())
    S.add(Picture{[&A] { return filterHtml(A); }}, Shown::OnPages);
  SourceLines Source;
  Diagnostics Found;
  Found.IsIndex = true;
  if (A.Sorting == Order::File) {
    for (const Finding &F : A.Findings)
      Found.All.push_back(diagnostic(A, F, Source));
    S.add(std::move(Found));
    return;
  }
  for (const LoopFindings &L : byLoop(A)) {
    Found.All.clear();
    for (const Finding *F : L.All)
      Found.All.push_back(diagnostic(A, *F, Source));
    Section &S = D.section(describe(A, L));
    S.add(Found);
    if (std::string Others = shownElsewhere(A, L); !Others.empty())
      S.say(std::move(Others), Paragraph::Note);
  }
}

/// What recordings measured, and where the audit found nothing.
void addPrices(Document &D, const Audit &A) {
  if (!A.Priced)
    return;
  Section &S = D.section("What it cost", "cost");
  S.say("measured: " + pricingSummary(A));
  for (const std::string &Line : pricingCaveats(A))
    S.say("measured: " + Line, Paragraph::Note);
  Table T({{"finding", true}, {"severity", true}, {"measured", true}});
  for (const Finding &F : A.Findings)
    T.addRow({fmt::format("{}:{}", A.P.shownPath(F.Location), F.Location.Line),
              name(F.Level).str(), priceText(A, F)})
        .Link = findingLink(A, F);
  S.add(std::move(T), Shown::OnPages);
  if (A.Unfound.empty())
    return;
  constexpr size_t MostRows = 10;
  Table Unfound = unfoundTable(A, A.Unfound.size());
  Unfound.Limit = MostRows;
  D.section(unfoundHeading().str(), "unfound").add(std::move(Unfound));
}

/// What docs/audit has of each rule that found something.
std::string rulePages(const Audit &A) {
  std::string Html;
  for (const RuleCount &R : byRule(A))
    if (const RulePage *Page = findRulePage(R.Rule))
      Html += fmt::format("<details class=\"page\" id=\"{0}\"><summary>{0}"
                          "</summary>\n{1}</details>\n",
                          R.Rule.str(), rulePageHtml(*Page));
  return Html;
}

void addRules(Document &D, const Audit &A) {
  Table T({{"rule", true}, {"findings", true}, {"what it finds", true, true}});
  for (const RuleCount &R : byRule(A))
    T.addRow({R.Rule.str(), R.Counts.text(), R.Doc.str()}).Link =
        "#" + R.Rule.str();
  if (T.empty())
    return;
  Section &S = D.section("Findings by rule", "rules");
  S.add(std::move(T));
  S.say(Phrase("Run ") + code("autoprof explain RULE") +
            " for what a rule counts and what to do.",
        Paragraph::Note);
  S.add(Picture{[&A] { return rulePages(A); }}, Shown::OnPages);
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
  for (const auto &[File, Line] : A.Unchecked)
    Add("not checked", A.P.shownPath({File}), Line,
        "an index selects what is copied: races are not checked here");
  for (const UnknownRule &U : A.UnknownRules)
    Add("unknown rule", A.P.shownPath({U.File}), U.Line, describe(U)).Kind =
        Diagnostic::Warning;
  for (const UnusedComment &U : A.UnusedComments)
    Add("unused comment", A.P.shownPath({U.File}), U.Line, describe(U));
  for (const std::string &Line : stale(A))
    Add("accepted findings", "", 0, Line);
  D.section("Not read, or without effect", "left-out").add(std::move(Found));
}

/// How many calls of a file wait, may wait, and do neither.
std::array<unsigned, 3> callsOf(const ListedFile &F) {
  std::array<unsigned, 3> Result{};
  for (const LinkedSite *S : F.Sites)
    ++Result[S->Effects.Wait == Waits::Yes     ? 0
             : S->Effects.Wait == Waits::Maybe ? 1
                                               : 2];
  return Result;
}

std::string fileHtml(Listing &L, unsigned I) {
  const ListedFile &F = L.files()[I];
  const auto [Yes, Maybe, No] = callsOf(F);
  return fmt::format(
      "<details class=\"file\" id=\"{}\"{} data-file=\"{}\"><summary><h2>{}"
      "</h2> <span>{}; {}, {} wait, {} may wait</span></summary>\n<div "
      "class=\"code\">\n{}</div>\n</details>\n",
      anchorOf(I), F.Findings.empty() ? "" : " open", escapeHtml(F.Shown),
      escapeHtml(F.Shown), plural(F.Findings.size(), "finding"),
      plural(Yes + Maybe + No, "call"), Yes, Maybe, L.write(F));
}

std::string filesHtml(Listing &L) {
  std::string Html =
      "<p class=\"legend\"><span class=\"y\">the host waits</span> "
      "<span class=\"m\">it may wait, and on what that depends</span> "
      "<span class=\"n\">it does not wait</span></p>\n";
  for (unsigned I = 0; I < L.files().size(); ++I)
    Html += fileHtml(L, I);
  return Html;
}

/// The annotated listing of each file that has calls of the catalogue.
void addFiles(Document &D, const Audit &A) {
  auto L = std::make_shared<Listing>(A);
  if (L->files().empty())
    return;
  Section &S =
      D.section(plural(L->files().size(), "file"), "files", Shown::OnPages);
  if (!L->folder().empty())
    S.say("Paths are below " + L->folder().str() + ".", Paragraph::Note);
  Table T(
      {{"file", true}, {"findings", true}, {"wait"}, {"may wait"}, {"do not"}});
  for (unsigned I = 0; I < L->files().size(); ++I) {
    const ListedFile &F = L->files()[I];
    SeverityCounts Count;
    for (const auto &[Number, Item] : F.Findings)
      Count.add(Item->Level);
    const auto [Yes, Maybe, No] = callsOf(F);
    T.addRow({F.Shown, Count.text(), llvm::utostr(Yes), llvm::utostr(Maybe),
              llvm::utostr(No)})
        .Link = "#" + anchorOf(I);
  }
  S.add(std::move(T));
  S.add(Picture{[L] { return filesHtml(*L); }});
}

} // namespace

Document report::auditDocument(const Audit &A, const TextStyle &) {
  Document D;
  D.Title = "Hidden synchronization";
  D.Marker = "autoprof-audit";
  D.IsLog = true;
  D.Page = {Style, Script};
  D.Answer.say(auditSummary(A), Paragraph::Answer);
  addFindings(D, A);
  addPrices(D, A);
  addRules(D, A);
  addSilent(D, A);
  addLeftOut(D, A);
  addFiles(D, A);
  return D;
}
