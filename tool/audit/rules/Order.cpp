// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Order.h"

#include "audit/rules/Completion.h"
#include "audit/rules/Outstanding.h"
#include "audit/rules/Thrust.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::Waits;
using catalogue::WaitsFor;

//===-- Two streams -------------------------------------------------------===//

/// Work on the legacy stream, and work on another one.
static Order withLegacy(uint32_t Other) {
  if (Other == ~0u)
    return Order::Unknown;
  if (!(Other & NonBlocking))
    return Order::Kept;
  return Other == NonBlocking ? Order::Lost : Order::Unknown;
}

/// Whether the program created the stream.
static bool isCreated(uint32_t Kind) {
  return Kind != ~0u && !(Kind & ~uint32_t(Blocking | NonBlocking));
}

Order orderOf(const StreamUse &Earlier, const StreamUse &Later) {
  if (!Earlier.Name.empty() && Earlier.Name == Later.Name)
    return Order::Kept;
  if (Earlier.isLegacy())
    return withLegacy(Later.Kind);
  if (Later.isLegacy())
    return withLegacy(Earlier.Kind);
  if (Earlier.Kind == PerThread && Later.Kind == PerThread)
    return Order::Kept;
  const bool BothCreated = isCreated(Earlier.Kind) && isCreated(Later.Kind);
  if (BothCreated && !Earlier.Name.empty() && !Later.Name.empty())
    return Order::Lost;
  const bool OneCreated =
      (Earlier.Kind == PerThread && isCreated(Later.Kind)) ||
      (Later.Kind == PerThread && isCreated(Earlier.Kind));
  return OneCreated ? Order::Lost : Order::Unknown;
}

//===-- After a wait ------------------------------------------------------===//

/// The streams of the work that the wait waits for; an unknown one for work
/// that is not seen.
static std::vector<StreamUse> awaitedStreams(const Project &P,
                                             const Completion &Done,
                                             const LinkedSite &Wait) {
  const StreamUse Own = streamOf(P, Wait);
  std::vector<StreamUse> Result;
  // A wait for an event has no stream of its own: not the default one either.
  if (Wait.Effects.Target == WaitsFor::Event ||
      (Wait.Effects.Target != WaitsFor::Device && !Own.isLegacy())) {
    Result = Done.waitedFor(Wait).Streams;
  } else {
    Done.neighbors().preceding(Wait, [&](const Moment &M) {
      if (M.Class == Moment::Edge ||
          (M.Linked && isExplicitWait(*M.Linked) &&
           M.Linked->Effects.Target == WaitsFor::Device))
        return false;
      if (M.Class == Moment::Call && M.Effects.MayLaunch)
        llvm::append_range(Result, streamsOfCall(P, M));
      else if (M.Linked && M.Linked->QueuesWork)
        if (StreamUse Use = streamOfWork(P, *M.Linked);
            Wait.Effects.Target == WaitsFor::Device || covers(Own, Use))
          Result.push_back(std::move(Use));
      return true;
    });
    llvm::erase_if(Result, [&](const StreamUse &Use) {
      return !isOutstanding(P, Wait, Use);
    });
  }
  if (Result.empty())
    Result.push_back({});
  return Result;
}

/// See OrderWithout::Unseen.
static std::string unseen(const Moment &Call) {
  if (Call.Callee >= 0 || !Call.Effects.CallsUnknown)
    return "";
  return Call.Name.empty() ? "the function that is called"
                           : "'" + Call.Name.str() + "'";
}

OrderWithout orderWithout(const Project &P, const LinkedSite &Wait) {
  const Completion Done(P, Wait.Function);
  const std::vector<StreamUse> Earlier = awaitedStreams(P, Done, Wait);
  OrderWithout Result;
  auto Consider = [&](Order Kept, const Place &Location,
                      std::string Unseen = "") {
    if (Kept > Result.Kept)
      Result = {Kept, Location, std::move(Unseen)};
  };
  const bool HasLoop = P.loopAround(Wait.Function, Wait.Model->Scope) >= 0;
  for (const StreamUse &Before : Earlier) {
    const auto MayPass = [&](const Moment &M) {
      // Work after the loop may be ordered by a wait after the loop.
      if (!isInLoopOf(P, Wait, M.Location) || M.Linked == &Wait)
        return false;
      if (M.Class == Moment::Call && M.Effects.MayLaunch)
        for (const StreamUse &After : streamsOfCall(P, M))
          Consider(orderOf(Before, After), M.Location, unseen(M));
      if (M.Linked && M.Linked->QueuesWork)
        Consider(orderOf(Before, streamOfWork(P, *M.Linked)), M.Location);
      return !completes(P, M, Before);
    };
    for (const Moment &M : Done.neighbors().following(Wait, MayPass))
      if (M.Class == Moment::Edge && !HasLoop)
        Consider(Order::Unknown, {}); // Callers may queue work, too.
  }
  return Result;
}

