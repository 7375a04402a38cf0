// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The audit as a page: what was found, and the annotated listing of each file.
// Everything is in the HTML, so the page is readable without a script; the
// script only filters, and moves from finding to finding.
#include "audit/Rules.h"
#include "report/Html.h"
#include "report/audit/Formats.h"
#include "report/audit/Listing.h"
#include "report/audit/Prices.h"
#include "report/audit/RulePages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <array>

using namespace autoprof;
using namespace autoprof::audit;
using catalogue::Waits;
using llvm::StringRef;

namespace {

// clang-format off: the order matters.
constexpr StringRef Style =
#include "report/base.css.inc"
#include "report/audit.css.inc"
    ;
// clang-format on
constexpr StringRef Script =
#include "report/audit.js.inc"
    ;

/// Findings of the list at the top that are not folded.
constexpr size_t FirstFindings = 12;

/// Cells of a table's row, one for each severity.
std::string cells(const report::SeverityCounts &Counts) {
  std::string Result;
  for (Severity S : Counts.Worst)
    Result += "<td class=\"" + name(S).str() + "\">" +
              (Counts.of(S) ? llvm::utostr(Counts.of(S))
                            : "<span class=\"none\">0</span>") +
              "</td>";
  return Result;
}

std::string severityHeads() {
  std::string Result;
  for (Severity S : report::SeverityCounts::Worst)
    Result += "<th scope=\"col\">" + name(S).str() + "</th>";
  return Result;
}

std::string plural(unsigned Count, const char *Noun) {
  return llvm::utostr(Count) + " " + Noun + (Count == 1 ? "" : "s");
}

/// May be broken after each folder.
std::string pathText(StringRef Path) {
  std::string Result;
  for (char C : report::escapeHtml(Path))
    Result += C == '/' ? std::string("/<wbr>") : std::string(1, C);
  return Result;
}

class Page {
  const report::Audit &A;
  report::Listing Listing;
  std::string Body;

public:
  explicit Page(const report::Audit &A) : A(A), Listing(A) {}

  std::string write() {
    Body += "<header>\n<h1>Hidden synchronization</h1>\n<p>" +
            report::escapeHtml(report::auditSummary(A)) + ".";
    if (!Listing.folder().empty())
      Body += " Paths are below " + report::escapeHtml(Listing.folder()) + ".";
    Body += "</p>\n</header>\n";
    if (A.Priced)
      Body += report::pricingHtml(A);
    if (!A.Findings.empty()) {
      filter();
      findings();
    }
    files();
    legend();
    Body += "<main>\n";
    for (unsigned I = 0; I < Listing.files().size(); ++I)
      file(I);
    Body += "</main>\n";
    unread();
    rules();
    silent();
    return report::htmlPage("Hidden synchronization", Style, Body, Script);
  }

private:
  /// A line for each, so that the worst are on the first screen; the listing
  /// has the rest.
  void findings() {
    const std::vector<const Finding *> Sorted = report::sorted(A);
    Body += "<section>\n<h2>" + plural(unsigned(Sorted.size()), "finding") +
            (A.Priced ? ", the most expensive first"
             : A.Sorting == report::Order::Severity ? ", the most severe first"
                                                    : "") +
            "</h2>\n<ol class=\"findings\">\n";
    for (size_t I = 0; I < Sorted.size(); ++I) {
      if (I == FirstFindings)
        Body += "</ol>\n<details><summary>" + llvm::utostr(Sorted.size() - I) +
                " more</summary>\n<ol class=\"findings\">\n";
      finding(*Sorted[I]);
    }
    Body += Sorted.size() > FirstFindings ? "</ol>\n</details>\n</section>\n"
                                          : "</ol>\n</section>\n";
  }

  void finding(const Finding &F) {
    const std::string Level = name(F.Level).str();
    Body +=
        "<li data-finding=\"finding-" + llvm::utostr(&F - A.Findings.data()) +
        "\"><span class=\"severity " + Level + "\">" + Level +
        "</span> <a href=\"#finding-" + llvm::utostr(&F - A.Findings.data()) +
        "\">" + pathText(Listing.shown(F.Location)) + ":" +
        llvm::utostr(F.Location.Line) + "</a> <span>" +
        report::escapeHtml(F.Message) + "</span> <a class=\"rule\" href=\"#" +
        F.Rule + "\">" + report::escapeHtml(F.Rule) + "</a></li>\n";
  }

  void rules() {
    const std::vector<report::RuleCount> Rules = report::byRule(A);
    if (Rules.empty())
      return;
    Body += "<section>\n<h2>Rules</h2>\n<table class=\"rules\">\n<tr><th "
            "scope=\"col\">rule</th>" +
            severityHeads() + "<th scope=\"col\">what it finds</th></tr>\n";
    for (const report::RuleCount &R : Rules)
      Body += "<tr><th scope=\"row\"><a href=\"#" + R.Rule.str() + "\">" +
              R.Rule.str() + "</a></th>" + cells(R.Counts) + "<td>" +
              report::escapeHtml(R.Doc) + "</td></tr>\n";
    Body += "</table>\n";
    for (const report::RuleCount &R : Rules)
      page(R.Rule);
    Body += "</section>\n";
  }

  /// What docs/audit has of a rule.
  void page(StringRef Rule) {
    const report::RulePage *Page = report::findRulePage(Rule);
    Body += "<details class=\"page\" id=\"" + Rule.str() + "\"><summary>" +
            Rule.str() + "</summary>\n" +
            (Page ? report::rulePageHtml(*Page) : "") + "</details>\n";
  }

