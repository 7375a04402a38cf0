// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-sync-repeated: an explicit wait that changes nothing. Either the
// work is already complete, and nothing was queued since; or the next call is a
// copy to the host that waits for the same work.
#include "audit/rules/Completion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

namespace autoprof::audit {

using catalogue::CallClass;
using catalogue::WaitsFor;

namespace {

class Checker {
  const Project &P;
  std::vector<Finding> &Out;

public:
  Checker(const Project &P, std::vector<Finding> &Out) : P(P), Out(Out) {}

  void check(const LinkedSite &S) {
    const Completion Done(P, S.Function);
    const Completers Earlier = Done.completedBefore(S);
    const LinkedSite *Before = Earlier.only();
    const LinkedSite *After = Earlier.any() ? nullptr : waitsAgain(Done, S);
    if (!Before && !After)
      return;
    // A wait for the device also waits for work that is not seen, the other
    // call only for the streams that it covers.
    const bool IsWider =
        S.Effects.Target == WaitsFor::Device &&
        (Before ? Before : After)->Effects.Target != WaitsFor::Device;
    const Completion::Seen Work =
        IsWider ? Done.workBefore(S) : Completion::Seen::All;
    if (Work == Completion::Seen::NotAll)
      return;
    const bool MayGo = Work == Completion::Seen::All;
    if (Before)
      report(S, *Before, MayGo,
             ": nothing has been queued since " + Before->Model->Callee +
                 " at " + lineOf(S, *Before) + " waited for the same work",
             "this call waited before");
    else
      report(S, *After, MayGo && !asksForErrorsNext(Done.neighbors(), S),
             ": " + After->Model->Callee + " at line " +
                 std::to_string(After->Model->Location.Line) +
                 " waits for the same work",
             "this call waits anyway");
  }

private:
  /// "line 12", or "solve.cu:12" in another function.
  static std::string lineOf(const LinkedSite &S, const LinkedSite &Other) {
    const Place &Location = Other.Model->Location;
    return (Other.Function == S.Function
                ? "line "
                : llvm::sys::path::filename(Location.File).str() + ":") +
           std::to_string(Location.Line);
  }

  /// `MayGo`: without the call, everything still happens at the same point.
  void report(const LinkedSite &S, const LinkedSite &Other, bool MayGo,
              std::string Reason, std::string Note) {
    Finding F = findingAt(P, S, P.hot(S));
    // It costs only as much as a call.
    F.Level = std::min(F.Level, Severity::Low);
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(P, S) +
                " and changes nothing" + std::move(Reason);
    F.Replacement = "remove it";
    if (MayGo && S.Model->Removal.Length)
      F.FixIts.push_back({S.Model->Removal, ""});
    F.Notes.push_back({Other.Model->Location, std::move(Note)});
    Out.push_back(std::move(F));
  }

  /// A kernel error surfaces where the host waits for it: here, and the program
  /// checks for it before the next wait.
  static bool asksForErrorsNext(const Neighbors &Near, const LinkedSite &S) {
    return llvm::any_of(
        Near.following(
            S, [](const Moment &M) { return isQuiet(M) && !asksForErrors(M); }),
        asksForErrors);
  }

  /// The next call that waits for the same work: a copy to the host, or the
  /// wait for an asynchronous one.
  const LinkedSite *waitsAgain(const Completion &Done,
                               const LinkedSite &S) const {
    const Neighbors &Near = Done.neighbors();
    const Covered Wanted = Done.waitedFor(S);
    const std::vector<Moment> Next = Near.following(S, [](const Moment &M) {
      return isQuiet(M) || (M.Linked && M.Linked->kind() == CallClass::Alloc &&
                            !catalogue::mayWait(M.Linked->Effects.Wait));
    });
    const LinkedSite *Result = nullptr;
    for (const Moment &M : Next) {
      if (!M.Linked || M.Linked->kind() != CallClass::Copy ||
          !isToHost(*M.Linked) ||
          !Done.coversAll(streamOf(P, *M.Linked), Wanted, S.Function))
        return nullptr;
      const LinkedSite *Waits =
          isWaitingCopyToHost(*M.Linked) ? M.Linked : waitFor(Near, *M.Linked);
      if (!Waits)
        return nullptr;
      if (!Result)
        Result = Waits;
    }
    return Result;
  }

  /// The wait for the stream of an asynchronous copy, before which the host
  /// does nothing but queue further copies.
  const LinkedSite *waitFor(const Neighbors &Near,
                            const LinkedSite &Copy) const {
    const StreamUse Stream = streamOf(P, Copy);
    const std::vector<Moment> Next = Near.following(Copy, [](const Moment &M) {
      return isQuiet(M) || (M.Linked && M.Linked->kind() == CallClass::Copy &&
                            isToHost(*M.Linked));
    });
    const bool IsWait = llvm::all_of(Next, [&](const Moment &M) {
      return M.Linked && isExplicitWait(*M.Linked) &&
             (M.Linked->Effects.Target == WaitsFor::Device ||
              (M.Linked->Effects.Target == WaitsFor::Stream &&
               covers(streamOf(P, *M.Linked), Stream)));
    });
    return IsWait && !Next.empty() ? Next.front().Linked : nullptr;
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
