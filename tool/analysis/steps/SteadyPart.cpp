// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/SteadyPart.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <vector>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

constexpr size_t FewestOps = 100;
constexpr int64_t LongShare = 50, LeftShare = 10, WorkShare = 10;

/// All GPUs are idle from Start to End.
struct Pause {
  int64_t Start, End;
  size_t Ops;   ///< Before it.
  int64_t Work; ///< ns, before it.
};

std::vector<Pause> longPauses(const Timeline &T, int64_t Shortest) {
  std::vector<Pause> Result;
  int64_t Last = T.Ops.Start[0], Work = 0;
  for (size_t I = 0; I < T.Ops.size(); ++I) {
    if (T.Ops.Start[I] - Last >= Shortest)
      Result.push_back({Last, T.Ops.Start[I], I, Work});
    Last = std::max(Last, T.Ops.End[I]);
    Work += T.Ops.End[I] - T.Ops.Start[I];
  }
  return Result;
}

} // namespace

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

std::optional<trace::Window>
autoprof::analysis::findSteadyPart(const Timeline &T) {
  const size_t Ops = T.Ops.size();
  if (Ops < FewestOps)
    return std::nullopt;
  trace::Window Whole{T.Ops.Start[0], 0};
  for (int64_t End : T.Ops.End)
    Whole.End = std::max(Whole.End, End);
  const int64_t Span = Whole.End - Whole.Start;
  int64_t Work = 0;
  for (size_t I = 0; I < Ops; ++I)
    Work += T.Ops.End[I] - T.Ops.Start[I];
  trace::Window Kept = Whole;
  for (const Pause &P : longPauses(T, std::max<int64_t>(1, Span / LongShare))) {
    if (WorkShare * P.Ops <= Ops && WorkShare * P.Work <= Work)
      Kept.Start = P.End;
    if (WorkShare * (Ops - P.Ops) <= Ops &&
        WorkShare * (Work - P.Work) <= Work && Kept.End == Whole.End)
      Kept.End = P.Start;
  }
  if (LeftShare * (Span - (Kept.End - Kept.Start)) < Span)
    return std::nullopt;
  // The first operation's launch came a little before it.
  uint32_t First = trace::None;
  for (uint32_t Op : T.LaunchOrder)
    if (T.Ops.Start[Op] >= Kept.Start) {
      First = T.Ops.Launch[Op];
      break;
    }
  if (First != trace::None)
    Kept.Start = std::min(Kept.Start, T.Host.Start[First]);
  return Kept;
}

std::optional<trace::Window>
autoprof::analysis::findReadPart(const Timeline &T) {
  if (!T.Unread.BytesDropped || T.LaunchOrder.empty())
    return std::nullopt;
  const trace::HostEvents &H = T.Host;
  const uint32_t Launch = T.Ops.Launch[T.LaunchOrder.back()];
  int64_t End = H.Start[Launch], LastProbe = T.begin();
  // Other profilers write their operators before everything else.
  for (size_t I = 0; I < H.size() && T.Info.Source.Producer.empty(); ++I)
    if (H.Thread[I] == H.Thread[Launch] && H.Kind[I] == trace::HostKind::Site &&
        H.Site[I] != trace::None && T.Sites[H.Site[I]].Id)
      LastProbe = std::max(LastProbe, H.End[I]);
  const auto Before = llvm::count_if(T.LaunchOrder, [&](uint32_t Op) {
    return H.Start[T.Ops.Launch[Op]] < LastProbe;
  });
  // Else only the program's set-up may have probes.
  if (size_t(Before) >= FewestOps)
    End = std::min(End, LastProbe);
  if (End <= T.begin())
    return std::nullopt;
  return trace::Window{T.begin(), End};
}
