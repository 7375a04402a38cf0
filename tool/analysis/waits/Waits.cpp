// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/waits/Waits.h"

#include "analysis/common/Sorting.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

using namespace autoprof;
using namespace autoprof::analysis;
using catalogue::CallClass;
using catalogue::Row;
using catalogue::Waits;
using catalogue::WaitsFor;
using trace::Direction;
using trace::GpuOps;
using trace::HostEvents;
using trace::None;
using trace::StreamFlag;
using trace::SyncType;
using trace::Timeline;

namespace {

/// GPU times are interpolated to the host's clock by CUPTI; on the H200 the
/// two agree to a few microseconds.
constexpr int64_t ClockTolerance = 5'000;
/// A call that only may wait, and during which earlier work happened to end,
/// counts as a wait from this length on: calls that do not wait return in 1 to
/// 15 us (measurements: host-blocking-h200).
constexpr int64_t MinEvidence = 20'000;
/// The same for a call that waits, if the trace does not show for what: if its
/// event has happened, it returns in 1 to 3 us.
constexpr int64_t MinOfUnnamed = 5'000;
/// After the operation that a host thread waited for has ended, the thread
/// returns within this time; a longer call waited for something else. Covers
/// blocking-sync wake-ups.
constexpr int64_t MaxReturn = 200'000;

/// Of a call, before looking at times.
struct Belief {
  Waits Wait = Waits::No; ///< No, Maybe or Yes.
  WaitsFor Target = WaitsFor::Nothing;
};

/// What is known of the work queued on one stream, as the sweep over the host
/// events goes on.
struct StreamState {
  std::vector<uint32_t> Ops;      ///< In order of their launches.
  std::vector<int64_t> LatestEnd; ///< Of Ops[0..i].
  uint32_t LatestOp = None;

  bool empty() const { return Ops.empty(); }
  int64_t end() const { return LatestEnd.back(); }
};

/// The operations that a call depends on.
struct Dependency {
  uint32_t LastOp = None; ///< The one that ends last; None: there are none.
  uint32_t Queue = None;  ///< The call's stream, where it has one.
  WaitScope Scope = WaitScope::Operation;
  bool Guessed = false; ///< Derived from the times, not from the call.
};

class Finder {
  const Timeline &T;
  const Attribution &A;
  const HostEvents &H;
  const GpuOps &O;
  const catalogue::Semantics *Measured;
  const std::vector<const Row *> Rows;
  std::vector<StreamState> Streams;
  std::vector<uint32_t> DeviceOfThread; ///< Of the last operation launched.
  std::unordered_map<uint32_t, const trace::SyncRecord *> SyncOfCall;
  size_t NextLaunch = 0;
  /// Operations without a launch in front of the first that has one on their
  /// stream, by their ends: they were queued before the recording began.
  std::vector<uint32_t> Before;

  /// By call, sort of its own operation (into Timeline::Stages, or None), and
  /// stream: few, of many calls.
  std::map<std::tuple<const Row *, uint32_t, StreamFlag>, Belief> Asked;

