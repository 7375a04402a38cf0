// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the audit's page that comes from recordings: the findings by
// cost, and the waits that are not findings.
#include "report/Format.h"
#include "report/Html.h"
#include "report/audit/Prices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace autoprof;
using namespace autoprof::audit;
using namespace autoprof::report;
using llvm::StringRef;

namespace {

/// Rows that are shown at once; the others are folded.
constexpr size_t FirstRows = 12;

std::string cell(const std::string &Text, StringRef Class = "") {
  return "<td" + (Class.empty() ? "" : " class=\"" + Class.str() + "\"") + ">" +
         escapeHtml(Text) + "</td>";
}

/// The text of a row that has no figures, or "".
std::string stateOf(const std::optional<FindingPrice> &Price) {
  if (!Price)
    return "about no single call";
  switch (Price->State) {
  case Measured::Waited:
    return "";
  case Measured::NeverWaited:
    return "never waited";
  case Measured::NotAWait:
    return duration(Price->Site->HostTime) + " in the call, no wait";
  case Measured::NotReached:
    return "not reached";
  case Measured::NoProbe:
    return "no probe";
  case Measured::Unknown:
    break;
  }
  return "unknown";
}

/// May be broken after each folder.
std::string pathText(StringRef Path) {
  std::string Result;
  for (char C : escapeHtml(Path))
    Result += C == '/' ? std::string("/<wbr>") : std::string(1, C);
  return Result;
}

std::string figures(const prices::SitePrice &S) {
  const int64_t Steps = S.waitsInSteps() ? int64_t(S.Totals->Count) : 0;
  auto Figure = [&](int64_t OfSteps, const std::optional<int64_t> &OfRun) {
    return cell(!Steps            ? duration(OfRun)
                : OfSteps / Steps ? duration(OfSteps / Steps) + "/step"
                                  : "0");
  };
  const GainText Gain = gainText(S);
  return Figure(Steps ? S.Steps->Wait : 0, S.Wait) +
         Figure(Steps ? S.Steps->Exposed : 0, S.Exposed) + "<td><b>" +
         escapeHtml(Gain.Amount) + "</b>" +
         (Gain.Share.empty()
              ? ""
              : "<small>" + escapeHtml(Gain.Change + ": " + Gain.Share) +
                    "</small>") +
         "</td>";
}

std::string row(const Audit &A, size_t Number) {
  const Finding &F = A.Findings[Number];
  const std::optional<FindingPrice> Price = A.Priced->of(F);
  const prices::SitePrice *S = Price ? Price->Site : nullptr;
  const std::string Level = name(F.Level).str();
  const std::string State = stateOf(Price);
  return "<tr><th scope=\"row\"><a href=\"#finding-" + llvm::utostr(Number) +
         "\">" + pathText(A.P.shownPath(F.Location)) + ":" +
         llvm::utostr(F.Location.Line) + "</a> " +
         (F.Site ? "<code>" + escapeHtml(F.Site->Model->Callee) + "</code>"
                 : "") +
         "<small>" + escapeHtml(F.Rule) + "</small></th>" + cell(Level, Level) +
         cell(S ? count(S->Calls) : "-") +
         (State.empty()
              ? figures(*S)
              : "<td colspan=\"3\" class=\"state\">" + State + "</td>") +
         "</tr>\n";
}

std::string heads() {
  std::string Result = "<tr>";
  for (const char *Title :
       {"finding", "severity", "calls", "wait", "exposed stall", "gain"})
    Result += "<th scope=\"col\">" + std::string(Title) + "</th>";
  return Result + "</tr>\n";
}

std::string table(const Audit &A, size_t From, size_t To) {
  std::string Result = "<table class=\"prices\">\n" + heads();
  for (size_t I = From; I < To; ++I)
    Result += row(A, I);
  return Result + "</table>\n";
}

} // namespace

std::string report::pricingHtml(const Audit &A) {
  const size_t Total = A.Findings.size(), First = std::min(Total, FirstRows);
  std::string Result =
      "<section>\n<h2>What it cost</h2>\n<p class=\"run\">Measured: " +
      escapeHtml(pricingSummary(A)) + ".</p>\n";
  for (const std::string &Line : pricingCaveats(A))
    Result += "<p class=\"run\">" + escapeHtml(Line) + ".</p>\n";
  if (First)
    Result += table(A, 0, First);
  if (First < Total)
    Result += "<details><summary>" + llvm::utostr(Total - First) +
              " more</summary>\n" + table(A, First, Total) + "</details>\n";
  Result += "</section>\n";
  if (A.Unfound.empty())
    return Result;
  constexpr size_t MostRows = 50;
  Result +=
      "<section class=\"unfound\">\n<h2>" + unfoundHeading().str() + "</h2>\n";
  llvm::raw_string_ostream OS(Result);
  unfoundTable(A, MostRows).printHtml(OS);
  if (A.Unfound.size() > MostRows)
    OS << "<p>" << A.Unfound.size() - MostRows << " more.</p>\n";
  OS << "</section>\n";
  return Result;
}
