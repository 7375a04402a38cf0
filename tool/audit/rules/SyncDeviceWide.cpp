// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-sync-device-wide: a device-wide wait where all work since the last
// one is on one named stream.
#include "audit/Neighbors.h"
#include "audit/rules/Streams.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using catalogue::WaitsFor;

static bool isDeviceWide(const LinkedSite &S) {
  return isExplicitWait(S) && S.Does.Target == WaitsFor::Device;
}

/// All queued work from which control may come to the wait, back to the last
/// device-wide one. None: something there is not known.
static std::vector<const LinkedSite *> workBefore(const Project &P,
                                                  const LinkedSite &S) {
  std::vector<const LinkedSite *> Work;
  bool Known = true;
  Neighbors(P, S.Function).before(S, [&](const Moment &M) {
    if (M.What == Moment::Edge || (M.Its && isDeviceWide(*M.Its)))
      return false;
    Known &= M.What != Moment::Call || !M.Does.MayLaunch;
    if (M.Its && M.Its->QueuesWork)
      Work.push_back(M.Its);
    return true;
  });
  if (!Known)
    Work.clear();
  return Work;
}

void checkSyncDeviceWide(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isDeviceWide(S) || S.OnErrorPath ||
        P.loopAround(S.Function, S.Its->Scope) >= 0 || P.hot(S).Is)
      continue;
    const std::vector<const LinkedSite *> Work = workBefore(P, S);
    if (Work.empty())
      continue;
    const StreamUse Stream = streamOf(P, *Work.front());
    if (!Stream.isNamed() || !llvm::all_of(Work, [&](const LinkedSite *W) {
          return streamOf(P, *W).Name == Stream.Name;
        }))
      continue;
    Finding F = findingAt(P, S, {});
    F.Message = S.Its->Callee +
                " waits for all work of the device, but all "
                "work before it is on stream " +
                Stream.Name;
    F.Replacement = "cudaStreamSynchronize(" + Stream.Name + ")";
    if (S.Its->Row == "cudaDeviceSynchronize" && S.Its->Whole.Length)
      F.FixIts.push_back({S.Its->Whole, F.Replacement});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
