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

std::string perStep(const Input &In, const std::optional<int64_t> &Total) {
  size_t Steps = In.R.Steps.List.size();
  if (!Total || !Steps)
    return "-";
  return duration(*Total / int64_t(Steps));
}

std::string verdictCell(const SiteRow &Row) {
  std::string Text = analysis::phrase(Row.Judged.What).str();
  return Row.Judged.Advice.empty() ? Text : Text + ": " + Row.Judged.Advice;
}

void printSites(llvm::raw_ostream &Out, const Input &In,
                const TextStyle &Style) {
  TextTable Table({{"site", true},
                   {"call", true},
                   {"kind", true},
                   {"count"},
                   {"wait"},
                   {"per step"},
                   {"median"},
                   {"p95"},
                   {"depth"},
                   {"lead"},
                   {"exposed stall"},
                   {"gain"},
                   {"verdict", true}});
  for (const SiteRow &Row : In.R.Sites) {
    if (!Row.Waits && !Style.All && In.R.WaitsKnown)
      continue;
    Table.addRow(
        {place(In.T, Row.Site), Row.Call, Row.Kind, count(Row.Count),
         duration(Row.Wait), perStep(In, Row.Wait), duration(Row.WaitMedian),
         duration(Row.WaitP95),
         Row.DepthMedian ? fmt::format("{:.0f}", *Row.DepthMedian) : "-",
         duration(Row.LeadMedian), duration(Row.Exposed), gainText(Row),
         verdictCell(Row)});
  }
  Out << "\n## Sites, by exposed stall\n\n";
  if (!Table.empty())
    Table.printMarkdown(Out);
  else
    Out << (In.R.WaitsKnown ? "No call waited for the GPU.\n"
                            : "No site was recorded.\n");
}

void printGaps(llvm::raw_ostream &Out, const Input &In) {
  TextTable Table({{"cause", true}, {"gaps"}, {"total"}});
  for (unsigned I = 0; I < NumCauses; ++I)
    if (const CauseTotal &C = In.R.Gaps[I]; C.Count)
      Table.addRow(
          {report::phrase(Cause(I)).str(), count(C.Count), duration(C.Total)});
  if (Table.empty())
    return;
  Out << "\n## Why the GPU was idle\n\n";
  Table.printMarkdown(Out);
}

void printSummary(llvm::raw_ostream &Out, llvm::StringRef Title,
                  const Input &In) {
  Out << "\n## " << Title << "\n\n";
  for (const auto &[Name, Value] : summaryLines(In))
    Out << "- " << Name << ": " << escapeMarkdown(Value) << '\n';
  for (const std::string &Line : caveats(In))
    Out << "- " << escapeMarkdown(Line) << '\n';
}

} // namespace

void report::writeReportMarkdown(llvm::raw_ostream &Out, const Input &In,
                                 const TextStyle &Style) {
  Out << "# autoprof: `" << In.T.Info.CommandLine << "`\n";
  printSites(Out, In, Style);
  printGaps(Out, In);
  printSummary(Out, "Summary", In);
}

void report::writeDiffMarkdown(llvm::raw_ostream &Out, const Input &Base,
                               const Input &New, const Difference &D,
                               const TextStyle &Style) {
  Out << "# autoprof: before and after\n\n"
      << escapeMarkdown(diffSummary(Base, New, D)) << "\n\n## Sites ("
      << (D.PerStep ? "wait per step" : "wait in all") << ")\n\n";
  TextTable Sites({{"site", true},
                   {"call", true},
                   {"wait, base"},
                   {"wait, new"},
                   {"exposed stall, base"},
                   {"exposed stall, new"}});
  for (const SiteChange &C : D.Sites) {
    bool Waits = (C.Base && C.Base->Waits) || (C.New && C.New->Waits);
    if (!Waits && !Style.All)
      continue;
    const SiteRow &Row = C.Base ? *C.Base : *C.New;
    auto Cell = [](const SiteRow *R, const std::optional<int64_t> &Ns) {
      return R ? duration(Ns) : std::string("not run");
    };
    Sites.addRow({place(C.Base ? Base.T : New.T, Row.Site), Row.Call,
                  Cell(C.Base, C.BaseWait), Cell(C.New, C.NewWait),
                  Cell(C.Base, C.Base ? C.Base->Exposed : std::nullopt),
                  Cell(C.New, C.New ? C.New->Exposed : std::nullopt)});
  }
  Sites.printMarkdown(Out);
  printSummary(Out, "Base", Base);
  printSummary(Out, "New", New);
}
