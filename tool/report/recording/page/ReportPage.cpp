// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report as a page: the answer, the sites with their source, the timeline,
// and every table of which the terminal shows a part.
#include "report/Format.h"
#include "report/Html.h"
#include "report/recording/BusyCpu.h"
#include "report/recording/CallName.h"
#include "report/recording/Formats.h"
#include "report/recording/Profile.h"
#include "report/recording/Sentences.h"
#include "report/recording/Tables.h"
#include "report/recording/Transfers.h"
#include "report/recording/WhatIfs.h"
#include "report/recording/page/Excerpt.h"
#include "report/recording/page/Parts.h"

#include <fmt/format.h>

#include <algorithm>

using namespace autoprof;
using namespace autoprof::report;
using analysis::SiteRow;

namespace {

/// Sites that are shown with their source; the others are in the table.
constexpr size_t MaxCards = 12;

/// Bytes of the command line that are shown.
constexpr size_t MaxCommand = 2000;

std::string plural(size_t Count, const char *Noun) {
  return count(Count) + " " + Noun + (Count == 1 ? "" : "s");
}

std::vector<Figure> figuresOf(const Input &Subject) {
  const analysis::Result &R = Subject.R;
  std::vector<Figure> Result;
  if (const std::vector<int64_t> Times = R.Steps.times(); !Times.empty())
    Result.push_back({duration(analysis::median(Times)), "step time",
                      "p95 " + duration(analysis::quantile(Times, 0.95))});
  if (const auto &S = R.InSteps) {
    const double Span = double(S->Span);
    Result.push_back({percent(double(S->Busy), Span), "GPU busy",
                      perStep(Subject, S->Busy) + " per step"});
    Result.push_back({percent(double(S->exposed()), Span), "exposed stall",
                      perStep(Subject, S->exposed()) + " per step"});
    Result.push_back({percent(double(S->Waited), double(S->HostTime)),
                      "CPU waiting",
                      perStep(Subject, S->Waited) + " per step"});
  } else if (R.WaitsKnown) {
    int64_t Busy = 0, Span = 0;
    for (const analysis::DeviceActivity &D : R.Devices) {
      Busy += D.Busy;
      Span += D.span();
    }
    Result.push_back({percent(double(Busy), double(Span)), "GPU busy",
                      "of " + duration(Span)});
    Result.push_back({duration(R.Waited), "CPU waited", "in the whole run"});
  }
  if (R.Steps.FromGpu && !R.Steps.List.empty())
    Result.push_back({duration(analysis::median(R.Steps.leads())),
                      "lead at step end", "GPU work queued, median"});
  return Result;
}

/// The command, the GPUs and the file; traces of other profilers do not name
/// the command.
std::string origin(const Input &Subject) {
  std::string Gpus;
  for (const trace::Device &D : Subject.T.Devices)
    if (!D.Name.empty())
      Gpus += " on " + escapeHtml(D.Name);
  const std::string Command =
      cut(Subject.T.Info.CommandLine, MaxCommand, /*AtEnd=*/true);
  if (Command.empty())
    return "Recorded in " + escapeHtml(Subject.Path) + Gpus;
  return "<code>" + escapeHtml(Command) + "</code>" + Gpus + ", recorded in " +
         escapeHtml(Subject.Path);
}

std::string header(const Input &Subject) {
  std::string Result = "<header>\n<h1>" + escapeHtml(headline(Subject)) +
                       "</h1>\n<p class=\"regime\">";
  if (Subject.R.InSteps)
    Result += escapeHtml(regimeSentence(Subject));
  return Result + "</p>\n<p class=\"run\">" + origin(Subject) +
         "</p>\n</header>\n";
}

llvm::StringRef gainName(analysis::Verdict Change) {
  return Change == analysis::Verdict::Postpone    ? "gain if postponed"
         : Change == analysis::Verdict::MakeAsync ? "gain if made asynchronous"
                                                  : "gain if removed";
}

std::string card(const Input &Subject, const SiteRow &Row, Excerpts &Source) {
  std::string Result = fmt::format(
      "<article class=\"site {}\">\n<h3><code>{}</code> <b>{}</b> <span "
      "class=\"verdict\">{}</span></h3>\n",
      analysis::name(Row.Judged.Kind).str(),
      escapeHtml(place(Subject.T, Row.Site)),
      escapeHtml(callLabel(Subject, Row)),
      escapeHtml(analysis::phrase(Row.Judged.Kind)));
  const bool Steps = Row.Steps && Row.Steps->Waits;
  const char *Per = Steps ? "per step" : "in total";
  const report::Promise P = promise(Subject, Row);
  auto Sum = [&](int64_t SiteSteps, const std::optional<int64_t> &All) {
    return Steps ? perStep(Subject, SiteSteps) : duration(All);
  };
  Result += figures(
      {{Sum(Steps ? Row.Steps->Exposed : 0, Row.Exposed), "exposed stall", Per},
       {Sum(Steps ? Row.Steps->Wait : 0, Row.Wait), "wait",
        fmt::format("{}; {} in the run", Per, plural(Row.Waits, "wait"))},
       {P.Text, gainName(P.Change).str(), ""},
       {duration(Row.LeadMedian), "lead when it began",
        Row.DepthMedian ? fmt::format("depth {:.0f}", *Row.DepthMedian) : ""}});
  if (const std::string Advice = adviceText(Subject, Row); !Advice.empty())
    Result +=
        fmt::format("<p class=\"advice\"><span>{}</span> {}.</p>\n",
                    isFinding(Row) ? "Instead" : "Why", escapeHtml(Advice));
  if (Subject.Audit)
    Result += fmt::format("<p class=\"advice\"><span>Audit</span> {}</p>\n",
                          escapeHtml(auditText(Subject, Row)));
  if (Row.Site != trace::None)
    Result += Source.around(Subject.T.Sites[Row.Site], Row.Call);
  return Result + "</article>\n";
}

std::string cards(const Input &Subject) {
  Excerpts Source(Subject.Path);
  std::string Result;
  size_t Shown = 0;
  for (const SiteRow &Row : Subject.R.Sites)
    if (Row.Waits && !Row.isOutside() && Shown < MaxCards) {
      Result += card(Subject, Row, Source);
      ++Shown;
    }
  if (!Shown && Subject.R.WaitsKnown)
    Result = "<p>" + escapeHtml(noSites(Subject)) + "</p>\n";
  if (Result.empty())
    return "";
  if (std::string Caveat = adviceCaveat(Subject, /*Outside=*/false);
      !Caveat.empty())
    Result += "<p class=\"what\">" + escapeHtml(Caveat) + "</p>\n";
  if (std::string Order = removalOrder(Subject); !Order.empty())
    Result += "<p>" + escapeHtml(Order) + ".</p>\n";
  return "<section class=\"sites\">\n<h2>" + escapeHtml(sitesHeading(Subject)) +
         "</h2>\n" + Result + "</section>\n";
}

TextTable siteTable(const Input &Subject) {
  std::vector<TextTable::Column> Columns{
      {"site", true}, {"function", true}, {"kind", true},    {"count"},
      {"in it"},      {"waiting"},        {"exposed stall"}, {"gain", true}};
  if (Subject.Audit)
    Columns.push_back({"rule of the audit", true});
  TextTable Table(std::move(Columns));
  for (const SiteRow &Row : Subject.R.Sites) {
    std::vector<std::string> Cells{
        placeAndCall(Subject.T, Row.Site, callLabel(Subject, Row)),
        Row.Site == trace::None ? "" : Subject.T.Sites[Row.Site].Function,
        Row.Kind,
        count(Row.Count),
        duration(Row.HostTime),
        duration(Row.Wait),
        duration(Row.Exposed),
        gainText(Subject, Row)};
    if (Subject.Audit)
      Cells.push_back(ruleOf(Subject, Row).str());
    Table.addRow(std::move(Cells));
  }
  return Table;
}

/// Every table of the profile, complete: the page folds and filters them.
std::string profile(const Input &Subject) {
  TextStyle Style;
  Style.All = true;
  Style.LongestName = MaxCellBytes;
  std::string Result;
  for (const ProfileTable &One : profileTables(Subject, Style))
    if (!One.IsDrawn)
      Result += tableSection(One.Heading, One.Table);
  return Result;
}

} // namespace

