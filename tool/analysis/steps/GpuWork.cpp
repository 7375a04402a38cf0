// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/GpuWork.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

GpuWork::GpuWork(const Timeline &T, int64_t From, int64_t To) {
  auto IsTransfer = [&T](uint32_t Op) {
    const trace::OpKind Kind = T.Stages[T.Ops.Stage[Op]].Kind;
    return Kind == trace::OpKind::Copy || Kind == trace::OpKind::Set;
  };
  const bool OnlyTransfers = llvm::all_of(T.LaunchOrder, IsTransfer);
  int64_t First = From;
  for (uint32_t Op : T.LaunchOrder) {
    const int64_t At = T.Host.Start[T.Ops.Launch[Op]];
    First = std::min(First, At);
    if (IsTransfer(Op) && !OnlyTransfers)
      continue;
    (At < From ? Before
     : At < To ? Inside
               : After) += T.Ops.End[Op] - T.Ops.Start[Op];
    ++(At >= From && At < To ? OpsInside : OpsOutside);
  }
  Time = From - First;
}

int64_t GpuWork::ofStart(size_t Repetitions) const {
  constexpr size_t Many = 20;
  return Repetitions >= Many && 2 * Before < Time ? Before : 0;
}
