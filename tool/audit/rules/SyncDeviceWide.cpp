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

/// What control may come from to the wait, back to the last device-wide one.
struct Before {
  std::vector<const LinkedSite *> Work; ///< None: something is not known.
  bool AtEntry = false;    ///< The function may begin with work of its callers.
  bool EndsStream = false; ///< A stream is destroyed.
};

static Before before(const Project &P, const LinkedSite &S) {
  Before Result;
  bool Known = true;
  const auto Goes = [&](const Moment &M) {
    if (M.Its && isDeviceWide(*M.Its))
      return false;
    Known &= M.What != Moment::Call || !M.Does.MayLaunch;
    if (M.Its && M.Its->QueuesWork)
      Result.Work.push_back(M.Its);
    Result.EndsStream |=
        M.Its && llvm::StringRef(M.Its->Its->Row).contains("StreamDestroy");
    return true;
  };
  const std::vector<Moment> Ends = Neighbors(P, S.Function).before(S, Goes);
  Result.AtEntry = llvm::any_of(
      Ends, [](const Moment &M) { return M.What == Moment::Edge; });
  if (!Known)
    Result.Work.clear();
  return Result;
}

/// Is the wait for the stream the same, here, as that for the device? All work
/// is known, and the stream's name stands for one stream, which still is there.
static bool isSame(const Project &P, const LinkedSite &S, const Before &B) {
  const Range &Seen = B.Work.front()->Its->StreamSeen;
  const unsigned Here = S.Its->Whole.Begin.Offset;
  return (!B.AtEntry || P.functionOf(S).Name == "main") && !B.EndsStream &&
         Seen.Length && Seen.Begin.File == S.Its->Whole.Begin.File &&
         Seen.Begin.Offset < Here && Here < Seen.Begin.Offset + Seen.Length &&
         llvm::all_of(
             B.Work,
             [&](const LinkedSite *W) {
               return W->Its->StreamSeen.Begin.Offset == Seen.Begin.Offset;
             });
}

void checkSyncDeviceWide(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isDeviceWide(S) || S.OnErrorPath ||
        P.loopAround(S.Function, S.Its->Scope) >= 0 || P.hot(S).Is)
      continue;
    const Before B = before(P, S);
    if (B.Work.empty())
      continue;
    const StreamUse Stream = streamOf(P, *B.Work.front());
    if (!Stream.isNamed() || !llvm::all_of(B.Work, [&](const LinkedSite *W) {
          return streamOf(P, *W).Name == Stream.Name;
        }))
      continue;
    Finding F = findingAt(P, S, {});
    F.Message = S.Its->Callee +
                " waits for all work of the device, but all "
                "work before it is on stream " +
                Stream.Name;
    F.Replacement = "cudaStreamSynchronize(" + Stream.Name + ")";
    if (S.Its->Row == "cudaDeviceSynchronize" && S.Its->Whole.Length &&
        isSame(P, S, B))
      F.FixIts.push_back({S.Its->Whole, F.Replacement});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
