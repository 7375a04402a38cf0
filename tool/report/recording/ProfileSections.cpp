// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The profile: kernels, calls, ranges, operators and memory operations.
#include "report/Format.h"
#include "report/recording/Sections.h"

#include "analysis/common/KernelName.h"
#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <cstdlib>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

Table kernels(const Result &R) {
  Table T({{"kernel, copy or set", true},
           {"calls"},
           {"total"},
           {"of the work"},
           {"mean"},
           {"min to max"},
           {"SMs"}});
  int64_t Whole = 0;
  for (const KernelRow &Row : R.Kernels)
    Whole += Row.Total;
  for (const KernelRow &Row : R.Kernels)
    T.addRow({Row.Kind == trace::OpKind::Kernel ? shortName(Row.Name, SIZE_MAX)
                                                : Row.Name,
              count(Row.Count), duration(Row.Total),
              percent(double(Row.Total), double(Whole)), duration(Row.mean()),
              durations(Row.Min, Row.Max),
              Row.SmEfficiency ? percent(*Row.SmEfficiency, 1) : "-"});
  return T;
}

std::string memoryName(const MemoryRow &Row) {
  std::string Destination = analysis::name(Row.Destination).str();
  if (Row.Kind == trace::OpKind::Set)
    return "set " + Destination;
  return fmt::format("{}, {} -> {}", analysis::name(Row.Dir).str(),
                     analysis::name(Row.Source).str(), Destination);
}

Table memory(const Result &R) {
  Table T({{"memory operation", true},
           {"calls"},
           {"bytes"},
           {"total"},
           {"mean"},
           {"max"},
           {"rate"}});
  for (const MemoryRow &Row : R.Memory)
    T.addRow({memoryName(Row), count(Row.Count), bytes(Row.Bytes),
              duration(Row.Total), duration(Row.mean()), duration(Row.Max),
              Row.rate() ? bytes(uint64_t(*Row.rate())) + "/s" : "-"});
  return T;
}

Table calls(const Result &R) {
  Table T(
      {{"API call", true}, {"calls"}, {"total"}, {"self"}, {"wait"}, {"mean"}});
  for (const CallRow &Row : R.Calls)
    T.addRow({Row.Name, count(Row.Count), duration(Row.Total),
              duration(Row.Self), R.WaitsKnown ? duration(Row.Wait) : "-",
              duration(Row.Total / int64_t(Row.Count))});
  return T;
}

Table ranges(const Input &Subject) {
  Table T({{"range", true},
           {"runs"},
           {"CPU"},
           {"self"},
           {"median"},
           {"GPU"},
           {"self"}});
  auto Gpu = [&](int64_t Ns) {
    return Subject.R.WaitsKnown ? duration(Ns) : std::string("-");
  };
  for (const RangeRow &Row : Subject.R.Ranges) {
    bool HasPlace = !Subject.T.Sites[Row.Site].File.empty();
    T.addRow({Row.Name + (HasPlace ? " " + place(Subject.T, Row.Site) : ""),
              count(Row.Count), duration(Row.Total), duration(Row.Self),
              duration(Row.Median), Gpu(Row.Gpu), Gpu(Row.GpuSelf)});
  }
  return T;
}

/// By name, or by name and shapes; columns of memory where that is recorded.
Table operators(const Input &Subject, bool ByShape) {
  const bool HasMemory = hasTensorMemory(Subject.T);
  std::vector<Table::Column> Columns = {
      {ByShape ? "operator and shapes of its inputs" : "operator", true,
       /*CutEnd=*/true},
      {"calls"},
      {"self CPU"},
      {"CPU"},
      {"self GPU"},
      {"GPU"}};
  if (HasMemory)
    for (auto [Title, IsWide] : {std::pair("self CPU memory", true),
                                 {"CPU memory", true},
                                 {"self GPU mem.", false},
                                 {"GPU memory", true}})
      Columns.push_back({Title, false, false, IsWide});
  Table T(std::move(Columns));
  auto Gpu = [&](int64_t Ns) {
    return Subject.R.WaitsKnown ? duration(Ns) : std::string("-");
  };
  auto Add = [&](const std::string &Name, const OperatorSums &S) {
    std::vector<std::string> Cells = {
        Name,           count(S.Count), duration(S.SelfCpu), duration(S.Cpu),
        Gpu(S.SelfGpu), Gpu(S.Gpu)};
    if (HasMemory)
      for (int64_t N : {S.SelfCpuBytes, S.CpuBytes, S.SelfGpuBytes, S.GpuBytes})
        Cells.push_back((N < 0 ? "-" : "") + bytes(uint64_t(std::abs(N))));
    T.addRow(std::move(Cells));
  };
  for (const OperatorRow &Row : Subject.R.Operators)
    if (ByShape)
      for (const auto &[Shapes, Sums] : Row.ByShapes)
        Add(Row.Name + (Shapes.empty() ? "" : " " + Shapes), Sums);
    else
      Add(Row.Name, Row.All);
  return T;
}

/// How to get operators, for programs that have some.
std::string howToGetOperators(const Input &Subject) {
  const trace::Timeline &T = Subject.T;
  const bool IsTorch = llvm::any_of(T.Stages, [&T](const trace::Stage &S) {
    return T.Strings[S.Name].contains("at::native::");
  });
  if (!IsTorch || !Subject.R.Operators.empty())
    return "";
  return "The trace has no operators. PyTorch marks them for any recorder "
         "inside 'with torch.autograd.profiler.emit_nvtx(record_shapes=True)', "
         "and torch.profiler records them with ProfilerActivity.CPU.";
}

} // namespace

std::vector<Section> report::profileSections(const Input &Subject,
                                             const TextStyle &Style) {
  constexpr size_t MostRows = 15;
  std::vector<Section> Sections;
  auto Add = [&](const char *Heading, Table T) {
    T.Limit = MostRows;
    Section S;
    S.Heading = Heading;
    S.Where = Style.Profile ? Shown::Everywhere : Shown::OnPages;
    Sections.push_back(std::move(S.add(std::move(T))));
  };
  Add("Kernels, copies and sets, whole run", kernels(Subject.R));
  Add("Memory operations, whole run", memory(Subject.R));
  Add("API calls, whole run", calls(Subject.R));
  Add("Ranges, whole run: CPU time, and time of the GPU work launched inside",
      ranges(Subject));
  Add("Operators, whole run: CPU time, and time of the GPU work that their "
      "threads launched in them",
      operators(Subject, Style.ByShape));
  Sections.back().say(howToGetOperators(Subject), Paragraph::Note);
  const auto First = llvm::find_if(
      Sections, [](const Section &S) { return !S.Blocks.empty(); });
  if (First != Sections.end()) {
    First->Id = "profile";
    First->Link = "Profile";
  }
  return Sections;
}
