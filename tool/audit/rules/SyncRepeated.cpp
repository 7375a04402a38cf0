// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-sync-repeated: an explicit wait that changes nothing. Either what it
// waits for was complete before, and nothing was queued since; or the next call
// is a copy to the host that waits for the same. Everything rests on which
// streams a call covers: one on the legacy stream covers all blocking streams
// and no non-blocking one.
#include "audit/Neighbors.h"
#include "audit/rules/Streams.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>

namespace autoprof::audit {

using catalogue::CallClass;
using catalogue::Waits;
using catalogue::WaitsFor;

namespace {

/// The streams whose work is complete when a call has returned, or that a call
/// waits for.
struct Covered {
  bool Device = false;
  std::vector<StreamUse> Streams; ///< None, and not Device: not known.
};

class Checker {
  const Project &P;
  std::vector<Finding> &Out;

public:
  Checker(const Project &P, std::vector<Finding> &Out) : P(P), Out(Out) {}

  void check(const LinkedSite &S) {
    const Neighbors Near(P, S.Function);
    const Covered Wanted = waitedFor(S);
    if (const LinkedSite *Before = completedBefore(Near, S, Wanted))
      report(S, *Before, /*MayGo=*/true,
             ": nothing was queued since " + Before->Model->Callee +
                 " at line " + std::to_string(Before->Model->Location.Line) +
                 " waited for the same",
             "this call has waited before");
    else if (const LinkedSite *After = waitsAgain(Near, S, Wanted))
      report(S, *After, !asksForErrorsNext(Near, S),
             ": " + After->Model->Callee + " at line " +
                 std::to_string(After->Model->Location.Line) +
                 " waits for the same",
             "this call waits in any case");
  }

private:
  /// `MayGo`: without the call everything happens where it happened before.
  void report(const LinkedSite &S, const LinkedSite &Other, bool MayGo,
              std::string Reason, std::string Note) {
    Finding F = findingAt(P, S, P.hot(S));
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(S) +
                " and changes nothing" + std::move(Reason);
    F.Replacement = "leave it out";
    if (MayGo && S.Model->Removal.Length)
      F.FixIts.push_back({S.Model->Removal, ""});
    F.Notes.push_back({Other.Model->Location, std::move(Note)});
    Out.push_back(std::move(F));
  }

  /// An error of a kernel comes to light where the host waits for it: here, and
  /// the program looks for it before the next wait.
  static bool asksForErrorsNext(const Neighbors &Near, const LinkedSite &S) {
    return llvm::any_of(
        Near.following(
            S, [](const Moment &M) { return isQuiet(M) && !asksForErrors(M); }),
        asksForErrors);
  }

