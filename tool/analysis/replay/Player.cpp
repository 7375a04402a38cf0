// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's side of a replay: calls, what they wait for, and when they return.
#include "analysis/replay/Player.h"

#include "analysis/common/Windows.h"
#include "analysis/transfers/Transfers.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;
using trace::SyncType;

/// Whether the calls are not there, nor what they read back.
static bool removesCalls(Edit Kind) {
  return Kind == Edit::Remove || Kind == Edit::Drop;
}

Player::Player(const Replay &R, const Plan &Changes, Assumptions Assumed)
    : R(R), T(R.T), H(T.Host), O(T.Ops), Changes(Changes), Assumed(Assumed),
      Recorded(T.Queues.size()), Replayed(T.Queues.size()),
      Ordered(T.Queues.size()), SameDevice(T.Queues.size()),
      Played(T.Queues.size()), OrderedSince(T.Queues.size(), None),
      OpEnd(O.size()) {
  for (uint32_t Q = 0; Q < T.Queues.size(); ++Q) {
    All.push_back(Q);
    for (uint32_t Other = 0; Other < T.Queues.size(); ++Other) {
      if (isOrderedWith(T.Queues[Q], T.Queues[Other]))
        Ordered[Q].push_back(Other);
      if (T.Queues[Q].Device == T.Queues[Other].Device)
        SameDevice[Q].push_back(Other);
    }
  }
  ChangeOf.assign(numGroups(T), Change{None, Changes.OfOthers});
  for (const Change &One : Changes.Changes) {
    ChangeOf[One.Group] = One;
    KeepsPool |= One.Kind == Edit::KeepPool;
  }
  NextCall = R.FirstCall;
  const int64_t Start = NextCall ? H.Start[NextCall] : T.begin();
  Instant Begin{Start, Start};
  Predecessors.resize(T.Queues.size());
  WasQueued.resize(T.Queues.size());
  IsQueued.resize(T.Queues.size());
  Hosts.assign(T.Threads.size(), {Begin, Begin, Start});
  findGone();
  for (const trace::SyncRecord &S : T.Syncs)
    if (S.Type == SyncType::StreamWaitEvent && S.Call != None)
      for (uint32_t Q : All)
        if (T.Queues[Q].Stream == S.Stream &&
            (S.Context == None || T.Queues[Q].Context == S.Context))
          OrderedBy[S.Call] = Q;
  playEarlyOps();
}

const Change &Player::changeOf(uint32_t Call) const {
  return ChangeOf[groupOf(T, R.A, Call)];
}

/// The operators around calls that are removed, and what exists already.
void Player::findGone() {
  Gone.resize(T.Threads.size());
  for (const ReadBack &One : R.ReadBacks)
    if (removesCalls(ChangeOf[One.Group].Kind))
      append(Gone[One.Thread], {One.Start, One.End});
  if (llvm::none_of(Changes.Changes,
                    [](const Change &One) { return One.Kind == Edit::Reuse; }))
    return;
  for (uint32_t I = R.FirstCall; I < R.LastCall; ++I) {
    const bool IsSite = H.Kind[I] == trace::HostKind::Site && H.Site[I] != None;
    // A site that is known by its calls' stacks has no slice.
    const bool IsBare =
        R.A.Outer[I] == I && (R.A.Site[I] == None || R.A.IsByStack[I]);
    if ((IsSite && ChangeOf[H.Site[I]].Kind == Edit::Reuse) ||
        (IsBare && changeOf(I).Kind == Edit::Reuse))
      append(Gone[H.Thread[I]], {H.Start[I], H.End[I]});
  }
}

/// How long what is removed of the thread ran in this time, ns.
int64_t Player::goneIn(uint32_t Thread, int64_t From, int64_t To) const {
  return overlap(Gone[Thread], From, To);
}

bool Player::isGone(uint32_t Call) const {
  return goneIn(H.Thread[Call], H.Start[Call], H.Start[Call] + 1) > 0;
}

/// Of simultaneous ones, the first thread's counts, and its last.
void Player::noteActivity(const Instant &Time, uint32_t Thread) {
  if (Time.Recorded < Latest.Recorded ||
      (Time.Recorded == Latest.Recorded && Thread > LatestThread))
    return;
  Latest = Time;
  LatestThread = Thread;
}

