// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/timeline/PartOf.h"

#include "trace/timeline/TimelineBuilder.h"

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
  B.T.Devices = T.Devices;
  B.T.Info = T.Info;
  B.T.Recorded = T.Recorded;
  B.T.Throttled = T.Throttled;
  B.T.OwnCosts = T.OwnCosts;
  B.T.Constants = T.Constants;
  B.T.Overheads = T.Overheads;

  // The number of a call, from 1, joins it with what it launched. Operations
  // know the outermost call only, so those inside it get none.
  auto IdOf = [](uint32_t Call) {
    return Call == None ? 0 : uint64_t(Call) + 1;
  };
  const HostEvents &H = T.Host;
  for (uint32_t I = 0; I < H.size(); ++I)
    B.addHost(H.Kind[I], H.Thread[I], H.Start[I], H.End[I], H.Name[I],
              H.Site[I], H.isCall(I) ? IdOf(I) : 0);
  const GpuOps &O = T.Ops;
  for (uint32_t I = 0; I < O.size(); ++I)
    B.addOp(O.Queue[I], O.Stage[I], O.Start[I], O.End[I], IdOf(O.Launch[I]));
  for (SyncRecord S : T.Syncs)
    B.addSync(S, IdOf(S.Call));
  return B.finish();
}
