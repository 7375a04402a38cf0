// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Tables.h"

#include "report/Format.h"
#include "report/recording/Sentences.h"

#include "llvm/ADT/STLExtras.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

std::string siteName(const Input &In, const SiteRow &Row) {
  return placeAndCall(In.T, Row.Site, Row.Call);
}

CauseTotal sum(const std::vector<CauseTotal> &Gaps) {
  CauseTotal Sum;
  for (const CauseTotal &C : Gaps) {
    Sum.Count += C.Count;
    Sum.Total += C.Total;
  }
  return Sum;
}

/// Every cause with a gap, the largest first, each with its share of `Whole`.
void addCauses(TextTable &Table, const Input &In,
               const std::vector<CauseTotal> &Gaps, int64_t Whole) {
  std::vector<unsigned> Order;
  for (unsigned I = 0; I < NumCauses; ++I)
    if (Gaps[I].Count)
      Order.push_back(I);
  llvm::stable_sort(Order, [&Gaps](unsigned A, unsigned B) {
    return Gaps[A].Total > Gaps[B].Total;
  });
  for (unsigned I : Order) {
    std::vector<std::string> Cells{report::phrase(Cause(I)).str(),
                                   count(Gaps[I].Count),
                                   duration(Gaps[I].Total)};
    if (In.R.InSteps)
      Cells.push_back(perStep(In, Gaps[I].Total));
    Cells.push_back(percent(double(Gaps[I].Total), double(Whole)));
    Table.addRow(std::move(Cells));
  }
}

} // namespace

/// Recorded without GPU work, but with the calls that may wait for it.
static bool isLight(const Input &In) {
  return In.T.Info.Mode == "light" && In.T.Info.CuptiState == "ok";
}

llvm::StringRef report::sitesHeading(const Input &In) {
  if (!In.R.WaitsKnown)
    return isLight(In) ? "Calls that may wait, and sites, by time in them"
                       : "Sites, by time in them";
  return In.R.InSteps ? "Sites, by exposed stall in the steps"
                      : "Sites, by exposed stall";
}

llvm::StringRef report::noSites(const Input &In) {
  if (!In.R.WaitsKnown)
    return "No site was recorded.";
  return In.R.InSteps ? "No call waited for the GPU in the steps."
                      : "No call waited for the GPU.";
}

TextTable report::probedTable(const Input &In) {
  TextTable Table({{"site", true}, {"kind", true}, {"count"}, {"time in it"}});
  for (const SiteRow &Row : In.R.Sites)
    Table.addRow({siteName(In, Row), Row.Kind, count(Row.Count),
                  duration(Row.HostTime)});
  return Table;
}

TextTable report::outsideTable(const Input &In, size_t MaxRows) {
  TextTable Table(
      {{"site", true}, {"kind", true}, {"count"}, {"wait"}, {"exposed stall"}});
  for (const SiteRow &Row : In.R.Sites) {
    if (!Row.isOutside() || !MaxRows)
      continue;
    --MaxRows;
    Table.addRow({siteName(In, Row), Row.Kind, count(Row.Count),
                  duration(Row.Wait), duration(Row.Exposed)});
    if (isFinding(Row))
      Table.addNote(verdictLine(In, Row));
  }
  return Table;
}

llvm::StringRef report::outsideHeading() {
  return "Waits outside the steps (start-up, warm-up, end)";
}

TextTable report::gapTable(const Input &In) {
  const Result &R = In.R;
  CauseTotal Run = sum(R.Gaps);
  if (!R.InSteps) {
    TextTable Table({{"cause", true}, {"gaps"}, {"total"}, {"share"}});
    addCauses(Table, In, R.Gaps, Run.Total);
    return Table;
  }
  const Steady &S = *R.InSteps;
  TextTable Table(
      {{"cause", true}, {"gaps"}, {"total"}, {"a step"}, {"of the step"}});
  if (!Run.Total)
    return Table;
  addCauses(Table, In, S.Gaps, S.Span);
  Table.addRow({"GPU busy", "-", duration(S.Busy), perStep(In, S.Busy),
                percent(double(S.Busy), double(S.Span))});
  CauseTotal Steps = sum(S.Gaps);
  if (Run.Total > Steps.Total)
    Table.addRow({"(idle outside these steps)",
                  count(Run.Count - std::min(Run.Count, Steps.Count)),
                  duration(Run.Total - Steps.Total), "-", "-"});
  return Table;
}

llvm::StringRef report::gapHeading(const Input &In) {
  return In.R.InSteps ? "Why the GPU was idle in the steps"
                      : "Why the GPU was idle";
}