  /// Waits without a finding, and why.
  void silent() {
    const report::SilentCounts Silent = report::silentCounts(A);
    const std::vector<std::string> Stale = report::stale(A);
    if (Silent.Silent) {
      Body += "<section>\n<h2>Waits without a finding</h2>\n<p>" +
              report::escapeHtml(report::silentSentence(Silent)) +
              ":</p>\n<ul class=\"silent\">\n";
      for (auto [Why, Count] : Silent.Reasons)
        Body += "<li>" + llvm::utostr(Count) + " " +
                report::escapeHtml(describe(Why)) + "</li>\n";
      Body += "</ul>\n</section>\n";
    }
    std::vector<std::string> Unknown;
    for (const UnknownRule &U : A.UnknownRules)
      Unknown.push_back(A.P.shownPath({U.File}) + ":" + std::to_string(U.Line) +
                        ": " + report::describe(U));
    list("Comments that name no rule", Unknown);
    list("Accepted, and not found any more", Stale);
  }

  void list(StringRef Title, llvm::ArrayRef<std::string> Lines) {
    if (Lines.empty())
      return;
    Body += "<section>\n<h2>" + Title.str() + "</h2>\n<ul class=\"skipped\">\n";
    for (const std::string &Line : Lines)
      Body += "<li>" + report::escapeHtml(Line) + "</li>\n";
    Body += "</ul>\n</section>\n";
  }

  /// Hidden until the script shows it.
  void filter() {
    Body += "<form id=\"filter\" hidden>\n<fieldset><legend>Severity</legend>";
    for (Severity S : report::SeverityCounts::Worst)
      Body += "<label class=\"" + name(S).str() +
              "\"><input type=\"checkbox\" name=\"severity\" value=\"" +
              name(S).str() + "\" checked> " + name(S).str() + "</label>";
    Body += "</fieldset>\n<label>Rule <select name=\"rule\"><option "
            "value=\"\">all</option>";
    for (const Rule &R : audit::rules())
      if (llvm::any_of(A.Findings, [&](auto &F) { return F.Rule == R.Name; }))
        Body += "<option>" + R.Name.str() + "</option>";
    Body += "</select></label>\n<label>File <input type=\"search\" "
            "name=\"file\" placeholder=\"part of its path\"></label>\n"
            "<output aria-live=\"polite\"></output>\n<span class=\"keys\">"
            "<kbd>n</kbd> <kbd>p</kbd> next, previous</span>\n</form>\n";
  }

  void files() {
    if (Listing.files().empty())
      return;
    Body += "<section>\n<details" +
            std::string(Listing.files().size() <= 30 ? " open" : "") +
            "><summary><h2>" +
            plural(unsigned(Listing.files().size()), "file") +
            "</h2></summary>\n<table class=\"files\">\n<tr><th "
            "scope=\"col\">file</th>" +
            severityHeads() +
            "<th scope=\"col\">wait</th><th scope=\"col\">may wait</th><th "
            "scope=\"col\">do not</th></tr>\n";
    for (unsigned I = 0; I < Listing.files().size(); ++I) {
      const report::ListedFile &F = Listing.files()[I];
      report::SeverityCounts Count;
      for (const auto &[Number, Item] : F.Findings)
        Count.add(Item->Level);
      const auto [Yes, Maybe, No] = callsOf(F);
      Body += "<tr><th scope=\"row\"><a href=\"#" + report::anchorOf(I) +
              "\">" + pathText(F.Shown) + "</a></th>" + cells(Count) + "<td>" +
              llvm::utostr(Yes) + "</td><td>" + llvm::utostr(Maybe) +
              "</td><td>" + llvm::utostr(No) + "</td></tr>\n";
    }
    Body += "</table>\n</details>\n</section>\n";
  }

  /// How many wait, may wait, and do neither.
  static std::array<unsigned, 3> callsOf(const report::ListedFile &F) {
    std::array<unsigned, 3> Result{};
    for (const LinkedSite *S : F.Sites)
      ++Result[S->Effects.Wait == Waits::Yes     ? 0
               : S->Effects.Wait == Waits::Maybe ? 1
                                                 : 2];
    return Result;
  }

  void legend() {
    Body += "<p class=\"legend\"><span class=\"y\">the host waits</span> "
            "<span class=\"m\">it may wait, and on what that depends</span> "
            "<span class=\"n\">it does not wait</span></p>\n";
  }

  void file(unsigned I) {
    const report::ListedFile &F = Listing.files()[I];
    const auto [Yes, Maybe, No] = callsOf(F);
    Body += "<details class=\"file\" id=\"" + report::anchorOf(I) + "\"" +
            (F.Findings.empty() ? "" : " open") + " data-file=\"" +
            report::escapeHtml(F.Shown) + "\"><summary><h2>" +
            pathText(F.Shown) + "</h2> <span>" +
            plural(unsigned(F.Findings.size()), "finding") + "; " +
            plural(Yes + Maybe + No, "call") + ", " + llvm::utostr(Yes) +
            " wait, " + llvm::utostr(Maybe) +
            " may wait</span></summary>\n<div class=\"code\">\n" +
            Listing.write(F) + "</div>\n</details>\n";
  }

  void unread() {
    std::vector<std::string> Lines;
    for (const report::UnreadLine &L : report::unread(A))
      Lines.push_back(L.Place + ": " + L.Reason);
    list("Not read, or only in part", Lines);
  }
};

} // namespace

void report::writeAuditHtml(llvm::raw_ostream &OS, const Audit &A,
                            const TextStyle &) {
  OS << Page(A).write();
}
