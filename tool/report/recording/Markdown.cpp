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

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <algorithm>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

std::string verdictCell(const Input &Subject, const SiteRow &Row) {
  const std::string Text = analysis::phrase(Row.Judged.Kind).str(),
                    Advice = adviceText(Subject, Row);
  return Advice.empty() ? Text : Text + ": " + Advice;
}

void printTable(llvm::raw_ostream &Out, llvm::StringRef Heading,
                const TextTable &Table) {
  if (Table.empty())
    return;
  Out << "\n## " << Heading << "\n\n";
  Table.printMarkdown(Out);
}

/// With the expression around it, where that is known.
std::string callCell(const Input &Subject, const SiteRow &Row) {
  const std::string Around =
      Row.Site == trace::None ? "" : Subject.T.Sites[Row.Site].Expression;
  const std::string Call = callLabel(Subject, Row);
  return Around.empty() ? Call : Around + " > " + Call;
}

/// Few columns, because tables in a pull request are narrow; JSON has the
/// others.
TextTable waitTable(const Input &Subject, bool All) {
  const bool Steps = Subject.R.InSteps.has_value();
  std::vector<TextTable::Column> Columns{
      {"site", true},
      {"call", true},
      {Steps ? "waits per step" : "calls"},
      {Steps ? "wait per step" : "wait"},
      {Steps ? "exposed stall per step" : "exposed stall"},
      {"lead before a wait"},
      {"gain"},
      {"verdict", true}};
  if (Subject.Audit)
    Columns.push_back({"rule of the audit", true});
  TextTable Table(std::move(Columns));
  for (const SiteRow &Row : Subject.R.Sites) {
    if (Row.isOutside() || (!Row.Waits && !All))
      continue;
    auto Mean = [&](int64_t SiteSteps::*Sum,
                    const std::optional<int64_t> &Run) {
      return Row.Steps ? perStep(Subject, (*Row.Steps).*Sum) : duration(Run);
    };
    std::vector<std::string> Cells{
        place(Subject.T, Row.Site),
        callCell(Subject, Row),
        Row.Steps ? timesPerStep(Subject, Row.Steps->Waits) : count(Row.Count),
        Mean(&SiteSteps::Wait, Row.Wait),
        Mean(&SiteSteps::Exposed, Row.Exposed),
        duration(Row.LeadMedian),
        gainText(Subject, Row),
        verdictCell(Subject, Row)};
    if (Subject.Audit)
      Cells.push_back(auditText(Subject, Row));
    Table.addRow(std::move(Cells));
  }
  return Table;
}

void printCaveat(llvm::raw_ostream &Out, const Input &Subject, bool Outside) {
  if (std::string Caveat = adviceCaveat(Subject, Outside); !Caveat.empty())
    Out << '\n' << escapeMarkdown(Caveat) << '\n';
}

void printSites(llvm::raw_ostream &Out, const Input &Subject,
                const TextStyle &Style) {
  TextTable Table = Subject.R.WaitsKnown ? waitTable(Subject, Style.All)
                                         : probedTable(Subject);
  Out << "\n## " << sitesHeading(Subject) << "\n\n";
  if (!Table.empty())
    Table.printMarkdown(Out);
  else
    Out << noSites(Subject) << '\n';
  printCaveat(Out, Subject, /*Outside=*/false);
}

void printIdle(llvm::raw_ostream &Out, const Input &Subject) {
  std::vector<std::string> Lines = idleSentences(Subject);
  if (!Lines.empty())
    Out << '\n';
  for (const std::string &Line : Lines)
    Out << "- " << escapeMarkdown(Line) << '\n';
}

void printBusyCpu(llvm::raw_ostream &Out, const Input &Subject,
                  const TextStyle &Style) {
  const BusyCpuTable Busy = busyCpuTable(Subject, Style.All, /*Narrow=*/false);
  printTable(Out, busyCpuHeading(), Busy.Table);
  if (Busy.Hidden && !Busy.Table.empty())
    Out << fmt::format("\n{} more (--all lists them)\n", count(Busy.Hidden));
  if (!Busy.Rest.empty() && !Busy.Table.empty())
    Out << '\n' << Busy.Rest << '\n';
}

void printTransfers(llvm::raw_ostream &Out, const Input &Subject,
                    const TextStyle &Style) {
  printTable(Out, transferHeading(Subject), transferTable(Subject, Style.All));
  const std::vector<std::string> Lines = transferSentences(Subject);
  if (!Lines.empty())
    Out << '\n';
  for (const std::string &Line : Lines)
    Out << "- " << escapeMarkdown(Line) << '\n';
}

