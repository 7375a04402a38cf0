// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-sync-for-errors: an explicit wait in a launching loop that only
// detects kernel errors where they occur; the GPU work that follows needs only
// the stream's order.
#include "audit/Neighbors.h"
#include "audit/rules/Advice.h"
#include "audit/rules/Completion.h"
#include "audit/rules/Order.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace autoprof::audit {

using catalogue::CallClass;
using catalogue::Waits;

/// Queued work without a result on the host: a launch, a set, or a copy that
/// does not wait and does not go to the host.
static bool needsOnlyOrder(const Moment &M) {
  if (M.Class != Moment::Site || !M.Linked->QueuesWork)
    return false;
  const bool ReachesHost =
      M.Linked->kind() == CallClass::Copy && isBetweenHostAndDevice(*M.Linked);
  return M.Linked->Effects.Wait == Waits::No && !ReachesHost;
}

static bool endsTheSearch(const Moment &M) {
  return M.Class == Moment::HostData || M.Class == Moment::Clock ||
         (M.Linked && catalogue::mayWait(M.Linked->Effects.Wait)) ||
         M.Effects.MayWait;
}

/// What follows the loop waits for itself.
static bool waitsAfterLoop(const Project &P, const LinkedSite &S,
                           const Moment &M) {
  return M.Linked && M.Linked->Effects.Wait == Waits::Yes &&
         !isInLoopOf(P, S, M.Location);
}

/// On every path, the first thing after the wait is an error check.
static bool isBeforeErrorCheck(const Neighbors &Near, const LinkedSite &S) {
  const std::vector<Moment> Next = Near.following(
      S, [](const Moment &M) { return isQuiet(M) && !asksForErrors(M); });
  return !Next.empty() && llvm::all_of(Next, asksForErrors);
}

/// The usual macro: `CHECK(cudaGetLastError());
/// CHECK(cudaDeviceSynchronize())`. The wait follows an error check on every
/// path, and its own result is used.
static bool isAfterErrorCheck(const Neighbors &Near, const LinkedSite &S) {
  const std::vector<Moment> Last = Near.preceding(
      S, [](const Moment &M) { return isQuiet(M) && !asksForErrors(M); });
  return !S.Model->Removal.Length && !Last.empty() &&
         llvm::all_of(Last, asksForErrors);
}

static bool containsWord(llvm::StringRef Text, llvm::StringRef Word) {
  auto IsPart = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (size_t Pos = Text.find(Word); Pos != llvm::StringRef::npos;
       Pos = Text.find(Word, Pos + 1))
    if ((Pos == 0 || !IsPart(Text[Pos - 1])) &&
        (Pos + Word.size() == Text.size() || !IsPart(Text[Pos + Word.size()])))
      return true;
  return false;
}

/// Its own result is tested next, and the program gives up if it is an error:
/// `if (cudaDeviceSynchronize() != cudaSuccess) return;`.
static bool isTestedForError(const Project &P, const LinkedSite &S) {
  const Site &Wait = *S.Model;
  const llvm::StringRef Tested =
      Wait.ResultIn.empty() ? Wait.Callee : Wait.ResultIn;
  // A macro checks every call, whatever it is for.
  if (Wait.Removal.Length || !Wait.Macro.empty())
    return false;
  constexpr unsigned MostLines = 3; // From the wait to the test.
  return llvm::any_of(P.functionOf(S).Scopes, [&](const Scope &Branch) {
    const bool Leaves = Branch.Class == Scope::ErrorPath ||
                        Branch.Class == Scope::LeavesLoop ||
                        Branch.Class == Scope::Fails;
    return Leaves && Branch.Parent == Wait.Scope &&
           Branch.Decided.File == Wait.Location.File &&
           Branch.Decided.Line >= Wait.Location.Line &&
           Branch.Decided.Line <= Wait.Location.Line + MostLines &&
           containsWord(Branch.Text, Tested);
  });
}

void checkSyncForErrors(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isExplicitWait(S))
      continue;
    Hot H = P.hot(S);
    if (!H.IsHot || isDoneInVariousWays(P, S))
      continue;
    const Neighbors Near(P, S.Function);
    if (!isBeforeErrorCheck(Near, S) && !isAfterErrorCheck(Near, S) &&
        !isTestedForError(P, S))
      continue;
    const std::vector<Moment> Next = Near.following(S, [](const Moment &M) {
      return isQuiet(M) ||
             (queuesNothing(M) && !endsTheSearch(M) && !givesUpObject(M));
    });
    if (!llvm::any_of(Next, needsOnlyOrder) ||
        !llvm::all_of(Next, [&](const Moment &M) {
          return needsOnlyOrder(M) || M.Class == Moment::Edge ||
                 waitsAfterLoop(P, S, M);
        }))
      continue;
    if (isNeededInLoop(P, S))
      continue;
    const OrderWithout Order = orderWithout(P, S);
    Finding F = findingAt(P, S, H);
    F.Message = S.Model->Callee + " waits for " + whatIsWaitedFor(P, S) + " " +
                eachIteration(P, H) +
                " only to detect kernel errors immediately";
    F.Replacement =
        "call cudaGetLastError after the launch without waiting. Wait "
        "for errors only in debug builds";
    if (Order.Kept != Order::Kept)
      F.Replacement += ". Order work on other streams with cudaStreamWaitEvent";
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
