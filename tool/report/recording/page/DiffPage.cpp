// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two recordings as a page: what changed, both timelines on one scale, and the
// tables.
#include "report/Format.h"
#include "report/Html.h"
#include "report/recording/DiffIdle.h"
#include "report/recording/DiffText.h"
#include "report/recording/Formats.h"
#include "report/recording/Proof.h"
#include "report/recording/page/Parts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;

namespace {

std::string side(const char *Name,
                 const std::vector<analysis::RunSummary> &Side) {
  const std::string &Command = Side[0].Info.CommandLine;
  return std::string("<p class=\"run\">") + Name + ": " +
         (Command.empty() ? "" : "<code>" + escapeHtml(Command) + "</code>, ") +
         "recorded in " + escapeHtml(diffTitle(Side)) +
         (Side.size() > 1 ? "; charts and timeline of the first" : "") +
         "</p>\n";
}

std::vector<Figure> figuresOf(const analysis::StepChange &S) {
  std::vector<Figure> Result{
      {signedPercent(S.Change), "step time, median",
       comparedDurations(S.BaseMedian, S.NewMedian, S.NewMedian)}};
  if (S.Basis == analysis::StepBasis::OneRun)
    Result.push_back(
        {"not tested", "one run per side",
         S.RunsVary
             ? fmt::format("runs of {} differ by {}",
                           S.OwnVariation ? "this program"
                                          : "other programs of this kind",
                           variationFigure(S))
             : ""});
  else if (S.Enough)
    Result.push_back(
        {signedPercent(S.Range.Low) + " to " + signedPercent(S.Range.High),
         "95 % interval",
         S.Significant ? "significant, " + pValue(S.P)
                       : "no significant change"});
  Result.push_back({durationChange(S.BaseLead, S.NewLead), "lead at step end",
                    "GPU work queued, median"});
  return Result;
}

} // namespace

/// From the change to its effect; "" where there is nothing to show.
static std::string proof(const analysis::Difference &D) {
  const auto Lines = proofLines(D, /*All=*/true);
  return Lines.empty() ? "" : summarySection(proofHeading(), Lines);
}

void report::writeDiffHtml(llvm::raw_ostream &Out, const DiffInput &About,
                           const TextStyle &) {
  const analysis::Difference &D = About.D;
  const Input &Base = About.Base;
  const Input &New = About.New;
  // The heading is the answer; a heading has no full stop.
  std::string Head =
      "<header>\n<h1>" + escapeHtml(llvm::StringRef(diffEffect(D)).rtrim('.')) +
      "</h1>\n<p class=\"regime\">" + escapeHtml(diffCause(D)) + "</p>\n" +
      side("base", D.Base) + side("new", D.New) + "</header>\n";
  if (D.Step)
    Head += figures(figuresOf(*D.Step));
  std::vector<std::string> Doubts = diffNotes(D);
  llvm::append_range(Doubts, diffCaveats(D));
  llvm::append_range(Doubts, guessLines(D));
  const Part Parts[] = {
      {"changes", "What changed",
       proof(D) + tableSection(changeHeading(D), changeTable(D, false)) +
           tableSection(partHeading(), partTable(D, false))},
      {"sides", "Side by side",
       tableSection(sidesHeading(D), sidesTable(D)) +
           tableSection(causeChangeHeading(D), causeChangeTable(D)) +
           tableSection(cpuChangeHeading(D), cpuChangeTable(About, false))},
      {"steps", "Steps", D.Step ? stepChart(Base, &New) : ""},
      {"time", "Where time goes",
       breakdown("Where the time goes, base", Base) +
           breakdown("Where the time goes, new", New)},
      {"when", "Timelines",
       timelineSection("timeline-base", "Timeline, base", Base) +
           timelineSection("timeline-new", "Timeline, new", New)},
      {"next", "Next changes",
       changesSection("Gains from changing the remaining waits", New) +
           findingsSection("Findings in the new recording", New)},
      {"memory", "Memory",
       memorySection(", base", Base) + memorySection(", new", New)},
      {"tables", "All sites and parts",
       tableSection("All sites", changeTable(D, true)) +
           tableSection("All kernels and ranges", partTable(D, true))}};
  Out << recordingPage(
      "autoprof: before and after",
      Head + caveatSection("Limitations of this comparison", Doubts) +
          pageParts(Parts));
}
