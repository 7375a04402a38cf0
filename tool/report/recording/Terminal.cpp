// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"
#include "report/recording/BusyCpu.h"
#include "report/recording/CallName.h"
#include "report/recording/DiffIdle.h"
#include "report/recording/Findings.h"
#include "report/recording/Formats.h"
#include "report/recording/IdleSentences.h"
#include "report/recording/MemoryPart.h"
#include "report/recording/Profile.h"
#include "report/recording/Proof.h"
#include "report/recording/Report.h"
#include "report/recording/Sentences.h"
#include "report/recording/Tables.h"
#include "report/recording/Transfers.h"
#include "report/recording/WhatIfs.h"

#include "llvm/ADT/STLExtras.h"

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

using Columns = std::vector<TextTable::Column>;

Columns siteColumns(const Result &R) {
  Columns C{{"site", true}, {"kind", true}};
  if (R.InSteps)
    C.insert(
        C.end(),
        {{"waits/step"}, {"wait/step"}, {"exposed/step"}, {"of the step"}});
  else
    C.insert(C.end(), {{"calls"}, {"wait"}, {"exposed"}});
  return C;
}

std::vector<std::string> siteCells(const Input &Subject, const SiteRow &Row) {
  std::vector<std::string> Cells{
      placeAndCall(Subject.T, Row.Site, callLabel(Subject, Row)), Row.Kind};
  if (!Subject.R.InSteps) {
    Cells.insert(Cells.end(),
                 {count(Row.Count), duration(Row.Wait), duration(Row.Exposed)});
    return Cells;
  }
  const SiteSteps Inside = Row.Steps.value_or(SiteSteps());
  Cells.insert(
      Cells.end(),
      {timesPerStep(Subject, Inside.Waits), perStep(Subject, Inside.Wait),
       perStep(Subject, Inside.Exposed),
       percent(double(Inside.Exposed), double(Subject.R.InSteps->Span))});
  return Cells;
}

void addSite(TextTable &Table, const Input &Subject, const SiteRow &Row,
             bool All) {
  Table.addRow(siteCells(Subject, Row));
  if (All && Subject.R.InSteps)
    Table.addNote(fmt::format("whole run: {} {}, wait {}, exposed {}",
                              count(Row.Count),
                              Row.Count == 1 ? "call" : "calls",
                              duration(Row.Wait), duration(Row.Exposed)));
  if (!Row.Waits)
    return;
  Table.addNote(fmt::format(
      "wait median {}, p95 {}; when it began: depth {:.0f}, lead {}",
      duration(Row.WaitMedian), duration(Row.WaitP95), *Row.DepthMedian,
      duration(Row.LeadMedian)));
  Table.addNote(verdictLine(Subject, Row));
  if (Subject.Audit)
    Table.addNote("audit: " + auditText(Subject, Row));
}

/// Counts those that are left out in `Hidden`.
TextTable waitTable(const Input &Subject, bool All, size_t &Hidden) {
  TextTable Table(siteColumns(Subject.R));
  for (const SiteRow &Row : Subject.R.Sites) {
    if (Row.isOutside())
      continue;
    if (Row.Waits || All)
      addSite(Table, Subject, Row, All);
    else
      ++Hidden;
  }
  return Table;
}

void printSites(llvm::raw_ostream &Out, const Input &Subject,
                const TextStyle &Style) {
  size_t Hidden = 0;
  TextTable Table = Subject.R.WaitsKnown ? waitTable(Subject, Style.All, Hidden)
                                         : probedTable(Subject);
  heading(Out, sitesHeading(Subject), Style.Color);
  if (!Table.empty())
    Table.printAligned(Out, Style.Width, Style.Color);
  else
    Out << "  " << noSites(Subject) << '\n';
  if (!Table.empty() && Subject.R.WaitsKnown)
    for (const std::string &Line :
         {sitesKey(Subject), adviceCaveat(Subject, /*Outside=*/false),
          silentWaits(Subject)})
      if (!Line.empty())
        printWrapped(Out, Line, 2, Style.Width);
  if (Hidden)
    Out << fmt::format("  {} more {} never waited (--all lists them)\n",
                       count(Hidden), Hidden == 1 ? "site" : "sites");
}

void printTable(llvm::raw_ostream &Out, llvm::StringRef Heading,
                const TextTable &Table, const TextStyle &Style) {
  if (Table.empty())
    return;
  heading(Out, Heading, Style.Color);
  Table.printAligned(Out, Style.Width, Style.Color);
}

/// Start-up and the end of the program: one line each.
void printOutside(llvm::raw_ostream &Out, const Input &Subject,
                  const TextStyle &Style) {
  constexpr size_t MaxRows = 5;
  size_t Rows = llvm::count_if(
      Subject.R.Sites, [](const SiteRow &Row) { return Row.isOutside(); });
  printTable(Out, outsideHeading(),
             outsideTable(Subject, Style.All ? Rows : MaxRows), Style);
  if (Rows > MaxRows && !Style.All)
    Out << fmt::format("  {} more (--all lists them)\n", Rows - MaxRows);
  if (std::string Caveat = adviceCaveat(Subject, /*Outside=*/true);
      !Caveat.empty())
    printWrapped(Out, Caveat, 2, Style.Width);
}

/// The lines before and after the time that the CPU spent elsewhere.
void printBusyCpu(llvm::raw_ostream &Out, const Input &Subject,
                  const TextStyle &Style) {
  const BusyCpuTable Busy = busyCpuTable(Subject, Style.All, /*Narrow=*/true);
  printTable(Out, busyCpuHeading(), Busy.Table, Style);
  if (Busy.Hidden && !Busy.Table.empty())
    Out << fmt::format("  {} more (--all lists them)\n", count(Busy.Hidden));
  if (!Busy.Rest.empty() && !Busy.Table.empty())
    printWrapped(Out, Busy.Rest, 2, Style.Width);
}