  /// The streams that the function's cudaEventRecord calls of this event are
  /// on.
  std::vector<StreamUse> recordedOn(const LinkedSite &S) const {
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

  static bool isRecord(const LinkedSite &S) {
    return llvm::StringRef(S.Model->Row).contains("EventRecord");
  }

  Covered waitedFor(const LinkedSite &S) const {
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

  bool coversAll(const StreamUse &Done, const Covered &Wanted,
                 unsigned Function) const {
    auto Covers = [&](const StreamUse &Use) { return covers(Done, Use); };
    if (!Wanted.Device)
      return !Wanted.Streams.empty() && llvm::all_of(Wanted.Streams, Covers);
    if (Done.isLegacy() && !mayHaveNonBlocking(P, Function))
      return true;
    // The function made the stream, and has put all its work on it.
    const std::vector<StreamUse> Work = streamsOfWork(P, Function);
    return makesStream(Function, Done) && !Work.empty() &&
           llvm::all_of(Work, Covers);
  }

  bool makesStream(unsigned Function, const StreamUse &Stream) const {
    return !Stream.Name.empty() &&
           llvm::any_of(P.functions()[Function].Sites, [&](unsigned I) {
             const LinkedSite &S = P.sites()[I];
             const Arg *First = argument(S, 0);
             return llvm::StringRef(S.Model->Row).contains("StreamCreate") &&
                    First && First->Text == "&" + Stream.Name;
           });
  }

  bool completes(const LinkedSite &Done, const Covered &Wanted,
                 const Neighbors &Near) const {
    if (Done.OnErrorPath)
      return false;
    if (isExplicitWait(Done)) {
      if (Done.Effects.Target == WaitsFor::Device)
        return true;
      if (Done.Effects.Target == WaitsFor::Event)
        return isRecordedLast(Done, Near) &&
               llvm::any_of(recordedOn(Done), [&](const StreamUse &Use) {
                 return coversAll(Use, Wanted, Done.Function);
               });
      return coversAll(streamOf(P, Done), Wanted, Done.Function);
    }
    return (isWaitingCopyToHost(Done) || isHostScalar(Done)) &&
           coversAll(streamOf(P, Done), Wanted, Done.Function);
  }

  /// Nothing was queued after the event that is waited for.
  bool isRecordedLast(const LinkedSite &Wait, const Neighbors &Near) const {
    const Arg *Event = argument(Wait, 0);
    const std::vector<Moment> Last = Near.preceding(Wait, queuesNothing);
    return Event && !Last.empty() && llvm::all_of(Last, [&](const Moment &M) {
             return M.Linked && isRecord(*M.Linked) && argument(*M.Linked, 0) &&
                    argument(*M.Linked, 0)->Text == Event->Text;
           });
  }

  /// An asynchronous one of pageable memory waits, too, but only until someone
  /// pins the memory.
  static bool isWaitingCopyToHost(const LinkedSite &S) {
    return S.kind() == CallClass::Copy && isToHost(S) && !isAsynchronous(S) &&
           S.Effects.Wait == Waits::Yes;
  }

  static bool isHostScalar(const LinkedSite &S) {
    return S.Row && S.Row->Library == "cublas" && S.Launches &&
           S.Effects.Wait == Waits::Yes;
  }

  const LinkedSite *completedBefore(const Neighbors &Near, const LinkedSite &S,
                                    const Covered &Wanted) const {
    auto Completes = [&](const Moment &M) {
      return M.Linked && M.Linked != &S && completes(*M.Linked, Wanted, Near);
    };
    const std::vector<Moment> Last = Near.preceding(
        S, [&](const Moment &M) { return queuesNothing(M) && !Completes(M); });
    if (Last.empty() || !llvm::all_of(Last, Completes))
      return nullptr;
    return Last.front().Linked;
  }

  const LinkedSite *waitsAgain(const Neighbors &Near, const LinkedSite &S,
                               const Covered &Wanted) const {
    const std::vector<Moment> Next = Near.following(S, [](const Moment &M) {
      return isQuiet(M) || (M.Linked && M.Linked->kind() == CallClass::Alloc &&
                            !catalogue::mayWait(M.Linked->Effects.Wait));
    });
    for (const Moment &M : Next) {
      if (!M.Linked || M.Linked->kind() != CallClass::Copy ||
          !isToHost(*M.Linked) ||
          !coversAll(streamOf(P, *M.Linked), Wanted, S.Function) ||
          (!isWaitingCopyToHost(*M.Linked) && !isWaitedFor(Near, *M.Linked)))
        return nullptr;
    }
    return Next.empty() ? nullptr : Next.front().Linked;
  }

  /// An asynchronous copy, after which the host waits for its stream before it
  /// does anything but to queue further copies.
  bool isWaitedFor(const Neighbors &Near, const LinkedSite &Copy) const {
    const StreamUse Stream = streamOf(P, Copy);
    const std::vector<Moment> Next = Near.following(Copy, [](const Moment &M) {
      return isQuiet(M) || (M.Linked && M.Linked->kind() == CallClass::Copy &&
                            isToHost(*M.Linked));
    });
    return !Next.empty() && llvm::all_of(Next, [&](const Moment &M) {
      return M.Linked && isExplicitWait(*M.Linked) &&
             (M.Linked->Effects.Target == WaitsFor::Device ||
              (M.Linked->Effects.Target == WaitsFor::Stream &&
               covers(streamOf(P, *M.Linked), Stream)));
    });
  }
};

} // namespace

void checkSyncRepeated(const Project &P, std::vector<Finding> &Out) {
  Checker Check(P, Out);
  for (const LinkedSite &S : P.sites())
    if (isExplicitWait(S) && !S.OnErrorPath)
      Check.check(S);
}

} // namespace autoprof::audit