  void launch(uint32_t Op);
  Dependency dependency(uint32_t Call, WaitsFor Target,
                        llvm::ArrayRef<uint32_t> OwnOps) const;
  std::optional<Wait> examine(uint32_t Call, llvm::ArrayRef<uint32_t> OwnOps);
  Belief believe(uint32_t Call, llvm::ArrayRef<uint32_t> OwnOps);
  Belief askCatalogue(const Row &R, llvm::ArrayRef<uint32_t> OwnOps);
  uint32_t streamOf(uint32_t Call, llvm::ArrayRef<uint32_t> OwnOps) const;
  uint32_t deviceOf(uint32_t Call) const;
  template <typename Pred> uint32_t latest(Pred Includes) const;
  template <typename Pred>
  void considerBefore(Dependency &D, uint32_t Call, Pred Includes) const;
  uint32_t lastEndedBy(int64_t Time, uint32_t Device) const;

public:
  Finder(const Timeline &T, const Attribution &A,
         const catalogue::Semantics *Measured);
  WaitList run();
};

/// For each string, or null.
std::vector<const Row *> catalogueRows(const Timeline &T) {
  std::vector<const Row *> Rows(T.Strings.size());
  for (uint32_t I = 0; I < Rows.size(); ++I)
    Rows[I] = catalogue::lookup(T.Strings[I]);
  return Rows;
}

Finder::Finder(const Timeline &T, const Attribution &A,
               const catalogue::Semantics *Measured)
    : T(T), A(A), H(T.Host), O(T.Ops), Measured(Measured),
      Rows(catalogueRows(T)), Streams(T.Queues.size()),
      DeviceOfThread(T.Threads.size(), None) {
  for (const trace::SyncRecord &S : T.Syncs) {
    if (S.Call == None || S.Type == SyncType::StreamWaitEvent)
      continue;
    // If a call has several records, the longest shows what it waited for.
    const trace::SyncRecord *&Slot = SyncOfCall[S.Call];
    if (!Slot || Slot->Duration < S.Duration)
      Slot = &S;
  }
  std::vector<bool> HasLaunch(T.Queues.size());
  for (uint32_t Op = 0; Op < O.size(); ++Op) {
    HasLaunch[O.Queue[Op]] = HasLaunch[O.Queue[Op]] || O.Launch[Op] != None;
    if (!HasLaunch[O.Queue[Op]])
      Before.push_back(Op);
  }
  sortBy(Before, [this](uint32_t A) { return std::pair(O.End[A], A); });
}

void Finder::launch(uint32_t Op) {
  StreamState &S = Streams[O.Queue[Op]];
  if (S.empty() || O.End[Op] >= S.end())
    S.LatestOp = Op;
  S.LatestEnd.push_back(S.empty() ? O.End[Op] : std::max(S.end(), O.End[Op]));
  S.Ops.push_back(Op);
  DeviceOfThread[H.Thread[O.Launch[Op]]] = T.Queues[O.Queue[Op]].Device;
}

/// The arguments of a copy or set, as far as the trace has them.
catalogue::Facts factsOf(const trace::Stage &S, StreamFlag Flag) {
  using namespace catalogue::values;
  // To a copy, a pool's memory is the same as the device's.
  constexpr uint32_t Any = ~0u,
                     Directions[] = {Any, HtoD, DtoH, DtoD, HtoH, PtoP},
                     Memories[] = {Any, Pageable, Pinned, Device, Managed},
                     Streams[] = {Legacy, Blocking, NonBlocking, Any};
  using catalogue::Fact;
  catalogue::Facts Result =
      fact(Fact::Direction, Directions[unsigned(S.Dir)]) &
      fact(Fact::Source, Memories[unsigned(S.Source)]) &
      fact(Fact::Destination, Memories[unsigned(S.Destination)]) &
      fact(Fact::Stream, Streams[unsigned(Flag)]);
  if (S.Bytes)
    Result = Result & catalogue::size(catalogue::sizeOf(S.Bytes));
  return Result;
}

/// The answer of the catalogue, or of the measurements, for such a call.
Belief Finder::askCatalogue(const Row &R, llvm::ArrayRef<uint32_t> OwnOps) {
  bool Transfer = R.Class == CallClass::Copy || R.Class == CallClass::Set;
  uint32_t Stage = None;
  StreamFlag Flag = StreamFlag::Unknown;
  if (Transfer && !OwnOps.empty()) {
    Stage = O.Stage[OwnOps.front()];
    Flag = T.Queues[O.Queue[OwnOps.front()]].Flag;
  }
  auto [It, New] = Asked.try_emplace({&R, Stage, Flag});
  if (!New)
    return It->second;
  const catalogue::Answer A = ask(
      R, Stage == None ? catalogue::Facts() : factsOf(T.Stages[Stage], Flag),
      Measured);
  if (catalogue::mayWait(A.Wait))
    It->second = {A.Wait, A.Target};
  return It->second;
}

Belief Finder::believe(uint32_t Call, llvm::ArrayRef<uint32_t> OwnOps) {
  auto It = SyncOfCall.find(Call);
  const trace::SyncRecord *Record =
      It == SyncOfCall.end() ? nullptr : It->second;
  const Row *R = Rows[H.Name[Call]];
  if (!R) {
    // Not in the catalogue, but CUPTI saw it synchronize.
    if (!Record || Record->Duration < MinEvidence)
      return {};
    return {Waits::Yes, Record->Type == SyncType::Context  ? WaitsFor::Device
                        : Record->Type == SyncType::Stream ? WaitsFor::Stream
                                                           : WaitsFor::Event};
  }
  // A launch blocks because the queue is full, which is not a wait.
  if (R->Class == CallClass::Launch)
    return {};
  return askCatalogue(*R, OwnOps);
}

uint32_t Finder::streamOf(uint32_t Call,
                          llvm::ArrayRef<uint32_t> OwnOps) const {
  if (!OwnOps.empty())
    return O.Queue[OwnOps.front()];
  auto It = SyncOfCall.find(Call);
  // Other profilers omit these records. If there is one stream, it is that one.
  if (It == SyncOfCall.end())
    return T.Queues.size() == 1 ? 0 : None;
  if (It->second->Type != SyncType::Stream)
    return None;
  const trace::SyncRecord &S = *It->second;
  for (uint32_t Q = 0; Q < T.Queues.size(); ++Q)
    if (T.Queues[Q].Stream == S.Stream &&
        (S.Context == None || T.Queues[Q].Context == S.Context))
      return Q;
  return None;
}

uint32_t Finder::deviceOf(uint32_t Call) const {
  auto It = SyncOfCall.find(Call);
  if (It != SyncOfCall.end() && It->second->Context != None)
    for (const trace::Queue &Q : T.Queues)
      if (Q.Context == It->second->Context)
        return Q.Device;
  uint32_t Current = DeviceOfThread[H.Thread[Call]];
  if (Current != None)
    return Current;
  return T.Devices.size() == 1 ? T.Devices.front().Id : None;
}

/// The operation that ends last among those queued so far.
template <typename Pred> uint32_t Finder::latest(Pred Includes) const {
  uint32_t Result = None;
  for (uint32_t Q = 0; Q < Streams.size(); ++Q)
    if (!Streams[Q].empty() && Includes(T.Queues[Q]) &&
        (Result == None || Streams[Q].end() > O.End[Result]))
      Result = Streams[Q].LatestOp;
  return Result;
}

/// Of those the last that had ended when the call returned, if it returned
/// directly after that.
template <typename Pred>
void Finder::considerBefore(Dependency &D, uint32_t Call, Pred Includes) const {
  const int64_t Return = H.End[Call];
  auto It = std::upper_bound(
      Before.begin(), Before.end(), Return + ClockTolerance,
      [this](int64_t Time, uint32_t Op) { return Time < O.End[Op]; });
  while (It != Before.begin()) {
    const uint32_t Op = *--It;
    if (O.End[Op] <= H.Start[Call] || Return - O.End[Op] > MaxReturn ||
        (D.LastOp != None && O.End[Op] <= O.End[D.LastOp]))
      return;
    if (Includes(T.Queues[O.Queue[Op]])) {
      D.LastOp = Op;
      return;
    }
  }
}

/// Of the operations queued so far, the last that had ended by `Time`.
uint32_t Finder::lastEndedBy(int64_t Time, uint32_t Device) const {
  uint32_t Result = None;
  for (uint32_t Q = 0; Q < Streams.size(); ++Q) {
    const StreamState &S = Streams[Q];
    if (Device != None && T.Queues[Q].Device != Device)
      continue;
    auto It = std::upper_bound(S.LatestEnd.begin(), S.LatestEnd.end(), Time);
    if (It == S.LatestEnd.begin())
      continue;
    uint32_t Op = S.Ops[It - S.LatestEnd.begin() - 1];
    if (Result == None || O.End[Op] > O.End[Result])
      Result = Op;
  }
  return Result;
}

Dependency Finder::dependency(uint32_t Call, WaitsFor Target,
                              llvm::ArrayRef<uint32_t> OwnOps) const {
  Dependency D;
  if (Target == WaitsFor::Device) {
    D.Scope = WaitScope::Device;
    uint32_t Device = deviceOf(Call);
    auto IsOnIt = [Device](const trace::Queue &Q) {
      return Q.Device == Device;
    };
    D.LastOp = latest(IsOnIt);
    considerBefore(D, Call, IsOnIt);
    return D;
  }
  if (Target == WaitsFor::Stream)
    D.Queue = streamOf(Call, OwnOps);
  if (D.Queue != None) {
    const trace::Queue &Stream = T.Queues[D.Queue];
    D.Scope =
        Stream.Flag == StreamFlag::Null ? WaitScope::Legacy : WaitScope::Stream;
    auto IsOrdered = [&Stream](const trace::Queue &Q) {
      return isOrderedWith(Stream, Q);
    };
    D.LastOp = latest(IsOrdered);
    considerBefore(D, Call, IsOrdered);
    return D;
  }
  // An event, or a stream that the trace does not name: what ended just before
  // the call returned is what it waited for.
  D.Guessed = true;
  D.LastOp = lastEndedBy(H.End[Call] + ClockTolerance, deviceOf(Call));
  return D;
}

/// The wait of a call: of length 0 when its work was done already.
std::optional<Wait> Finder::examine(uint32_t Call,
                                    llvm::ArrayRef<uint32_t> OwnOps) {
  const Belief B = believe(Call, OwnOps);
  if (B.Target == WaitsFor::Nothing)
    return std::nullopt;
  Dependency D = dependency(Call, B.Target, OwnOps);
  if (D.LastOp == None)
    return std::nullopt;
  int64_t Start = H.Start[Call], Return = H.End[Call];
  int64_t Done = O.End[D.LastOp];
  if (Return + ClockTolerance < Done)
    return std::nullopt; // Returned while the work was still running.

  bool Certain = B.Wait == Waits::Yes && !D.Guessed, Waited = Done > Start;
  // A short call may return just before some operation ends by chance.
  if (!Certain &&
      (B.Wait == Waits::Yes ? std::min(Done, Return) - Start < MinOfUnnamed
                            : Done - Start < MinEvidence))
    Waited = false;
  if (D.Guessed && Return - Done > MaxReturn)
    Waited = false;
  // A copy that waited has at least begun its own transfer.
  if (B.Wait == Waits::Maybe && !OwnOps.empty() &&
      Return + ClockTolerance < O.Start[OwnOps.front()])
    Waited = false;
  return Wait{Call,
              A.Site[Call],
              T.Queues[O.Queue[D.LastOp]].Device,
              D.LastOp,
              D.Queue == None ? O.Queue[D.LastOp] : D.Queue,
              D.Scope,
              Certain,
              OwnOps.empty() ? Direction::Unknown
                             : T.Stages[O.Stage[OwnOps.front()]].Dir,
              Start,
              Waited ? std::min(Done, Return) : Start};
}

WaitList Finder::run() {
  WaitList Result;
  std::vector<int64_t> WaitingUntil(T.Threads.size(), T.begin());
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (!H.isCall(I))
      continue;
    size_t First = NextLaunch;
    while (NextLaunch < T.LaunchOrder.size() &&
           O.Launch[T.LaunchOrder[NextLaunch]] == I)
      ++NextLaunch;
    auto OwnOps =
        llvm::ArrayRef(T.LaunchOrder).slice(First, NextLaunch - First);
    // A nested call waits as part of its outer one, unless only the nested
    // one is known.
    int64_t &WaitEnd = WaitingUntil[H.Thread[I]];
    if (WaitEnd <= H.Start[I] && (A.Outer[I] == I || !Rows[H.Name[A.Outer[I]]]))
      if (std::optional<Wait> W = examine(I, OwnOps)) {
        WaitEnd = W->length() ? H.End[I] : WaitEnd;
        (W->length() ? Result.Waits : Result.Latent).push_back(*W);
      }
    for (uint32_t Op : OwnOps)
      launch(Op);
  }
  return Result;
}

} // namespace

bool autoprof::analysis::isOrderedWith(const trace::Queue &Stream,
                                       const trace::Queue &Other) {
  if (Stream.Context != Other.Context || Stream.Device != Other.Device)
    return false;
  if (Stream.Stream == Other.Stream)
    return true;
  auto Blocks = [](StreamFlag A, StreamFlag B) {
    return A == StreamFlag::Null && B == StreamFlag::Blocking;
  };
  return Blocks(Stream.Flag, Other.Flag) || Blocks(Other.Flag, Stream.Flag);
}

WaitList autoprof::analysis::findWaits(const Timeline &T, const Attribution &A,
                                       const catalogue::Semantics *Measured) {
  if (!T.Ops.size())
    return {};
  return Finder(T, A, Measured).run();
}
