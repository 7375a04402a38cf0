// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/HostReads.h"

#include "audit/FirstUse.h"
#include "audit/Neighbors.h"
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::Fact;
using catalogue::Waits;

static bool mayCopyToHost(const LinkedSite &S) {
  return S.kind() == CallClass::Copy && S.Effects.Wait != Waits::Yes &&
         (catalogue::settled(S.Known)[Fact::Direction] & DtoH);
}

static bool waitsForDevice(const Moment &M) {
  return M.Linked && isExplicitWait(*M.Linked) &&
         M.Linked->Effects.Target == catalogue::WaitsFor::Device;
}

static bool mayLeaveCopy(const Project &P, const Moment &M, unsigned Depth);

/// Whether a function may end with an unfinished copy to the host. A wait for a
/// stream counts as one for all streams: a function that waits has used its
/// own.
static bool mayEndWithCopy(const Project &P, unsigned Function,
                           unsigned Depth) {
  bool Result = false;
  Neighbors(P, Function).beforeEnd([&](const Moment &M) {
    Result |= mayLeaveCopy(P, M, Depth);
    return !(M.Linked && isExplicitWait(*M.Linked));
  });
  return Result;
}

/// Whether a copy to the host may be unfinished because of this moment.
static bool mayLeaveCopy(const Project &P, const Moment &M, unsigned Depth) {
  constexpr unsigned Deepest = 4;
  if (M.Linked)
    return mayCopyToHost(*M.Linked);
  if (M.Class != Moment::Call || !M.Effects.MayLaunch)
    return false;
  return M.Callee < 0 || Depth >= Deepest ||
         mayEndWithCopy(P, M.Callee, Depth + 1);
}

/// Unknown calls on the same line check the result of a call of the API, as in
/// `check(cudaStreamSynchronize(s))`.
static bool isCheck(const Function &F, const Place &Location) {
  return llvm::any_of(F.Sites, [&](const Site &S) {
    return S.Location.Line == Location.Line && S.Location.File == Location.File;
  });
}

/// Whether a copy to the host may be unfinished when the wait is reached, of
/// the function itself or, if it has no loop around the wait, of its callers.
static bool isCopied(const Project &P, const LinkedSite &Wait) {
  bool Result = false;
  auto MayPass = [&](const Moment &M) {
    // An unknown function that follows the wait more likely uses the result.
    const bool IsUser = M.Class == Moment::Call && M.Callee < 0 &&
                        M.Location.Offset > Wait.Model->Location.Offset;
    Result |= !IsUser && mayLeaveCopy(P, M, 0);
    return M.Class != Moment::Edge && M.Linked != &Wait && !waitsForDevice(M);
  };
  const bool HasLoop = P.loopAround(Wait.Function, Wait.Model->Scope) >= 0;
  bool FromCallers = false;
  for (const Moment &M : Neighbors(P, Wait.Function).preceding(Wait, MayPass))
    FromCallers |= M.Class == Moment::Edge && !HasLoop;
  if (FromCallers)
    for (const LinkedFunction::Caller &C : P.functions()[Wait.Function].Callers)
      Neighbors(P, C.Function).precedingCall(C.Call, MayPass);
  return Result;
}

Place mayReadCopied(const Project &P, const LinkedSite &Wait) {
  Place Result;
  if (!isCopied(P, Wait))
    return Result;
  Neighbors(P, Wait.Function).following(Wait, [&](const Moment &M) {
    if (M.Class == Moment::Edge || !isInLoopOf(P, Wait, M.Location) ||
        M.Linked == &Wait)
      return false;
    if (M.Linked)
      return M.Linked->Effects.Wait != Waits::Yes;
    const bool IsCheck = M.Callee < 0 && M.Effects.CallsUnknown &&
                         isCheck(P.functionOf(Wait), M.Location);
    if (M.Class == Moment::Call && M.Effects.AccessesMemory && !IsCheck &&
        !Result.Line)
      Result = M.Location;
    return true;
  });
  return Result;
}

} // namespace autoprof::audit