void printFindings(llvm::raw_ostream &Out, const Input &Subject) {
  if (Subject.R.Findings.empty())
    return;
  Out << "\n## Findings\n\n";
  for (const Finding &F : Subject.R.Findings)
    Out << "- " << escapeMarkdown(findingText(F)) << ' '
        << escapeMarkdown(findingAdvice(F)) << '\n';
}

void printMemory(llvm::raw_ostream &Out, const Input &Subject) {
  for (const MemoryPart &Part : memoryParts(Subject)) {
    printTable(Out, Part.Heading, Part.Holders);
    Out << "\n" << escapeMarkdown(Part.Summary) << '\n';
    if (!Part.AtTheEnd.empty())
      Out << "\n" << escapeMarkdown(Part.AtTheEnd) << '\n';
  }
}

void printProfile(llvm::raw_ostream &Out, const Input &Subject,
                  const TextStyle &Style) {
  for (const ProfileTable &One : profileTables(Subject, Style)) {
    printTable(Out, One.Heading, One.Table);
    if (One.Hidden)
      Out << fmt::format("\n{} more (--all lists them)\n", count(One.Hidden));
  }
}

void printSummary(llvm::raw_ostream &Out, llvm::StringRef Title,
                  const Input &Subject) {
  Out << "\n## " << Title << "\n\n";
  for (const auto &Line : summaryLines(Subject))
    Out << "- " << Line.first << ": " << escapeMarkdown(Line.second) << '\n';
}

/// With a heading of its own, which fitMarkdown keeps.
void printLimitations(llvm::raw_ostream &Out, llvm::StringRef Heading,
                      llvm::ArrayRef<std::string> Lines) {
  if (Lines.empty())
    return;
  Out << "\n## " << Heading << "\n\n";
  for (const std::string &Line : Lines)
    Out << "- " << escapeMarkdown(Line) << '\n';
}

} // namespace

void report::writeReportMarkdown(llvm::raw_ostream &Out, const Input &Subject,
                                 const TextStyle &Style) {
  std::string Title = runName(Subject);
  std::replace(Title.begin(), Title.end(), '`', '\'');
  std::replace(Title.begin(), Title.end(), '\n', ' ');
  Out << "# autoprof: `" << Title << "`\n\n**"
      << escapeMarkdown(headline(Subject)) << ".**";
  if (Subject.R.InSteps)
    Out << ' ' << escapeMarkdown(regimeSentence(Subject));
  Out << '\n';
  printSites(Out, Subject, Style);
  if (std::string Order = removalOrder(Subject); !Order.empty())
    Out << '\n' << escapeMarkdown(Order) << '\n';
  printTable(Out, outsideHeading(),
             outsideTable(Subject, Subject.R.Sites.size()));
  printCaveat(Out, Subject, /*Outside=*/true);
  printTable(Out, gapHeading(Subject), gapTable(Subject));
  printIdle(Out, Subject);
  printBusyCpu(Out, Subject, Style);
  printTransfers(Out, Subject, Style);
  printSummary(Out, "Summary", Subject);
  printMemory(Out, Subject);
  printFindings(Out, Subject);
  if (Style.Profile)
    printProfile(Out, Subject, Style);
  printLimitations(Out, "Limitations of this recording", caveats(Subject));
}

void report::writeProofMarkdown(llvm::raw_ostream &Out, const Difference &D,
                                const TextStyle &Style) {
  const auto Lines = proofLines(D, Style.All);
  if (Lines.empty())
    return;
  Out << "\n## " << proofHeading() << "\n\n";
  for (const auto &[Name, Value] : Lines)
    Out << (Name.empty() ? "- " : "- " + Name + ": ") << escapeMarkdown(Value)
        << '\n';
}

void report::writeDiffMarkdown(llvm::raw_ostream &Out, const DiffInput &About,
                               const TextStyle &Style) {
  const Difference &D = About.D;
  Out << "# autoprof: before and after\n\n"
      << escapeMarkdown(diffSummary(D)) << '\n';
  writeProofMarkdown(Out, D, Style);
  printTable(Out, changeHeading(D), changeTable(D, Style.All));
  std::vector<std::string> Lines = diffNotes(D);
  llvm::append_range(Lines, guessLines(D));
  printTable(Out, partHeading(), partTable(D, Style.All));
  printTable(Out, sidesHeading(D), sidesTable(D));
  printTable(Out, causeChangeHeading(D), causeChangeTable(D));
  printTable(Out, cpuChangeHeading(D), cpuChangeTable(About, Style.All));
  llvm::append_range(Lines, diffCaveats(D));
  printLimitations(Out, "Limitations of this comparison", Lines);
}
