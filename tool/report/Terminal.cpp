// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"
#include "report/Report.h"
#include "report/Sentences.h"
#include "report/TextTable.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

void heading(llvm::raw_ostream &Out, llvm::StringRef Text, bool Color) {
  Out << '\n';
  if (Color)
    Out << "\033[1m" << Text << "\033[0m\n";
  else
    Out << Text << '\n';
}

std::string perStep(const Input &In, const std::optional<int64_t> &Total) {
  size_t Steps = In.R.Steps.List.size();
  if (!Total || !Steps)
    return "-";
  return duration(*Total / int64_t(Steps));
}

void addSite(TextTable &Table, const Input &In, const SiteRow &Row) {
  std::vector<std::string> Cells{place(In.T, Row.Site) + " " + Row.Call,
                                 Row.Kind, count(Row.Count)};
  if (!In.R.WaitsKnown) {
    Cells.insert(Cells.end(),
                 {duration(Row.HostTime), perStep(In, Row.HostTime)});
    Table.addRow(std::move(Cells));
    return;
  }
  Cells.insert(Cells.end(), {duration(Row.Wait), perStep(In, Row.Wait),
                             duration(Row.Exposed)});
  Table.addRow(std::move(Cells));
  if (!Row.Waits)
    return;
  Table.addNote(fmt::format(
      "wait median {}, p95 {}; when it began: depth {:.0f}, lead {}",
      duration(Row.WaitMedian), duration(Row.WaitP95), *Row.DepthMedian,
      duration(Row.LeadMedian)));
  Table.addNote(verdictLine(In, Row));
}

void printSites(llvm::raw_ostream &Out, const Input &In,
                const TextStyle &Style) {
  using Columns = std::vector<TextTable::Column>;
  bool Known = In.R.WaitsKnown;
  TextTable Table(Known ? Columns{{"site", true},
                                  {"kind", true},
                                  {"count"},
                                  {"wait"},
                                  {"per step"},
                                  {"exposed stall"}}
                        : Columns{{"site", true},
                                  {"kind", true},
                                  {"count"},
                                  {"time in it"},
                                  {"per step"}});
  size_t Hidden = 0;
  for (const SiteRow &Row : In.R.Sites) {
    if (Row.Waits || Style.All || !Known)
      addSite(Table, In, Row);
    else
      ++Hidden;
  }
  heading(Out, Known ? "Sites, by exposed stall" : "Sites, by time in them",
          Style.Color);
  if (!Table.empty())
    Table.printAligned(Out, Style.Width, Style.Color);
  else
    Out << (Known ? "  No call waited for the GPU.\n"
                  : "  No site was recorded.\n");
  if (Hidden)
    Out << fmt::format("  {} more sites never waited (--all lists them)\n",
                       count(Hidden));
}

void printGaps(llvm::raw_ostream &Out, const Input &In,
               const TextStyle &Style) {
  int64_t Idle = 0;
  for (const CauseTotal &C : In.R.Gaps)
    Idle += C.Total;
  if (!Idle)
    return;
  TextTable Table({{"cause", true}, {"gaps"}, {"total"}, {"share"}});
  for (unsigned I = 0; I < NumCauses; ++I) {
    const CauseTotal &C = In.R.Gaps[I];
    if (C.Count)
      Table.addRow({report::phrase(Cause(I)).str(), count(C.Count),
                    duration(C.Total), percent(double(C.Total), double(Idle))});
  }
  heading(Out, "Why the GPU was idle", Style.Color);
  Table.printAligned(Out, Style.Width, Style.Color);
}

void printLines(llvm::raw_ostream &Out,
                const std::vector<std::pair<std::string, std::string>> &Lines,
                const TextStyle &Style) {
  size_t Width = 0;
  for (const auto &[Name, Value] : Lines)
    Width = std::max(Width, Name.size());
  for (const auto &[Name, Value] : Lines) {
    std::string Wrapped;
    llvm::raw_string_ostream Text(Wrapped);
    printWrapped(Text, Value, unsigned(Width) + 4, Style.Width);
    Out << fmt::format("  {:<{}}  {}", Name, Width,
                       llvm::StringRef(Wrapped).ltrim(' ').str());
  }
}

void printCaveats(llvm::raw_ostream &Out, const std::vector<std::string> &Lines,
                  const TextStyle &Style) {
  if (Lines.empty())
    return;
  heading(Out, "What this recording lacks", Style.Color);
  for (const std::string &Line : Lines)
    printWrapped(Out, Line, 2, Style.Width);
}

} // namespace

void report::writeReportTerminal(llvm::raw_ostream &Out, const Input &In,
                                 const TextStyle &Style) {
  Out << In.Path;
  if (!In.T.Info.CommandLine.empty())
    Out << ": " << In.T.Info.CommandLine;
  Out << '\n';
  printSites(Out, In, Style);
  printGaps(Out, In, Style);
  heading(Out, "Summary", Style.Color);
  printLines(Out, summaryLines(In), Style);
  printCaveats(Out, caveats(In), Style);
}

void report::writeDiffTerminal(llvm::raw_ostream &Out, const Input &Base,
                               const Input &New, const Difference &D,
                               const TextStyle &Style) {
  Out << "base: " << Base.Path << "\nnew:  " << New.Path << "\n\n";
  printWrapped(Out, diffSummary(Base, New, D), 0, Style.Width);

  TextTable Sites({{"site", true},
                   {"wait, base"},
                   {"new"},
                   {"exposed stall, base"},
                   {"new"}});
  for (const SiteChange &C : D.Sites) {
    bool Waits = (C.Base && C.Base->Waits) || (C.New && C.New->Waits);
    if (!Waits && !Style.All)
      continue;
    const SiteRow &Row = C.Base ? *C.Base : *C.New;
    auto Exposed = [](const SiteRow *R) {
      return R ? duration(R->Exposed) : std::string("not run");
    };
    Sites.addRow({place(C.Base ? Base.T : New.T, Row.Site) + " " + Row.Call,
                  C.Base ? duration(C.BaseWait) : "not run",
                  C.New ? duration(C.NewWait) : "not run", Exposed(C.Base),
                  Exposed(C.New)});
  }
  if (!Sites.empty()) {
    heading(Out,
            D.PerStep ? "Sites that wait (wait per step; exposed stall in all)"
                      : "Sites that wait (in all)",
            Style.Color);
    Sites.printAligned(Out, Style.Width, Style.Color);
  }
  heading(Out, "Base", Style.Color);
  printLines(Out, summaryLines(Base), Style);
  heading(Out, "New", Style.Color);
  printLines(Out, summaryLines(New), Style);
  std::vector<std::string> Lines;
  for (const std::string &Line : caveats(Base))
    Lines.push_back("base: " + Line);
  for (const std::string &Line : caveats(New))
    Lines.push_back("new: " + Line);
  printCaveats(Out, Lines, Style);
}
