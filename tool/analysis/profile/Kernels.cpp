// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profile/Profile.h"

#include "analysis/common/Sorting.h"
#include "analysis/profile/Utilization.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <utility>
#include <vector>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;
using trace::Timeline;

namespace {

void add(KernelRow &Row, int64_t Ns, bool InSteps) {
  Row.Min = Row.Count ? std::min(Row.Min, Ns) : Ns;
  Row.Max = std::max(Row.Max, Ns);
  ++Row.Count;
  Row.Total += Ns;
  Row.StepCount += InSteps;
  Row.StepTotal += InSteps ? Ns : 0;
}

} // namespace

std::vector<KernelRow>
autoprof::analysis::sumKernels(const Timeline &T, const trace::Window &Steps) {
  std::vector<KernelRow> Rows(T.Strings.size());
  /// By name: the sum of what is known, weighted by time.
  std::vector<std::optional<double>> Sms(T.Strings.size(), 0.0);
  const std::vector<uint32_t> DeviceOf = rowsOfQueues(T);
  for (uint32_t I = 0; I < T.Ops.size(); ++I) {
    const trace::Stage &S = T.Stages[T.Ops.Stage[I]];
    int64_t End = T.Ops.End[I], Ns = End - T.Ops.Start[I];
    Rows[S.Name].Kind = S.Kind;
    add(Rows[S.Name], Ns, End > Steps.Start && End <= Steps.End);
    const auto Known = smEfficiency(S, T.Devices[DeviceOf[T.Ops.Queue[I]]]);
    std::optional<double> &Sum = Sms[S.Name];
    Sum =
        Sum && Known ? std::optional(*Sum + *Known * double(Ns)) : std::nullopt;
  }
  std::vector<KernelRow> Result;
  for (uint32_t I = 0; I < Rows.size(); ++I) {
    if (!Rows[I].Count)
      continue;
    Rows[I].Name = T.Strings[I].str();
    if (Sms[I] && Rows[I].Total)
      Rows[I].SmEfficiency = *Sms[I] / double(Rows[I].Total);
    Result.push_back(std::move(Rows[I]));
  }
  llvm::sort(Result, [](const KernelRow &A, const KernelRow &B) {
    return std::tie(B.Total, A.Name) < std::tie(A.Total, B.Name);
  });
  return Result;
}

std::optional<double> MemoryRow::rate() const {
  if (!Bytes || !Total)
    return std::nullopt;
  return double(Bytes) * 1e9 / double(Total);
}

std::vector<MemoryRow> autoprof::analysis::sumMemory(const trace::Timeline &T) {
  std::map<std::tuple<trace::OpKind, trace::Direction, trace::MemoryKind,
                      trace::MemoryKind>,
           MemoryRow>
      Rows;
  for (uint32_t I = 0; I < T.Ops.size(); ++I) {
    const trace::Stage &S = T.Stages[T.Ops.Stage[I]];
    if (S.Kind != trace::OpKind::Copy && S.Kind != trace::OpKind::Set)
      continue;
    MemoryRow &Row = Rows[{S.Kind, S.Dir, S.Source, S.Destination}];
    int64_t Ns = T.Ops.End[I] - T.Ops.Start[I];
    Row.Min = Row.Count ? std::min(Row.Min, Ns) : Ns;
    Row.Max = std::max(Row.Max, Ns);
    ++Row.Count;
    Row.Bytes += S.Bytes;
    Row.LargestBytes = std::max(Row.LargestBytes, S.Bytes);
    Row.Total += Ns;
  }
  std::vector<MemoryRow> Result;
  for (auto &[Key, Row] : Rows) {
    std::tie(Row.Kind, Row.Dir, Row.Source, Row.Destination) = Key;
    Result.push_back(Row);
  }
  largestFirst(Result, &MemoryRow::Total);
  return Result;
}

GraphLaunches analysis::findGraphLaunches(const trace::Timeline &T,
                                          int64_t From) {
  GraphLaunches Result;
  uint32_t Last = None, Name = None;
  bool IsGraph = false; // By the name; most calls have that of the last.
  for (uint32_t Op : T.LaunchOrder) {
    const uint32_t Call = T.Ops.Launch[Op];
    if (Call == None || Call == Last || T.Host.Start[Call] < From)
      continue;
    Last = Call;
    if (std::exchange(Name, T.Host.Name[Call]) != T.Host.Name[Call])
      IsGraph = T.Strings[Name].contains("GraphLaunch");
    if (T.Stages[T.Ops.Stage[Op]].Kind == trace::OpKind::Graph)
      ++Result.Whole;
    else if (IsGraph)
      ++Result.ByNode;
  }
  return Result;
}
