// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Tables.h"

#include "report/Format.h"
#include "report/recording/CallName.h"
#include "report/recording/IdleSentences.h"
#include "report/recording/Sentences.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

std::string siteName(const Input &Subject, const SiteRow &Row) {
  return placeAndCall(Subject.T, Row.Site, callLabel(Subject, Row));
}

/// Every cause with a gap, the largest first, each with its share of `Whole`.
void addCauses(TextTable &Table, const Input &Subject,
               const std::vector<CauseTotal> &Gaps, int64_t Whole) {
  std::vector<unsigned> Order;
  for (unsigned I = 0; I < NumCauses; ++I)
    if (Gaps[I].Count)
      Order.push_back(I);
  llvm::stable_sort(Order, [&Gaps](unsigned A, unsigned B) {
    return Gaps[A].Total > Gaps[B].Total;
  });
  for (unsigned I : Order) {
    const bool Steps = Subject.R.InSteps.has_value();
    Table.addRow(
        {report::phrase(Cause(I)).str(),
         Steps ? timesPerStep(Subject, Gaps[I].Count) : count(Gaps[I].Count),
         Steps ? perStep(Subject, Gaps[I].Total) : duration(Gaps[I].Total),
         percent(double(Gaps[I].Total), double(Whole))});
  }
}

} // namespace

/// Recorded without GPU work, but with the calls that may wait for it.
static bool isLight(const Input &Subject) {
  return Subject.T.Info.Mode == "light" && Subject.T.Info.CuptiState == "ok";
}

llvm::StringRef report::sitesHeading(const Input &Subject) {
  if (!Subject.R.WaitsKnown)
    return isLight(Subject) ? "Calls that may wait, and sites, by time in them"
                            : "Sites, by time in them";
  return Subject.R.InSteps ? "Sites, by exposed stall in the steps"
                           : "Sites, by exposed stall";
}

std::string report::sitesKey(const Input &Subject) {
  std::string Key = "wait: CPU time spent waiting for the GPU in this call; "
                    "exposed: GPU idle time from there to the next work that "
                    "is launched, at most as long as the call, so it may be "
                    "longer than the wait. ";
  const auto &S = Subject.R.InSteps;
  if (!S)
    return Key + "The columns are sums over the run; median, p95, depth, and "
                 "lead are those of single waits.";
  Key += fmt::format("The columns are means of {} steps, which take {} on "
                     "average; median, p95, depth, and lead are those of "
                     "single waits in the whole run",
                     count(S->Count), perStep(Subject, S->Span));
  if (const std::optional<int64_t> Step = unrecordedStep(Subject.R))
    Key += fmt::format("; gains are for unrecorded runs (median step: {})",
                       duration(*Step));
  return Key + ".";
}

llvm::StringRef report::adviceDoubt(const SiteRow &Row) {
  if (Row.Kind == "free")
    return "The trace does not show whether other calls rely on this wait.";
  return "The trace does not show whether the program needs the data there.";
}

std::string report::adviceCaveat(const Input &Subject, bool Outside) {
  for (const SiteRow &Row : Subject.R.Sites)
    if (isFinding(Row)) // Those in the steps come first.
      return Row.isOutside() == Outside ? "Caveat: " + adviceDoubt(Row).str()
                                        : "";
  return "";
}

std::string report::silentWaits(const Input &Subject) {
  constexpr size_t MostPlaces = 3;
  const bool Inside = Subject.R.InSteps.has_value();
  int64_t Wait = 0;
  std::vector<std::string> Places;
  for (const SiteRow &Row : Subject.R.Sites) {
    if (Row.isOutside() || !Row.Waits || isFinding(Row))
      continue;
    const int64_t Ns = Inside ? Row.Steps->Wait : *Row.Wait;
    if (2 * (Inside ? Row.Steps->Exposed : *Row.Exposed) >= Ns)
      continue;
    Wait += Ns;
    if (std::string Place = siteName(Subject, Row);
        !llvm::is_contained(Places, Place))
      Places.push_back(std::move(Place));
  }
  if (Places.empty())
    return "";
  const size_t Shown = std::min(Places.size(), MostPlaces);
  std::string Last = Places[Shown - 1];
  if (Shown < Places.size())
    Last = fmt::format("{} more", count(Places.size() - Shown + 1));
  std::string List =
      llvm::join(llvm::ArrayRef(Places).take_front(Shown - 1), ", ");
  List += (List.empty() ? "" : " and ") + Last;
  return fmt::format(
      "The waits in {} ({}) cost next to nothing, because the GPU stays busy "
      "during them.",
      List, Inside ? perStep(Subject, Wait) + " per step" : duration(Wait));
}