std::string onlyStreamOf(const Project &P, const LinkedSite &Wait) {
  const Completion Done(P, Wait.Function);
  const std::vector<StreamUse> Earlier = awaitedStreams(P, Done, Wait);
  const std::string &Name = Earlier.front().Name;
  if (!llvm::all_of(Earlier,
                    [&](const StreamUse &Use) { return Use.Name == Name; }))
    return "";
  // The device may run work that is not seen.
  const bool IsSeen = Wait.Effects.Target == WaitsFor::Stream ||
                      Done.workBefore(Wait) == Completion::Seen::All;
  return IsSeen ? Name : "";
}

//===-- After a Thrust algorithm ------------------------------------------===//

/// What follows on one path, when the algorithm does not wait.
static WaitReason::Kind afterAlgorithm(const Project &P, const Moment &M,
                                       const StreamUse &Stream) {
  switch (M.Class) {
  case Moment::Edge:
    return WaitReason::Unseen;
  case Moment::Clock:
    return WaitReason::Clock;
  case Moment::HostData:
    return WaitReason::HostReads;
  case Moment::Call:
    if (M.Cell >= 0 || handsOver(M) || M.Effects.HandsOver)
      return WaitReason::HostReads;
    return isQuiet(M)   ? WaitReason::None
           : isClock(M) ? WaitReason::Clock
                        : WaitReason::Unseen;
  case Moment::Site:
    break;
  }
  const LinkedSite &S = *M.Linked;
  if (isClock(M))
    return WaitReason::Clock;
  if (S.QueuesWork || (S.kind() == CallClass::Free && isAsynchronous(S)))
    return orderOf(Stream, streamOfWork(P, S)) == Order::Kept
               ? WaitReason::None
               : WaitReason::OtherStream;
  switch (S.kind()) {
  case CallClass::Copy: // It copies nothing: `&v[0]`.
  case CallClass::Query:
  case CallClass::Alloc:
  case CallClass::Sync:
    return WaitReason::None;
  case CallClass::Free:
    // A vector's destructor waits, or frees nothing.
    return S.Effects.Wait == Waits::Yes || S.Model->Hidden ? WaitReason::None
                                                           : WaitReason::Unseen;
  default:
    return S.cudaRow().contains("Create") || S.cudaRow().contains("WaitEvent")
               ? WaitReason::None
               : WaitReason::Unseen;
  }
}

/// Whether the host can read what the argument may lead to. The policy leads to
/// no data.
static bool mayLeadToHost(const Project &P, const LinkedSite &S, const Arg &A) {
  if (&A == policyOf(S) || A.Val.isNothing())
    return false;
  const Resolved Memory = P.resolve(S, A.Val);
  return !Memory.known() || (Memory.Mask & (Managed | Pinned | Pageable));
}

WaitReason whyThrustWaits(const Project &P, const LinkedSite &Algorithm) {
  if (llvm::any_of(Algorithm.Model->Args, [&](const Arg &A) {
        return mayLeadToHost(P, Algorithm, A);
      }))
    return {WaitReason::HostReads, {}};
  const StreamUse Stream = streamOfWork(P, Algorithm);
  if (orderOf(Stream, Stream) != Order::Kept)
    return {WaitReason::Unseen, {}};
  const bool IsMain = P.functionOf(Algorithm).Name == "main";
  WaitReason Result;
  const auto MayPass = [&](const Moment &M) {
    if (M.Linked == &Algorithm)
      return false;
    const WaitReason::Kind Why = afterAlgorithm(P, M, Stream);
    if (Why != WaitReason::None && Result.Class == WaitReason::None)
      Result = {Why, M.Location};
    return Why == WaitReason::None && !(M.Linked && completes(P, M, Stream));
  };
  for (const Moment &M :
       Neighbors(P, Algorithm.Function).following(Algorithm, MayPass))
    if (M.Class == Moment::Edge && !IsMain && Result.Class == WaitReason::None)
      Result.Class = WaitReason::Unseen;
  return Result;
}

} // namespace autoprof::audit
