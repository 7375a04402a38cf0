// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/timeline/PartOf.h"

#include "trace/timeline/TimelineBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace autoprof::trace;

Timeline autoprof::trace::partOf(const Timeline &T, const Window &Keep) {
  TimelineBuilder B;
  B.Select.Keep = Keep;
  for (uint32_t I = 0; I < T.Strings.size(); ++I)
    B.T.Strings.intern(T.Strings[I]); // In this order they get the same number.
  B.T.Threads = T.Threads;
  B.T.Queues = T.Queues;
  B.T.Stages = T.Stages;
  B.T.Sites = T.Sites;
  B.T.Modules = T.Modules;
  B.T.Devices = T.Devices;
  B.T.Info = T.Info;
  B.T.Recorded = T.Recorded;
  B.T.Throttled = T.Throttled;
  B.T.OwnCosts = T.OwnCosts;
  B.T.Constants = T.Constants;
  B.T.Overheads = T.Overheads;
  B.T.Lost = T.Lost;
  B.T.Unread = T.Unread;

  // The number of the outermost call, from 1, joins it with what it launched.
  // It is that of the calls inside it, too, which are outermost if it is cut.
  auto IdOf = [](uint32_t Call) {
    return Call == None ? 0 : uint64_t(Call) + 1;
  };
  const HostEvents &H = T.Host;
  std::vector<uint32_t> Open(T.Threads.size(), None);
  for (uint32_t I = 0; I < H.size(); ++I) {
    uint32_t &Outer = Open[H.Thread[I]];
    if (H.isCall(I) && (Outer == None || H.Start[I] >= H.End[Outer]))
      Outer = I;
    B.addHost(H.Kind[I], H.Thread[I], H.Start[I], H.End[I], H.Name[I],
              H.Site[I], H.isCall(I) ? IdOf(Outer) : 0);
  }
  const GpuOps &O = T.Ops;
  for (uint32_t I = 0; I < O.size(); ++I)
    B.addOp(O.Queue[I], O.Stage[I], O.Start[I], O.End[I], IdOf(O.Launch[I]));
  for (SyncRecord S : T.Syncs)
    B.addSync(S, IdOf(S.Call));
  for (const MemoryEvent &M : T.Memory)
    B.addMemory(M, IdOf(M.Call));
  return B.finish();
}

/// Of a file that is cut off: up to the last launch whose GPU work was read,
/// and to the last probe on its thread. Calls, GPU work, and probes are written
/// at different times, so what follows is there only in part. nullopt if the
/// file is complete, or has no such launch.
static std::optional<Window> findReadPart(const Timeline &T) {
  if (!T.Unread.BytesDropped || T.LaunchOrder.empty())
    return std::nullopt;
  const HostEvents &H = T.Host;
  const uint32_t Launch = T.Ops.Launch[T.LaunchOrder.back()];
  int64_t End = H.Start[Launch], LastProbe = T.begin();
  // Other profilers write their operators before everything else.
  for (size_t I = 0; I < H.size() && T.Info.Source.Producer.empty(); ++I)
    if (H.Thread[I] == H.Thread[Launch] && H.Kind[I] == HostKind::Site &&
        H.Site[I] != None && T.Sites[H.Site[I]].Id)
      LastProbe = std::max(LastProbe, H.End[I]);
  const auto Before = llvm::count_if(T.LaunchOrder, [&](uint32_t Op) {
    return H.Start[T.Ops.Launch[Op]] < LastProbe;
  });
  // Else only the program's set-up may have probes.
  constexpr ptrdiff_t FewestOps = 100;
  if (Before >= FewestOps)
    End = std::min(End, LastProbe);
  if (End <= T.begin())
    return std::nullopt;
  return Window{T.begin(), End};
}

void autoprof::trace::keepReadPart(Timeline &T) {
  const std::optional<Window> Part = findReadPart(T);
  if (!Part)
    return;
  T = partOf(T, *Part);
  // What was read is all that there is.
  T.Part.reset();
  T.Recorded.EndsWithRead = true;
}
