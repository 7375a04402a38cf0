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
  return isExplicitWait(S) && S.Effects.Target == WaitsFor::Device;
}

/// What may precede the wait, back to the last device-wide one.
struct PrecedingWork {
  std::vector<const LinkedSite *> Work; ///< None: something is not known.
  bool AtEntry = false;    ///< The function may begin with work of its callers.
  bool EndsStream = false; ///< A stream is destroyed.
};

static PrecedingWork precedingWork(const Project &P, const LinkedSite &S) {
  PrecedingWork Result;
  bool Known = true;
  const auto MayPass = [&](const Moment &M) {
    if (M.Linked && isDeviceWide(*M.Linked))
      return false;
    Known &= M.Class != Moment::Call || !M.Effects.MayLaunch;
    if (M.Linked && M.Linked->QueuesWork)
      Result.Work.push_back(M.Linked);
    Result.EndsStream |=
        M.Linked && M.Linked->cudaRow().contains("StreamDestroy");
    return true;
  };
  const std::vector<Moment> Ends =
      Neighbors(P, S.Function).preceding(S, MayPass);
  Result.AtEntry = llvm::any_of(
      Ends, [](const Moment &M) { return M.Class == Moment::Edge; });
  if (!Known)
    Result.Work.clear();
  return Result;
}

/// Whether waiting for the stream is equivalent to waiting for the device here:
/// all work is known, and the name refers to one stream that still exists.
static bool isSame(const Project &P, const LinkedSite &S,
                   const PrecedingWork &B) {
  const Range &Seen = B.Work.front()->Model->StreamSeen;
  const unsigned Offset = S.Model->Whole.Begin.Offset;
  return (!B.AtEntry || P.functionOf(S).Name == "main") && !B.EndsStream &&
         Seen.Length && Seen.Begin.File == S.Model->Whole.Begin.File &&
         Seen.Begin.Offset < Offset &&
         Offset < Seen.Begin.Offset + Seen.Length &&
         llvm::all_of(
             B.Work,
             [&](const LinkedSite *W) {
               return W->Model->StreamSeen.Begin.Offset == Seen.Begin.Offset;
             });
}

void checkSyncDeviceWide(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isDeviceWide(S) || S.OnErrorPath ||
        P.loopAround(S.Function, S.Model->Scope) >= 0 || P.hot(S).IsHot)
      continue;
    const PrecedingWork B = precedingWork(P, S);
    if (B.Work.empty())
      continue;
    const StreamUse Stream = streamOf(P, *B.Work.front());
    if (!Stream.isNamed() || !llvm::all_of(B.Work, [&](const LinkedSite *W) {
          return streamOf(P, *W).Name == Stream.Name;
        }))
      continue;
    Finding F = findingAt(P, S, {});
    const bool AfterCallers = B.AtEntry && P.functionOf(S).Name != "main";
    F.Message = S.Model->Callee +
                " waits for all work on the device, but all work before it " +
                (AfterCallers ? "in this function " : "") + "is on stream '" +
                Stream.Name + "'";
    F.Replacement = "cudaStreamSynchronize(" + Stream.Name + ")" +
                    (AfterCallers ? ", if no earlier work of its callers must "
                                    "be complete here"
                                  : "");
    if (S.cudaRow() == "cudaDeviceSynchronize" && S.Model->Whole.Length &&
        isSame(P, S, B))
      F.FixIts.push_back({S.Model->Whole, F.Replacement});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