void Player::noteReturns(int64_t Until) {
  for (; !Returns.empty() && Returns.top().first <= Until; Returns.pop()) {
    const auto [Recorded, Thread] = Returns.top();
    if (Hosts[Thread].Return.Recorded == Recorded)
      noteActivity(Hosts[Thread].Return, Thread);
  }
}

/// When the call begins: as long after the last activity of its thread, or of
/// any thread, as in the recording.
int64_t Player::beginOf(uint32_t Call) {
  const HostThread &Thread = Hosts[H.Thread[Call]];
  const int64_t Start = H.Start[Call], Outside = Start - Thread.Return.Recorded;
  noteReturns(Start);
  if (!Assumed.HandOver || Outside < ShortestHandOver)
    return Thread.Return.Replayed + Outside -
           goneIn(H.Thread[Call], Thread.Return.Recorded, Start);
  const Instant &Last =
      Latest.Recorded > Thread.Return.Recorded ? Latest : Thread.Return;
  return std::max(Thread.Return.Replayed,
                  Last.Replayed + Start - Last.Recorded -
                      goneIn(H.Thread[Call], Last.Recorded, Start));
}

Player::Instant Player::doneBy(const Wait &W) const {
  if (W.Scope == WaitScope::Operation)
    return {O.End[W.LastOp], OpEnd[W.LastOp]};
  const std::vector<uint32_t> &Group =
      W.Scope == WaitScope::Device ? SameDevice[W.Queue] : Ordered[W.Queue];
  return {Recorded.latest(Group), Replayed.latest(Group)};
}

/// The last event of this call, or null; `Next` only moves on.
template <typename List>
static auto take(const List &Events, size_t &Next, uint32_t Call)
    -> decltype(Events.data()) {
  decltype(Events.data()) Found = nullptr;
  for (; Next < Events.size() && Events[Next].Call <= Call; ++Next)
    if (Events[Next].Call == Call)
      Found = &Events[Next];
  return Found;
}

/// For earlier work. The wait of a changed call may be too short to be counted
/// by itself, so the call counts as waiting in either case.
Player::Waiting Player::waitingOf(uint32_t Call) {
  const Replay::Event *Real = take(R.WaitIn, NextWait, Call),
                      *Latent = take(R.LatentIn, NextLatent, Call);
  if (Real) {
    const Wait &W = R.Waits[Real->Index];
    return {doneBy(W), W.length()};
  }
  if (Latent && (R.Latent[Latent->Index].Certain || !Assumed.FastCalls ||
                 Now.Changed.Kind != Edit::None))
    return {doneBy(R.Latent[Latent->Index])};
  return {};
}

/// A synchronous copy returns after its own transfer.
void Player::waitForOwnCopy(uint32_t Call, size_t First, Waiting &W) const {
  if (First == NextOp)
    return;
  uint32_t Op = T.LaunchOrder[NextOp - 1];
  if (T.Stages[O.Stage[Op]].Kind == trace::OpKind::Copy &&
      O.End[Op] <= H.End[Call])
    W.Release = {O.End[Op], OpEnd[Op]};
}

bool Player::isWholeGraph(uint32_t Op) const {
  return T.Stages[O.Stage[Op]].Kind == trace::OpKind::Graph;
}

/// What recording added to a call, if that is subtracted. The call's operations
/// are the last before NextOp.
int64_t Player::recorderIn(uint32_t Call, bool Launches) const {
  const RecorderCost &Added = Assumed.Added;
  if (!Launches)
    return Added.Call;
  return isWholeGraph(T.LaunchOrder[NextOp - 1]) && Added.GraphLaunch
             ? std::max(Added.Launch,
                        H.End[Call] - H.Start[Call] - Added.GraphLaunch)
             : Added.Launch;
}

/// Of the call that is played, if it copies in the direction that its change is
/// about.
Edit Player::editOfCopies() const {
  if (!Now.Changed.isOfTransfers() || Now.First == NextOp)
    return Edit::None;
  const trace::Stage &S = T.Stages[O.Stage[T.LaunchOrder[Now.First]]];
  return isTransfer(S) && S.Dir == Now.Changed.Dir ? Now.Changed.Kind
                                                   : Edit::None;
}

/// A removed call reads nothing back. Where all waits are removed, what is read
/// back without waiting stays.
bool Player::isDropped() const {
  if (OfCopies != Edit::None)
    return OfCopies == Edit::RemoveTransfer;
  if (!removesCalls(Now.Changed.Kind) || Now.First == NextOp ||
      T.Stages[O.Stage[T.LaunchOrder[Now.First]]].Dir != trace::Direction::DtoH)
    return false;
  return Now.Changed.Group != None || Now.W.Release.Recorded != Never ||
         isSynchronousCopy(T.Strings[H.Name[Now.Call]]);
}