std::string report::callLabel(const Input &Subject, const SiteRow &Row) {
  const llvm::StringRef Name = callName(Row),
                        Outer = llvm::StringRef(Row.Call).split(" > ").first;
  // The operators of one call differ in their names only.
  if (Name == Row.Call || Outer == Row.Call || Outer.starts_with("aten::"))
    return Name.str();
  const bool IsShared =
      llvm::any_of(Subject.R.Sites, [&](const SiteRow &Other) {
        return Other.Kind == Row.Kind && Other.Call != Row.Call &&
               callName(Other) == Name;
      });
  return IsShared ? (Name + " in " + Outer).str() : Name.str();
}

llvm::StringRef report::noSites(const Input &Subject) {
  if (!Subject.R.WaitsKnown)
    return "No site was recorded.";
  if (Subject.R.InSteps && !blockedShare(*Subject.R.InSteps).empty())
    return "No call waited for GPU work in the steps; a full queue blocked "
           "launches (see the summary).";
  return Subject.R.InSteps ? "No call waited for the GPU in the steps."
                           : "No call waited for the GPU.";
}

TextTable report::probedTable(const Input &Subject) {
  TextTable Table({{"site", true}, {"kind", true}, {"count"}, {"time in it"}});
  for (const SiteRow &Row : Subject.R.Sites)
    Table.addRow({siteName(Subject, Row), Row.Kind, count(Row.Count),
                  duration(Row.HostTime)});
  return Table;
}

TextTable report::outsideTable(const Input &Subject, size_t MaxRows) {
  std::vector<TextTable::Column> Columns{
      {"site", true}, {"kind", true}, {"count"}, {"wait"}, {"exposed stall"}};
  if (Subject.Audit)
    Columns.push_back({"rule of the audit", true});
  TextTable Table(std::move(Columns));
  for (const SiteRow &Row : Subject.R.Sites) {
    if (!Row.isOutside() || !MaxRows)
      continue;
    --MaxRows;
    std::vector<std::string> Cells{siteName(Subject, Row), Row.Kind,
                                   count(Row.Count), duration(Row.Wait),
                                   duration(Row.Exposed)};
    if (Subject.Audit)
      Cells.push_back(auditText(Subject, Row));
    Table.addRow(std::move(Cells));
    if (isFinding(Row))
      Table.addNote(verdictLine(Subject, Row));
  }
  return Table;
}

llvm::StringRef report::outsideHeading() {
  return "Waits outside the measured steps (sums over the run)";
}

TextTable report::gapTable(const Input &Subject) {
  const Result &R = Subject.R;
  if (!R.InSteps) {
    TextTable Table(
        {{"cause", true}, {"gaps"}, {"total"}, {"of the GPU's span"}});
    if (!idleTime(R.Gaps))
      return Table; // Busy all the time, or no GPU work.
    addCauses(Table, Subject, R.Gaps, idleBasis(R));
    const int64_t Busy = busyTime(R);
    Table.addRow({"GPU busy", "-", duration(Busy),
                  percent(double(Busy), double(idleBasis(R)))});
    return Table;
  }
  const Steady &S = *R.InSteps;
  TextTable Table(
      {{"cause", true}, {"gaps/step"}, {"time/step"}, {"of the step"}});
  if (!idleTime(R.Gaps))
    return Table;
  addCauses(Table, Subject, S.Gaps, S.Span);
  Table.addRow({"GPU busy", "-", perStep(Subject, S.Busy),
                percent(double(S.Busy), double(S.Span))});
  return Table;
}

llvm::StringRef report::gapHeading(const Input &Subject) {
  return Subject.R.InSteps ? "Why the GPU was idle in the steps"
                           : "Why the GPU was idle";
}
