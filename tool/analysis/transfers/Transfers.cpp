// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/transfers/Transfers.h"

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

class Summer {
  const Timeline &T;
  const Attribution &A;
  const std::vector<Wait> &Waits;
  const TransferWindows *Steps;
  std::map<Key, TransferRow> Rows;
  /// By outermost call: the row of its copy; and whether it waits.
  std::map<uint32_t, TransferRow *> RowOfCall;

  TransferRow &rowFor(uint32_t Call, const trace::Stage &S);
  void addCall(uint32_t Call, llvm::ArrayRef<uint32_t> Ops);
  void addWaits();

public:
  Summer(const Timeline &T, const Attribution &A,
         const std::vector<Wait> &Waits, const TransferWindows *Steps)
      : T(T), A(A), Waits(Waits), Steps(Steps) {}
  std::vector<TransferRow> run();
};

TransferRow &Summer::rowFor(uint32_t Call, const trace::Stage &S) {
  const uint32_t Group = groupOf(T, A, Call);
  auto [It, IsNew] = Rows.try_emplace({Group, S.Dir, hostMemory(S)});
  TransferRow &Row = It->second;
  if (!IsNew)
    return Row;
  Row.Group = Group;
  if (Group < T.Sites.size()) {
    Row.Site = Group;
    Row.Call = T.Sites[Group].Callee;
  } else {
    Row.Call = T.Strings[Group - T.Sites.size()].str();
  }
  Row.Dir = S.Dir;
  Row.Memory = hostMemory(S);
  if (Steps)
    Row.Steps.emplace();
  return Row;
}

/// A call whose operations are copies of one kind.
void Summer::addCall(uint32_t Call, llvm::ArrayRef<uint32_t> Ops) {
  const trace::Stage &First = T.Stages[T.Ops.Stage[Ops.front()]];
  if (llvm::any_of(Ops, [&](uint32_t Op) {
        const trace::Stage &S = T.Stages[T.Ops.Stage[Op]];
        return !isTransfer(S) || S.Dir != First.Dir ||
               hostMemory(S) != hostMemory(First);
      }))
    return;
  TransferRow &Row = rowFor(Call, First);
  RowOfCall[Call] = &Row;
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

/// Of the calls that copy; another call of the group that waits makes it block.
void Summer::addWaits() {
  for (size_t I = 0; I < Waits.size(); ++I) {
    const uint32_t Outer = A.Outer[Waits[I].Call];
    if (auto It = RowOfCall.find(Outer); It != RowOfCall.end()) {
      It->second->Run.Waiting += Waits[I].length();
      if (Steps)
        It->second->Steps->Waiting += Steps->WaitOf[I];
      continue;
    }
    const uint32_t Group = groupOf(T, A, Outer);
    for (auto &[RowKey, Row] : Rows)
      Row.Blocks |= std::get<0>(RowKey) == Group;
  }
}

std::vector<TransferRow> Summer::run() {
  const llvm::ArrayRef<uint32_t> Order = T.LaunchOrder;
  for (size_t I = 0; I < Order.size();) {
    const uint32_t Call = T.Ops.Launch[Order[I]];
    size_t Next = I + 1;
    while (Next < Order.size() && T.Ops.Launch[Order[Next]] == Call)
      ++Next;
    addCall(A.Outer[Call], Order.slice(I, Next - I));
    I = Next;
  }
  addWaits();
  std::vector<TransferRow> Result;
  for (auto &[RowKey, Row] : Rows)
    Result.push_back(std::move(Row));
  auto Cost = [](const TransferRow &Row) {
    const TransferSums &S = Row.sums();
    return std::pair(S.Host + S.Gpu, Row.Run.Host + Row.Run.Gpu);
  };
  llvm::stable_sort(Result, [&](const TransferRow &A, const TransferRow &B) {
    return Cost(A) > Cost(B);
  });
  return Result;
}

} // namespace

std::vector<TransferRow>
autoprof::analysis::sumTransfers(const Timeline &T, const Attribution &A,
                                 const std::vector<Wait> &Waits,
                                 const TransferWindows *Steps) {
  return Summer(T, A, Waits, Steps).run();
}