/// Up to where its operations start.
void Player::enterCall(uint32_t Call) {
  const int64_t Begin = beginOf(Call);
  const size_t First = NextOp;
  while (NextOp < T.LaunchOrder.size() &&
         O.Launch[T.LaunchOrder[NextOp]] == Call)
    ++NextOp;
  const std::vector<uint32_t> &EventCalls = R.TypicalPauses->eventCalls();
  while (Events < EventCalls.size() && EventCalls[Events] < Call)
    ++Events;
  for (size_t I = First; I < NextOp; ++I)
    orderAfterOthers(T.LaunchOrder[I]);
  Now = {Call, changeOf(Call), Begin, First, {}};
  Now.W = waitingOf(Call);
  OfCopies = editOfCopies();
}

/// Whether the call that is played launches one, and nothing else.
bool Player::isCollective() const {
  return NextOp - Now.First == 1 &&
         R.IsCollective[O.Stage[T.LaunchOrder[Now.First]]];
}

/// How much later than recorded its operations start.
int64_t Player::shiftOfOps() const {
  const uint32_t Head = T.LaunchOrder[Now.First];
  return startOf(Head, Now.Call, Now.Begin) - O.Start[Head];
}

void Player::playOwnOps() {
  const bool IsReused =
      Now.Changed.Kind == Edit::Reuse && Assumed.FastCalls && isGone(Now.Call);
  if (isDropped() || IsReused)
    dropOps(Now.First, Now.Begin);
  else if (Now.First < NextOp)
    playOps(Now.First, shiftOfOps());
}

void Player::leaveCall() {
  const uint32_t Call = Now.Call;
  const int64_t Begin = Now.Begin;
  Waiting &W = Now.W;
  waitForOwnCopy(Call, Now.First, W);
  const bool HasWait = W.Release.Recorded != Never;
  int64_t Return = 0;
  if (OfCopies != Edit::None)
    Return = returnOfCopies(Call, Begin, W);
  else
    Return =
        std::max(Begin, returnOf(Call, Begin, W, HasWait, Now.First < NextOp));
  if (isGone(Call)) {
    // What an object is filled with may have to be set again.
    const bool Launches = Now.Changed.Kind == Edit::Reuse &&
                          !Assumed.FastCalls && Now.First < NextOp;
    Return =
        Begin +
        (Launches ? std::min(R.LaunchTime, H.End[Call] - H.Start[Call]) : 0);
  }
  HostThread &Host = Hosts[H.Thread[Call]];
  Host.Start = {H.Start[Call], Begin};
  Host.Return = {H.End[Call], Return};
  if (Assumed.HandOver) {
    noteActivity(Host.Start, H.Thread[Call]);
    Returns.emplace(H.End[Call], H.Thread[Call]);
  }
  if (R.OrdersStreams[H.Name[Call]])
    orderStreams(Call);
}

/// Enters the next call, if there is one.
bool Player::nextCall() {
  while (NextCall < R.LastCall) {
    const uint32_t I = NextCall++;
    if (!R.InPlay[H.Thread[I]])
      continue;
    int64_t &LastEnd = Hosts[H.Thread[I]].LastEnd;
    LastEnd = std::max(LastEnd, H.End[I]);
    if (R.A.Outer[I] != I)
      continue;
    enterCall(I);
    return true;
  }
  return false;
}

Replay::Played Player::run() {
  while (nextCall()) {
    playOwnOps();
    leaveCall();
  }
  return result();
}

std::optional<int64_t> Player::runToCollective() {
  while (nextCall()) {
    if (isCollective())
      return shiftOfOps();
    playOwnOps();
    leaveCall();
  }
  return std::nullopt;
}

void Player::endCollective(int64_t Shift) {
  playOps(Now.First, Shift);
  leaveCall();
}

Replay::Played Player::result() const {
  // After the last call the hosts go on as recorded.
  int64_t Last = T.begin();
  for (uint32_t I = 0; I < Hosts.size(); ++I)
    if (R.InPlay[I])
      Last = std::max(Last, Hosts[I].Return.Replayed +
                                (Hosts[I].LastEnd - Hosts[I].Return.Recorded));
  for (int64_t End : OpEnd)
    Last = std::max(Last, End);
  const int64_t From = R.FromOp == None ? T.begin() : OpEnd[R.FromOp];
  // On several streams a later step may finish first.
  int64_t Done = From;
  for (uint32_t Op : R.StepEnds)
    Done = std::max(Done, OpEnd[Op]);
  return {Last, Done - From};
}

