// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"
#include "report/recording/IdleSentences.h"
#include "report/recording/Profile.h"
#include "report/recording/Sentences.h"

#include "analysis/common/KernelName.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

std::string part(const std::optional<double> &V) {
  return V ? percent(*V, 1) : "-";
}

/// Names of libraries' kernels often differ only in the part that a terminal
/// cuts.
void addKernel(TextTable &Table, const KernelRow &Row, int64_t Whole,
               const TextStyle &Style) {
  constexpr size_t Fits = 30, NoteIndent = 6;
  bool IsKernel = Row.Kind == trace::OpKind::Kernel;
  Table.addRow({IsKernel ? shortName(Row.Name, Style.LongestName) : Row.Name,
                count(Row.Count), duration(Row.Total),
                percent(double(Row.Total), double(Whole)), duration(Row.mean()),
                durations(Row.Min, Row.Max), part(Row.SmEfficiency),
                part(Row.Occupancy)});
  std::string Longer = shortName(Row.Name, Style.Width - NoteIndent);
  if (IsKernel && Longer.size() > Fits)
    Table.addNote(std::move(Longer));
}

/// What the time of the steps, or of the run, was spent on.
TextTable breakdown(const Result &R) {
  const Utilization &U = R.Used;
  TextTable Table({{"the GPU's time", true}, {"total"}, {"of that time"}});
  auto Add = [&](llvm::StringRef Name, int64_t Ns) {
    if (Ns)
      Table.addRow(
          {Name.str(), duration(Ns), percent(double(Ns), double(U.Time))});
  };
  constexpr llvm::StringLiteral Names[NumWorks] = {
      "kernels", "copies without a concurrent kernel",
      "sets, nothing concurrent", "communication, nothing concurrent", "other"};
  for (unsigned W = 0; W < NumWorks; ++W)
    Add(Names[W], U.Parts[W]);
  const std::vector<CauseTotal> &Gaps = R.InSteps ? R.InSteps->Gaps : R.Gaps;
  for (unsigned C = 0; C < NumCauses; ++C)
    Add("idle: " + phrase(Cause(C)).str(), Gaps[C].Total);
  return Table;
}

TextTable utilization(const Utilization &U) {
  TextTable Table({{"GPU utilization (estimated)", true}, {"of the time"}});
  Table.addRow({"time with a kernel running",
                percent(double(U.Kernels), double(U.Time))});
  Table.addRow(
      {"multiprocessors in use (SM efficiency)", part(U.SmEfficiency)});
  Table.addRow({"occupancy while kernels ran", part(U.Occupancy)});
  return Table;
}

TextTable kernels(const Result &R, size_t Most, const TextStyle &Style) {
  TextTable Table({{"kernel, copy or set", true, /*CutEnd=*/true},
                   {"calls"},
                   {"total"},
                   {"of the work"},
                   {"mean"},
                   {"min to max"},
                   {"SMs"},
                   {"occup."}});
  int64_t Whole = 0;
  for (const KernelRow &Row : R.Kernels)
    Whole += Row.Total;
  for (const KernelRow &Row : llvm::ArrayRef(R.Kernels).take_front(Most))
    addKernel(Table, Row, Whole, Style);
  return Table;
}

std::string memoryName(const MemoryRow &Row) {
  std::string Destination = analysis::name(Row.Destination).str();
  if (Row.Kind == trace::OpKind::Set)
    return "set " + Destination;
  return fmt::format("{}, {} -> {}", analysis::name(Row.Dir).str(),
                     analysis::name(Row.Source).str(), Destination);
}

TextTable memory(const Result &R, size_t Most) {
  TextTable Table({{"memory operation", true},
                   {"calls"},
                   {"bytes"},
                   {"total"},
                   {"mean"},
                   {"max"},
                   {"rate"}});
  for (const MemoryRow &Row : llvm::ArrayRef(R.Memory).take_front(Most))
    Table.addRow({memoryName(Row), count(Row.Count), bytes(Row.Bytes),
                  duration(Row.Total), duration(Row.mean()), duration(Row.Max),
                  Row.rate() ? bytes(uint64_t(*Row.rate())) + "/s" : "-"});
  return Table;
}

TextTable calls(const Result &R, size_t Most) {
  TextTable Table(
      {{"API call", true}, {"calls"}, {"total"}, {"self"}, {"wait"}, {"mean"}});
  for (const CallRow &Row : llvm::ArrayRef(R.Calls).take_front(Most))
    Table.addRow({Row.Name, count(Row.Count), duration(Row.Total),
                  duration(Row.Self), R.WaitsKnown ? duration(Row.Wait) : "-",
                  duration(Row.Total / int64_t(Row.Count))});
  return Table;
}

TextTable ranges(const Input &Subject, size_t Most) {
  TextTable Table({{"range", true},
                   {"runs"},
                   {"CPU"},
                   {"self"},
                   {"median"},
                   {"GPU"},
                   {"self"}});
  auto Gpu = [&](int64_t Ns) {
    return Subject.R.WaitsKnown ? duration(Ns) : std::string("-");
  };
  for (const RangeRow &Row :
       llvm::ArrayRef(Subject.R.Ranges).take_front(Most)) {
    bool HasPlace = !Subject.T.Sites[Row.Site].File.empty();
    Table.addRow({Row.Name + (HasPlace ? " " + place(Subject.T, Row.Site) : ""),
                  count(Row.Count), duration(Row.Total), duration(Row.Self),
                  duration(Row.Median), Gpu(Row.Gpu), Gpu(Row.GpuSelf)});
  }
  return Table;
}

} // namespace

std::vector<ProfileTable> report::profileTables(const Input &Subject,
                                                const TextStyle &Style) {
  const size_t MostRows = Style.All ? SIZE_MAX : 15;
  const Result &R = Subject.R;
  std::vector<ProfileTable> Tables;
  auto Add = [&](std::string Heading, TextTable Table, size_t Rows) {
    if (!Table.empty())
      Tables.push_back({std::move(Heading), std::move(Table),
                        Rows > MostRows ? Rows - MostRows : 0,
                        /*IsDrawn=*/!Rows});
  };
  if (R.Used.Time) {
    std::string Scope = R.InSteps ? " in the steps" : "";
    Add("GPU time" + Scope, breakdown(R), 0);
    Add("GPU utilization" + Scope, utilization(R.Used), 0);
  }
  Add("Kernels, copies and sets, whole run", kernels(R, MostRows, Style),
      R.Kernels.size());
  Add("Memory operations, whole run", memory(R, MostRows), R.Memory.size());
  Add("API calls, whole run", calls(R, MostRows), R.Calls.size());
  Add("Ranges, whole run: CPU time, and time of the GPU work launched inside",
      ranges(Subject, MostRows), R.Ranges.size());
  return Tables;
}
