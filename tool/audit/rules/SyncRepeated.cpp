// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-sync-repeated: an explicit wait that changes nothing. Either what it
// waits for was complete before, and nothing was queued since; or the next call
// is a copy to the host that waits for the same.
#include "audit/rules/Completion.h"

#include "llvm/ADT/STLExtras.h"

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
    if (const LinkedSite *Before = Done.completedBefore(S))
      report(S, *Before, /*MayGo=*/true,
             ": nothing was queued since " + Before->Its->Callee + " at line " +
                 std::to_string(Before->Its->At.Line) + " waited for the same",
             "this call has waited before");
    else if (const LinkedSite *After = waitsAgain(Done, S))
      report(S, *After, !asksForErrorsNext(Done.neighbors(), S),
             ": " + After->Its->Callee + " at line " +
                 std::to_string(After->Its->At.Line) + " waits for the same",
             "this call waits in any case");
  }

private:
  /// `MayGo`: without the call everything happens where it happened before.
  void report(const LinkedSite &S, const LinkedSite &Other, bool MayGo,
              std::string Why, std::string Note) {
    Finding F = findingAt(P, S, P.hot(S));
    F.How = std::min(F.How, Severity::Low); // it costs what a call costs
    F.Message = S.Its->Callee + " waits for " + whatIsWaitedFor(S) +
                " and changes nothing" + std::move(Why);
    F.Replacement = "leave it out";
    if (MayGo && S.Its->Removal.Length)
      F.FixIts.push_back({S.Its->Removal, ""});
    F.Notes.push_back({Other.Its->At, std::move(Note)});
    Out.push_back(std::move(F));
  }

  /// An error of a kernel comes to light where the host waits for it: here, and
  /// the program looks for it before the next wait.
  static bool asksForErrorsNext(const Neighbors &Around, const LinkedSite &S) {
    return llvm::any_of(
        Around.after(
            S, [](const Moment &M) { return isQuiet(M) && !asksForErrors(M); }),
        asksForErrors);
  }

  const LinkedSite *waitsAgain(const Completion &Done,
                               const LinkedSite &S) const {
    const Neighbors &Around = Done.neighbors();
    const Covered Wanted = Done.waitedFor(S);
    const std::vector<Moment> Next = Around.after(S, [](const Moment &M) {
      return isQuiet(M) || (M.Its && M.Its->kind() == CallClass::Alloc &&
                            !catalogue::mayWait(M.Its->Does.Wait));
    });
    for (const Moment &M : Next) {
      if (!M.Its || M.Its->kind() != CallClass::Copy || !isToHost(*M.Its) ||
          !Done.coversAll(streamOf(P, *M.Its), Wanted, S.Function) ||
          (!isWaitingCopyToHost(*M.Its) && !isWaitedFor(Around, *M.Its)))
        return nullptr;
    }
    return Next.empty() ? nullptr : Next.front().Its;
  }

  /// An asynchronous copy, after which the host waits for its stream before it
  /// does anything but to queue further copies.
  bool isWaitedFor(const Neighbors &Around, const LinkedSite &Copy) const {
    const StreamUse Stream = streamOf(P, Copy);
    const std::vector<Moment> Next = Around.after(Copy, [](const Moment &M) {
      return isQuiet(M) ||
             (M.Its && M.Its->kind() == CallClass::Copy && isToHost(*M.Its));
    });
    return !Next.empty() && llvm::all_of(Next, [&](const Moment &M) {
      return M.Its && isExplicitWait(*M.Its) &&
             (M.Its->Does.Target == WaitsFor::Device ||
              (M.Its->Does.Target == WaitsFor::Stream &&
               covers(streamOf(P, *M.Its), Stream)));
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