void report::writeReportHtml(llvm::raw_ostream &Out, const Input &Subject,
                             const TextStyle &) {
  const char *Whose = Subject.R.InSteps ? "Where the steps' time goes"
                                        : "Where the GPU's time goes";
  const BusyCpuTable Busy =
      busyCpuTable(Subject, /*All=*/true, /*Narrow=*/false);
  const std::string Tables =
      tableSection(outsideHeading(),
                   outsideTable(Subject, Subject.R.Sites.size()),
                   adviceCaveat(Subject, /*Outside=*/true)) +
      tableSection(gapHeading(Subject), gapTable(Subject)) +
      tableSection(busyCpuHeading(), Busy.Table, Busy.Rest) +
      tableSection(transferHeading(Subject),
                   transferTable(Subject, /*All=*/true)) +
      (Subject.R.WaitsKnown
           ? tableSection("All sites: sums over the run", siteTable(Subject))
           : tableSection(sitesHeading(Subject), probedTable(Subject)));
  const Part Parts[] = {
      {"sites", "Waits", cards(Subject)},
      {"changes", "Gains",
       changesSection("Gains from changing the waits", Subject)},
      {"time", "Time", breakdown(Whose, Subject)},
      {"findings", "Findings", findingsSection("Findings", Subject)},
      {"when", "Timeline", timelineSection("timeline", "Timeline", Subject)},
      {"steps", "Steps", stepChart(Subject, nullptr)},
      {"memory", "Memory", memorySection("", Subject)},
      {"tables", "Sites and gaps", Tables},
      {"profile", "Profile", profile(Subject)},
      {"summary", "Summary", summarySection("Summary", summaryLines(Subject))}};
  Out << recordingPage(
      "autoprof: " + runName(Subject),
      header(Subject) + figures(figuresOf(Subject)) +
          caveatSection("Limitations of this recording", caveats(Subject)) +
          pageParts(Parts));
}
