// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/transfers/Transfers.h"

#include "analysis/common/Sorting.h"
#include "analysis/common/Windows.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Direction;
using trace::MemoryKind;
using trace::Timeline;

namespace {

using Key = std::tuple<uint32_t, Direction, MemoryKind>;

TransferRow makeRow(const Timeline &T, uint32_t Group, const trace::Stage &S) {
  TransferRow Row;
  Row.Group = Group;
  if (Group < T.Sites.size()) {
    Row.Site = Group;
    Row.Call = T.Sites[Group].Callee;
  } else {
    Row.Call = T.Strings[Group - T.Sites.size()].str();
  }
  Row.Dir = S.Dir;
  Row.Memory = hostMemory(S);
  return Row;
}

/// Whether they are copies of one kind.
bool areAlike(const Timeline &T, llvm::ArrayRef<uint32_t> Ops) {
  const trace::Stage &First = T.Stages[T.Ops.Stage[Ops.front()]];
  return llvm::all_of(Ops, [&](uint32_t Op) {
    const trace::Stage &S = T.Stages[T.Ops.Stage[Op]];
    return isTransfer(S) && S.Dir == First.Dir &&
           hostMemory(S) == hostMemory(First);
  });
}

void addCall(const Timeline &T, const TransferWindows *Steps, uint32_t Call,
             llvm::ArrayRef<uint32_t> Ops, TransferRow &Row) {
  Row.Blocks |= isSynchronousCopy(T.Strings[T.Host.Name[Call]]);
  const int64_t Start = T.Host.Start[Call], End = T.Host.End[Call];
  Row.Run.Host += End - Start;
  if (Steps)
    Row.Steps->Host += overlap(Steps->Host, Start, End);
  for (uint32_t Op : Ops) {
    const uint64_t Bytes = T.Stages[T.Ops.Stage[Op]].Bytes;
    ++Row.Run.Count;
    Row.Run.Bytes += Bytes;
    Row.Run.Gpu += T.Ops.End[Op] - T.Ops.Start[Op];
    if (!Steps)
      continue;
    Row.Steps->Gpu += overlap(Steps->Gpu, T.Ops.Start[Op], T.Ops.End[Op]);
    if (Steps->Host.Start <= Start && Start < Steps->Host.End) {
      ++Row.Steps->Count;
      Row.Steps->Bytes += Bytes;
    }
  }
}

} // namespace

std::vector<TransferRow>
autoprof::analysis::sumTransfers(const Timeline &T, const Attribution &A,
                                 const std::vector<Wait> &Waits,
                                 const TransferWindows *Steps) {
  std::map<Key, TransferRow> Rows;
  std::map<uint32_t, TransferRow *> RowOfCall; // By outermost call.
  const llvm::ArrayRef<uint32_t> Order = T.LaunchOrder;
  for (size_t I = 0; I < Order.size();) {
    const uint32_t Launch = T.Ops.Launch[Order[I]], Call = A.Outer[Launch];
    const auto Ops = Order.drop_front(I).take_while(
        [&](uint32_t Op) { return T.Ops.Launch[Op] == Launch; });
    I += Ops.size();
    if (!areAlike(T, Ops))
      continue;
    const trace::Stage &S = T.Stages[T.Ops.Stage[Ops.front()]];
    const uint32_t Group = groupOf(T, A, Call);
    auto [It, IsNew] = Rows.try_emplace({Group, S.Dir, hostMemory(S)});
    if (IsNew)
      It->second = makeRow(T, Group, S);
    if (IsNew && Steps)
      It->second.Steps.emplace();
    addCall(T, Steps, Call, Ops, It->second);
    RowOfCall[Call] = &It->second;
  }
  for (size_t I = 0; I < Waits.size(); ++I) {
    const uint32_t Outer = A.Outer[Waits[I].Call];
    if (auto It = RowOfCall.find(Outer); It != RowOfCall.end()) {
      It->second->Run.Waiting += Waits[I].length();
      if (Steps)
        It->second->Steps->Waiting += Steps->WaitOf[I];
      continue;
    }
    // Another call of the group that waits makes the copies block.
    const uint32_t Group = groupOf(T, A, Outer);
    for (auto &[RowKey, Row] : Rows)
      Row.Blocks |= std::get<0>(RowKey) == Group;
  }
  std::vector<TransferRow> Result;
  for (auto &[RowKey, Row] : Rows)
    Result.push_back(std::move(Row));
  auto Cost = [](const TransferRow &Row) {
    const TransferSums &S = Row.sums();
    return std::pair(S.Host + S.Gpu, Row.Run.Host + Row.Run.Gpu);
  };
  largestFirst(Result, Cost);
  return Result;
}
