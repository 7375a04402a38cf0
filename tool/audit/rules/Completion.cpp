// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Completion.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using catalogue::CallClass;
using catalogue::Waits;
using catalogue::WaitsFor;

static bool isRecord(const LinkedSite &S) {
  return S.cudaRow().contains("EventRecord");
}

/// The streams that the function's cudaEventRecord calls of this event are on.
std::vector<StreamUse> Completion::recordedOn(const LinkedSite &S) const {
  std::vector<StreamUse> Result;
  const Arg *Event = argument(S, 0);
  for (unsigned I : P.functions()[S.Function].Sites) {
    const LinkedSite &Other = P.sites()[I];
    const Arg *Recorded = argument(Other, 0);
    if (Event && Recorded && isRecord(Other) && Recorded->Text == Event->Text)
      Result.push_back(streamOf(P, Other));
  }
  return Result;
}

Covered Completion::waitedFor(const LinkedSite &S) const {
  switch (S.Effects.Target) {
  case WaitsFor::Device:
    return {true, {}};
  case WaitsFor::Event:
    return {false, recordedOn(S)};
  case WaitsFor::Stream:
    return {false, {streamOf(P, S)}};
  case WaitsFor::Nothing:
    break;
  }
  return {};
}

bool Completion::coversAll(const StreamUse &Done, const Covered &Wanted,
                           unsigned Function) const {
  auto Covers = [&](const StreamUse &Use) { return covers(Done, Use); };
  if (!Wanted.Device)
    return !Wanted.Streams.empty() && llvm::all_of(Wanted.Streams, Covers);
  if (Done.isLegacy() && !mayHaveNonBlocking(P, Function))
    return true;
  // The function puts all its work on the stream, which it created, or which
  // is the only one.
  const std::vector<StreamUse> Work = streamsOfWork(P, Function);
  return !Work.empty() && llvm::all_of(Work, Covers) &&
         (makesStream(Function, Done) || isOnlyStream(P, Function, Done));
}

bool Completion::makesStream(unsigned Function, const StreamUse &Stream) const {
  return !Stream.Name.empty() &&
         llvm::any_of(P.functions()[Function].Sites, [&](unsigned I) {
           const LinkedSite &S = P.sites()[I];
           const Arg *First = argument(S, 0);
           return S.cudaRow().contains("StreamCreate") && First &&
                  First->Text == "&" + Stream.Name;
         });
}

/// Whether nothing was queued after the event that is waited for.
bool Completion::isRecordedLast(const LinkedSite &Wait) const {
  const Arg *Event = argument(Wait, 0);
  const std::vector<Moment> Last = Near.preceding(Wait, queuesNothing);
  return Event && !Last.empty() && llvm::all_of(Last, [&](const Moment &M) {
           return M.Linked && isRecord(*M.Linked) && argument(*M.Linked, 0) &&
                  argument(*M.Linked, 0)->Text == Event->Text;
         });
}

bool isWaitingCopyToHost(const LinkedSite &S) {
  return S.kind() == CallClass::Copy && isToHost(S) && !isAsynchronous(S) &&
         S.Effects.Wait == Waits::Yes;
}

static bool isHostScalar(const Project &P, const LinkedSite &S) {
  return S.Row && S.Row->Library == "cublas" && S.Launches &&
         withPointerMode(P, S).Effects.Wait == Waits::Yes;
}

static bool isWaitingFree(const LinkedSite &S) {
  return S.kind() == CallClass::Free && S.Effects.Wait == Waits::Yes &&
         S.Effects.Target == WaitsFor::Device;
}

bool Completion::completes(const LinkedSite &Done,
                           const Covered &Wanted) const {
  if (Done.OnErrorPath)
    return false;
  if (isWaitingFree(Done))
    return true;
  if (isExplicitWait(Done)) {
    if (Done.Effects.Target == WaitsFor::Device)
      return true;
    if (Done.Effects.Target == WaitsFor::Event)
      return isRecordedLast(Done) &&
             llvm::any_of(recordedOn(Done), [&](const StreamUse &Use) {
               return coversAll(Use, Wanted, Done.Function);
             });
    return coversAll(streamOf(P, Done), Wanted, Done.Function);
  }
  return (isWaitingCopyToHost(Done) || isHostScalar(P, Done)) &&
         coversAll(streamOf(P, Done), Wanted, Done.Function);
}

void Completers::add(const Completers &Others) {
  for (const LinkedSite *S : Others.Calls)
    if (!llvm::is_contained(Calls, S))
      Calls.push_back(S);
  MayDiffer |= Others.MayDiffer;
}

using CompletedBy = llvm::function_ref<Completers(const Moment &)>;

