// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Ranks.h"

#include "report/Format.h"
#include "report/TextTable.h"
#include "report/recording/Sentences.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

bool inSteps(const Ranks &R) {
  return llvm::all_of(R.All,
                      [](const RunSummary &S) { return bool(S.R.InSteps); });
}

/// "2 x NVIDIA H200".
std::string devices(const RunSummary &S) {
  if (S.Devices.empty())
    return "-";
  std::string Name = S.Devices[0].empty() ? "GPU" : S.Devices[0];
  return S.Devices.size() == 1 ? Name
                               : fmt::format("{} x {}", S.Devices.size(), Name);
}

std::string meanOfSteps(const RunSummary &S, int64_t Sum) {
  return duration(Sum / int64_t(S.R.InSteps->Count));
}

/// By step where every rank has steps, else of the whole run.
TextTable rankTable(const Ranks &R) {
  std::vector<TextTable::Column> Columns{
      {"rank", true}, {"host", true}, {"GPU", true}};
  if (inSteps(R))
    Columns.insert(Columns.end(), {{"steps"},
                                   {"median"},
                                   {"p95"},
                                   {"wait a step"},
                                   {"exposed"},
                                   {"GPU busy"},
                                   {"slowest in"}});
  else
    Columns.insert(Columns.end(), {{"time"}, {"waited"}});
  TextTable Table(std::move(Columns));
  for (size_t I = 0; I < R.All.size(); ++I) {
    const RunSummary &S = R.All[I];
    std::vector<std::string> Cells{
        rankName(S), S.Info.Host.empty() ? "-" : S.Info.Host, devices(S)};
    if (inSteps(R)) {
      const Steady &In = *S.R.InSteps;
      Cells.insert(Cells.end(),
                   {count(In.Count), duration(median(S.R.Steps.times())),
                    duration(quantile(S.R.Steps.times(), 0.95)),
                    meanOfSteps(S, In.Waited), meanOfSteps(S, In.exposed()),
                    percent(double(In.Busy), double(In.Span)),
                    percent(double(R.SlowestIn[I]), double(R.Steps.size()))});
    } else {
      Cells.insert(Cells.end(), {duration(S.R.Wall),
                                 S.R.WaitsKnown ? duration(S.R.Waited) : "-"});
    }
    Table.addRow(std::move(Cells));
  }
  return Table;
}

TextTable siteTable(const Ranks &R, bool All, size_t &Hidden) {
  TextTable Table({{"site", true},
                   {"ranks"},
                   {"count"},
                   {"wait"},
                   {"exposed"},
                   {"least wait"},
                   {"most wait"},
                   {"of rank", true}});
  for (const RankSite &S : R.Sites) {
    if (!S.Waits && !All) {
      ++Hidden;
      continue;
    }
    Table.addRow(
        {placeAndCall(S.Place, S.Call), count(S.Ranks), count(S.Count),
         duration(S.Wait), duration(S.Exposed), duration(S.LeastWait),
         duration(S.MostWait),
         S.MostWait.value_or(0) ? rankName(R.All[S.MostWaiting]) : "-"});
  }
  return Table;
}

/// The slowest rank and by how much the others wait for it, in one sentence.
std::string stepSentence(const Ranks &R) {
  if (R.Steps.empty())
    return "The ranks' steps cannot be compared: they have none in common "
           "(--step names one).";
  size_t Worst = std::max_element(R.SlowestIn.begin(), R.SlowestIn.end()) -
                 R.SlowestIn.begin();
  return fmt::format(
      "Of {} steps ({}, steps {} to {}), rank {} is the slowest in {} ({}). In "
      "a step, the slowest rank takes {} more than the median rank (median).",
      count(R.Steps.size()), R.All[0].R.Steps.Source, R.Steps.front().Number,
      R.Steps.back().Number, rankName(R.All[Worst]), count(R.SlowestIn[Worst]),
      percent(double(R.SlowestIn[Worst]), double(R.Steps.size())),
      percent(R.lag(), 1));
}

std::vector<std::string> lacks(const Ranks &R, llvm::ArrayRef<Unreadable> Bad) {
  std::vector<std::string> Lines;
  for (const Unreadable &U : Bad)
    Lines.push_back("Left out: " + U.Error + ".");
  Lines.insert(Lines.end(), R.Doubts.begin(), R.Doubts.end());
  for (const RunSummary &S : R.All)
    for (const std::string &Line : S.Caveats)
      Lines.push_back("Rank " + rankName(S) + ": " + Line);
  return Lines;
}

std::string title(const Ranks &R) {
  return fmt::format(
      "{} {} of {}", R.All.size(), R.All.size() == 1 ? "rank" : "ranks",
      R.All[0].Info.CommandLine.empty() ? "one run"
                                        : R.All[0].Info.CommandLine);
}

constexpr llvm::StringLiteral SitesHeading = "Sites, summed over the ranks";

} // namespace

RunSummary report::summarise(const Input &In) {
  RunSummary S = analysis::summarise(In.Path, In.T, In.R);
  S.Caveats = caveats(In);
  return S;
}

void report::writeRanksTerminal(llvm::raw_ostream &Out, const Ranks &R,
                                llvm::ArrayRef<Unreadable> Bad,
                                const TextStyle &Style) {
  auto Heading = [&](llvm::StringRef Text) {
    Out << (Style.Color ? "\n\033[1m" : "\n") << Text
        << (Style.Color ? "\033[0m\n" : "\n");
  };
  Out << title(R) << '\n';
  Heading("Ranks");
  rankTable(R).printAligned(Out, Style.Width, Style.Color);
  printWrapped(Out, stepSentence(R), 2, Style.Width);
  Heading(SitesHeading);
  size_t Hidden = 0;
  TextTable Sites = siteTable(R, Style.All, Hidden);
  if (Sites.empty())
    Out << "  No call waited for the GPU.\n";
  else
    Sites.printAligned(Out, Style.Width, Style.Color);
  if (Hidden)
    Out << fmt::format("  {} more never waited (--all lists them)\n",
                       count(Hidden));
  std::vector<std::string> Lines = lacks(R, Bad);
  if (!Lines.empty())
    Heading("What these recordings lack");
  for (const std::string &Line : Lines)
    printWrapped(Out, Line, 2, Style.Width);
  Out << "\nautoprof report FILE says what to do about one rank's waits.\n";
}

void report::writeRanksMarkdown(llvm::raw_ostream &Out, const Ranks &R,
                                llvm::ArrayRef<Unreadable> Bad,
                                const TextStyle &Style) {
  Out << "# autoprof: " << escapeMarkdown(title(R)) << "\n\n";
  rankTable(R).printMarkdown(Out);
  Out << '\n'
      << escapeMarkdown(stepSentence(R)) << "\n\n## " << SitesHeading << "\n\n";
  size_t Hidden = 0;
  TextTable Sites = siteTable(R, Style.All, Hidden);
  if (Sites.empty())
    Out << "No call waited for the GPU.\n";
  else
    Sites.printMarkdown(Out);
  std::vector<std::string> Lines = lacks(R, Bad);
  if (!Lines.empty())
    Out << '\n';
  for (const std::string &Line : Lines)
    Out << "- " << escapeMarkdown(Line) << '\n';
}