/// What else an expert would point out: the sentence, what to do, the caveat.
void printFindings(llvm::raw_ostream &Out, const Input &Subject,
                   const TextStyle &Style) {
  constexpr size_t MostFindings = 4;
  const std::vector<Finding> &All = Subject.R.Findings;
  if (All.empty())
    return;
  heading(Out, "Findings", Style.Color);
  size_t Shown = Style.All ? All.size() : std::min(All.size(), MostFindings);
  for (const Finding &F : llvm::ArrayRef(All).take_front(Shown)) {
    printWrapped(Out, findingText(F), 2, Style.Width);
    printWrapped(Out, findingAdvice(F), 6, Style.Width);
  }
  if (Shown < All.size())
    Out << fmt::format("  {} more (--all lists them)\n", All.size() - Shown);
}

void printMemory(llvm::raw_ostream &Out, const Input &Subject,
                 const TextStyle &Style) {
  for (const MemoryPart &Part : memoryParts(Subject)) {
    heading(Out, Part.Heading, Style.Color);
    printWrapped(Out, Part.Summary, 2, Style.Width);
    Part.Holders.printAligned(Out, Style.Width, Style.Color);
    if (!Part.AtTheEnd.empty())
      printWrapped(Out, Part.AtTheEnd, 2, Style.Width);
  }
}

void printProfile(llvm::raw_ostream &Out, const Input &Subject,
                  const TextStyle &Style) {
  for (const ProfileTable &One : profileTables(Subject, Style)) {
    printTable(Out, One.Heading, One.Table, Style);
    if (One.Hidden)
      Out << fmt::format("  {} more (--all lists them)\n", count(One.Hidden));
  }
}

void printLines(llvm::raw_ostream &Out, const Lines &Lines,
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

void printCaveats(llvm::raw_ostream &Out, llvm::StringRef Heading,
                  const std::vector<std::string> &Lines,
                  const TextStyle &Style) {
  if (Lines.empty())
    return;
  heading(Out, Heading, Style.Color);
  for (const std::string &Line : Lines)
    printWrapped(Out, Line, 2, Style.Width);
}

/// "base.pftrace: ./train --epochs 3": the path is cut, a long command
/// continues on further lines.
void printTitle(llvm::raw_ostream &Out, const Input &Subject, unsigned Width) {
  const std::string &Command = Subject.T.Info.CommandLine;
  const size_t Room = Width - 2 - std::min<size_t>(Command.size(), Width / 2);
  std::string Title = cut(Subject.Path, Room, /*AtEnd=*/false);
  if (!Command.empty())
    Title += ": " + Command;
  printWrapped(Out, Title, 0, Width);
}

/// The headline, and what limits the steps.
void printAnswer(llvm::raw_ostream &Out, const Input &Subject,
                 const TextStyle &Style) {
  Out << (Style.Color ? "\n\033[1m" : "\n");
  printWrapped(Out, headline(Subject) + ".", 0, Style.Width);
  if (Style.Color)
    Out << "\033[0m";
  if (Subject.R.InSteps)
    printWrapped(Out, regimeSentence(Subject), 0, Style.Width);
}

} // namespace

void report::writeReportTerminal(llvm::raw_ostream &Out, const Input &Subject,
                                 const TextStyle &Style) {
  printTitle(Out, Subject, Style.Width);
  printAnswer(Out, Subject, Style);
  printSites(Out, Subject, Style);
  if (std::string Order = removalOrder(Subject); !Order.empty())
    printWrapped(Out, Order, 2, Style.Width);
  printOutside(Out, Subject, Style);
  printTable(Out, gapHeading(Subject), gapTable(Subject), Style);
  for (const std::string &Line : idleSentences(Subject))
    printWrapped(Out, Line, 2, Style.Width);
  printBusyCpu(Out, Subject, Style);
  printTable(Out, transferHeading(Subject), transferTable(Subject, Style.All),
             Style);
  heading(Out, "Summary", Style.Color);
  printLines(Out, summaryLines(Subject), Style);
  printMemory(Out, Subject, Style);
  printFindings(Out, Subject, Style);
  if (Style.Profile)
    printProfile(Out, Subject, Style);
  printCaveats(Out, "Limitations of this recording", caveats(Subject), Style);
}

void report::writeProofTerminal(llvm::raw_ostream &Out, const Difference &D,
                                const TextStyle &Style) {
  const Lines Proof = proofLines(D, Style.All);
  if (Proof.empty())
    return;
  heading(Out, proofHeading(), Style.Color);
  printLines(Out, Proof, Style);
}

void report::writeDiffTerminal(llvm::raw_ostream &Out, const DiffInput &About,
                               const TextStyle &Style) {
  const Difference &D = About.D;
  Out << "base: " << diffTitle(D.Base) << "\nnew:  " << diffTitle(D.New)
      << "\n\n";
  printWrapped(Out, diffSummary(D), 0, Style.Width);
  for (const std::string &Note : diffNotes(D))
    printWrapped(Out, Note, 0, Style.Width);
  writeProofTerminal(Out, D, Style);
  printTable(Out, changeHeading(D), changeTable(D, Style.All), Style);
  printTable(Out, partHeading(), partTable(D, Style.All), Style);
  printTable(Out, sidesHeading(D), sidesTable(D), Style);
  printTable(Out, causeChangeHeading(D), causeChangeTable(D), Style);
  printTable(Out, cpuChangeHeading(D), cpuChangeTable(About, Style.All), Style);
  printCaveats(Out, "Limitations of this comparison", diffCaveats(D), Style);
}