/// The union over the last moments of all paths; empty if one has none.
static Completers onAllPaths(const std::vector<Moment> &Last,
                             CompletedBy DoneBy) {
  Completers Result;
  for (const Moment &M : Last) {
    const Completers Done = DoneBy(M);
    if (!Done.any())
      return {};
    Result.add(Done);
  }
  return Result;
}

/// The waits with which a called function ends on all paths. Streams have other
/// names there, so only waits for the device count, or waits on the legacy
/// stream for the streams that it covers.
Completers Completion::completedBy(const Moment &Call, const Covered &Wanted,
                                   unsigned Depth) const {
  if (Call.Callee < 0 || Call.Uncertain || Depth > 4 ||
      !P.functions()[Call.Callee].Effects.Waits)
    return {};
  const Completion Inside(P, Call.Callee);
  auto DoneBy = [&](const Moment &M) -> Completers {
    if (!M.Linked)
      return M.Callee != Call.Callee ? Inside.completedBy(M, Wanted, Depth + 1)
                                     : Completers();
    const bool IsForDevice =
        Inside.completes(*M.Linked, {/*Device=*/true, {}}) &&
        (isExplicitWait(*M.Linked) || isWaitingFree(*M.Linked));
    const bool IsLegacy =
        streamOf(P, *M.Linked).isLegacy() &&
        coversAll(streamOf(P, *M.Linked), Wanted, Call.Callee) &&
        (isWaitingCopyToHost(*M.Linked) || isHostScalar(P, *M.Linked));
    if (M.Linked->OnErrorPath || (!IsForDevice && !IsLegacy))
      return {};
    return {{M.Linked}};
  };
  Completers Result = onAllPaths(Inside.Near.beforeEnd([&](const Moment &M) {
    return queuesNothing(M) && !DoneBy(M).any();
  }),
                                 DoneBy);
  Result.MayDiffer |= Call.Virtual;
  return Result;
}

Completion::Seen Completion::workBefore(const LinkedSite &S) const {
  Seen Result = Seen::All;
  auto MayPass = [&](const Moment &M) {
    if (M.Class == Moment::Call && M.Effects.CallsUnknown)
      Result = Seen::NotAll;
    return !M.Linked || M.Linked->Effects.Wait != Waits::Yes ||
           M.Linked->Effects.Target != WaitsFor::Device;
  };
  std::vector<unsigned> Worklist;
  llvm::DenseSet<unsigned> Reached;
  auto Enter = [&](unsigned Function, const std::vector<Moment> &Ends) {
    if (llvm::any_of(Ends,
                     [](const Moment &M) { return M.Class == Moment::Edge; }) &&
        Reached.insert(Function).second)
      Worklist.push_back(Function);
  };
  Enter(S.Function, Near.preceding(S, MayPass));
  while (!Worklist.empty() && Result != Seen::NotAll) {
    const LinkedFunction &F = P.functions()[Worklist.back()];
    Worklist.pop_back();
    if (F.Callers.empty() && F.Model->Name != "main")
      Result = Seen::FromCallers;
    for (const LinkedFunction::Caller &C : F.Callers)
      Enter(C.Function,
            Neighbors(P, C.Function).precedingCall(C.Call, MayPass));
  }
  return Result;
}

/// Whether a call in the same expression, such as another argument of the same
/// call, may queue work or wait: it may come before or after.
static bool hasUnorderedPeer(const Project &P, const LinkedSite &S) {
  const unsigned Expression = S.Model->Expression;
  if (!Expression)
    return false;
  const LinkedFunction &F = P.functions()[S.Function];
  for (const Site &Other : F.Model->Sites)
    if (Other.Expression == Expression && &Other != S.Model)
      return true;
  for (unsigned C = 0; C < F.Callees.size(); ++C)
    if (F.Model->Calls[C].Expression == Expression &&
        (F.Callees[C].empty() || llvm::any_of(F.Callees[C], [&](unsigned I) {
           const Summary &Effects = P.functions()[I].Effects;
           return Effects.MayLaunch || Effects.MayWait;
         })))
      return true;
  return false;
}

Completers Completion::completedBefore(const LinkedSite &S) const {
  if (hasUnorderedPeer(P, S))
    return {};
  const Covered Wanted = waitedFor(S);
  auto DoneBy = [&](const Moment &M) -> Completers {
    if (M.Linked && M.Linked != &S && completes(*M.Linked, Wanted))
      return {{M.Linked}};
    return completedBy(M, Wanted, 0);
  };
  return onAllPaths(Near.preceding(S,
                                   [&](const Moment &M) {
                                     return queuesNothing(M) &&
                                            !DoneBy(M).any();
                                   }),
                    DoneBy);
}

bool isDoneInVariousWays(const Project &P, const LinkedSite &S) {
  const Completers Earlier = Completion(P, S.Function).completedBefore(S);
  return Earlier.any() && !Earlier.only();
}

} // namespace autoprof::audit
