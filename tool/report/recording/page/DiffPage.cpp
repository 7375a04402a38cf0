// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two recordings as a page: what changed, both timelines on one scale, and the
// tables.
#include "report/Format.h"
#include "report/Html.h"
#include "report/recording/DiffText.h"
#include "report/recording/page/Parts.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;

namespace {

std::string side(const char *Name,
                 const std::vector<analysis::RunSummary> &Side) {
  return std::string("<p class=\"run\">") + Name + ": <code>" +
         escapeHtml(Side[0].Info.CommandLine) + "</code>, recorded in " +
         escapeHtml(diffTitle(Side)) +
         (Side.size() > 1 ? "; charts and timeline of the first" : "") +
         "</p>\n";
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
                     escapeHtml(diffSummary(D)) + "</p>\n" +
                     side("base", D.Base) + side("new", D.New) + "</header>\n";
  if (D.Step)
    Body += figures(figuresOf(*D.Step));
  std::vector<std::string> Doubts = diffNotes(D);
  llvm::append_range(Doubts, diffCaveats(D));
  llvm::append_range(Doubts, guessLines(D));
  Body += caveatSection(Doubts) + "<main>\n" +
          tableSection(changeHeading(D), changeTable(D, false)) +
          tableSection(partHeading(), partTable(D, false)) +
          (D.Step ? stepChart(Base, &New) : "") +
          breakdown("Where the steps' time goes, base", Base) +
          breakdown("Where the steps' time goes, new", New) +
          timelineSection("timeline-base", "Timeline, base", Base) +
          timelineSection("timeline-new", "Timeline, new", New) +
          tableSection(sidesHeading(D), sidesTable(D)) +
          tableSection("All sites", changeTable(D, true)) +
          tableSection("All kernels and ranges", partTable(D, true));
  Out << recordingPage("autoprof: before and after", Body + "</main>\n");
}