/// When a call returns whose copies the plan changes.
int64_t Player::returnOfCopies(uint32_t Call, int64_t Begin,
                               const Waiting &W) const {
  // From the end of a copy of pinned memory to the return of its call, as
  // recorded on an H100 and an H200; what is recorded here may be the
  // driver's own copying.
  constexpr int64_t ShortWayBack = 2'000, LongWayBack = 6'000;
  const int64_t Active = H.End[Call] - H.Start[Call] - W.Waited;
  auto AtMostActive = [&](int64_t Ns) {
    return Begin + std::clamp<int64_t>(Ns - recorderIn(Call, true), 0, Active);
  };
  if (OfCopies == Edit::RemoveTransfer)
    return Assumed.FastCalls ? Begin : AtMostActive(R.LaunchTime);
  const int64_t Queued =
      AtMostActive(Assumed.FastCalls ? R.LaunchTime : 2 * R.LaunchTime);
  if (OfCopies == Edit::PinAsync || !isSynchronousCopy(T.Strings[H.Name[Call]]))
    return Queued;
  const int64_t Done = OpEnd[T.LaunchOrder[NextOp - 1]];
  return std::max(Queued,
                  Done + (Assumed.FastCalls ? ShortWayBack : LongWayBack));
}

/// What a call takes besides waiting, if a pool keeps its memory: allocating
/// finds what was freed, and synchronizing gives nothing back, if that is what
/// it did.
int64_t Player::inPool(int64_t Ns, bool IsSync) const {
  constexpr int64_t Short = 1'000, Long = 5'000; // As recorded on an H100.
  if (Now.Changed.Kind != Edit::KeepPool || (IsSync && !Assumed.FastCalls))
    return Ns;
  return std::min(Ns, Assumed.FastCalls ? Short : Long);
}

/// When the call returns, unchanged or changed by the plan.
int64_t Player::returnOf(uint32_t Call, int64_t Begin, const Waiting &W,
                         bool HasWait, bool Launches) {
  const int64_t Start = H.Start[Call], Return = H.End[Call];
  const int64_t Added = recorderIn(Call, Launches);
  auto WithoutAdded = [Added](int64_t Ns) {
    return Added ? std::max<int64_t>(0, Ns - Added) : Ns;
  };
  // Of a library's function, also its allocations.
  const bool IsDropped = Now.Changed.Kind == Edit::Drop && !Launches;
  if (W.Release.Recorded == Never)
    return IsDropped ? Begin
                     : Begin + inPool(WithoutAdded(Return - Start), false);
  const int64_t WayBack =
      inPool(WithoutAdded(Return - std::max(Start, W.Release.Recorded)), true);
  // A synchronization that is removed gives a kept pool nothing back, either.
  constexpr int64_t LongSync = 10'000;
  const int64_t Active =
      std::min(WithoutAdded(Return - Start - W.Waited),
               KeepsPool && !Launches ? LongSync : Return - Start);
  Edit Kind = HasWait ? Now.Changed.Kind : Edit::None;
  // Calls that wait for the copies of others.
  if (Kind == Edit::PinAsync)
    Kind = Edit::MakeAsync;
  else if (Kind == Edit::RemoveTransfer)
    Kind = Edit::Remove;
  else if (Kind == Edit::Pin || Kind == Edit::KeepPool)
    Kind = Edit::None;
  if (Kind == Edit::None)
    return std::max(Begin, W.Release.Replayed) + WayBack;
  if (Kind == Edit::Remove)
    return Begin + (Assumed.FastCalls ? 0 : Active);
  if (Kind == Edit::Drop)
    return Begin;
  const int64_t Queued =
      Begin + (Assumed.FastCalls ? std::min(Active, R.LaunchTime) : Active);
  if (Kind == Edit::MakeAsync)
    return Queued;
  auto [It, IsFirst] = DoneBefore.try_emplace(groupOf(T, R.A, Call), Never);
  int64_t Earlier = It->second;
  It->second = W.Release.Replayed;
  if (Earlier <= Queued)
    return Queued;
  return Earlier + (Assumed.FastCalls ? 0 : WayBack);
}
