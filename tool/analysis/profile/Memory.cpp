// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profile/Memory.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace autoprof;
using namespace autoprof::analysis;

std::optional<double> MemoryRow::rate() const {
  if (!Bytes || !Total)
    return std::nullopt;
  return double(Bytes) * 1e9 / double(Total);
}

llvm::StringRef autoprof::analysis::name(trace::Direction D) {
  constexpr llvm::StringLiteral Names[] = {"unknown", "HtoD", "DtoH",
                                           "DtoD",    "HtoH", "PtoP"};
  return Names[unsigned(D)];
}

llvm::StringRef autoprof::analysis::name(trace::MemoryKind M) {
  constexpr llvm::StringLiteral Names[] = {"unknown", "pageable", "pinned",
                                           "device", "managed"};
  return Names[unsigned(M)];
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
  llvm::stable_sort(Result, [](const MemoryRow &A, const MemoryRow &B) {
    return A.Total > B.Total;
  });
  return Result;
}
