// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two recordings as a page: what changed, both timelines on one scale, and the
// tables.
#include "report/Format.h"
#include "report/Html.h"
#include "report/recording/Sentences.h"
#include "report/recording/Tables.h"
#include "report/recording/page/Parts.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;

namespace {

std::string side(const char *Name, const Input &In) {
  return std::string("<p class=\"run\">") + Name + ": <code>" +
         escapeHtml(In.T.Info.CommandLine) + "</code>, recorded in " +
         escapeHtml(In.Path) + "</p>\n";
}

std::vector<Figure> figuresOf(const analysis::StepChange &S) {
  std::vector<Figure> Result{{signedPercent(S.Change), "step time",
                              durationChange(S.BaseMedian, S.NewMedian)}};
  if (S.Enough)
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

void report::writeDiffHtml(llvm::raw_ostream &Out, const Input &Base,
                           const Input &New, const analysis::Difference &D) {
  std::string Body = "<header>\n<h1>Before and after</h1>\n<p "
                     "class=\"regime\">" +
                     escapeHtml(diffSummary(Base, New, D)) + "</p>\n" +
                     side("base", Base) + side("new", New) + "</header>\n";
  if (D.Step)
    Body += figures(figuresOf(*D.Step));
  std::vector<std::string> Caveats;
  for (const std::string &One : caveats(Base))
    Caveats.push_back("base: " + One);
  for (const std::string &One : caveats(New))
    Caveats.push_back("new: " + One);
  const TextTable Steps = stepTable(Base, New);
  Body += caveatSection(Caveats) + "<main>\n" +
          tableSection(changeHeading(D), changeTable(Base, New, D, false)) +
          (D.Step ? stepChart(Base, &New) : "") +
          breakdown("Where the steps' time goes, base", Base) +
          breakdown("Where the steps' time goes, new", New) +
          timelineSection("timeline-base", "Timeline, base", Base) +
          timelineSection("timeline-new", "Timeline, new", New) +
          tableSection("In the steps", Steps) +
          tableSection("All sites", changeTable(Base, New, D, true));
  if (Steps.empty())
    Body += summarySection("Base", summaryLines(Base)) +
            summarySection("New", summaryLines(New));
  Out << recordingPage("autoprof: before and after", Body + "</main>\n");
}
