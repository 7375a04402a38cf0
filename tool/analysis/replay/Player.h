// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One playback of a Replay. It follows the recording call by call, in the order
// in which the calls began, and keeps recorded and replayed times side by side:
// an edge's length comes from the one and is applied in the other. Whatever a
// call depends on began before it, so it has been played already; threads and
// devices need no more than clocks of their own.
#pragma once

#include "analysis/replay/WhatIf.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <array>
#include <functional>
#include <future>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace autoprof::analysis {

class Player {
  static constexpr int64_t Never = std::numeric_limits<int64_t>::min();
  /// ns. A thread that was outside of calls for less than this cannot have
  /// waited longer than this for another one.
  static constexpr int64_t ShortestHandOver = 5'000;

  /// An instant in both times.
  struct Instant {
    int64_t Recorded = Never, Replayed = Never;
  };

  /// What is known of the streams at one moment, in recorded or replayed time.
  struct Streams {
    std::vector<int64_t> End;     ///< Of the last operation, or Never.
    std::vector<int64_t> Barrier; ///< Later operations start after this.

    explicit Streams(size_t N) : End(N, Never), Barrier(N, Never) {}
    int64_t latest(const std::vector<uint32_t> &Group) const;
  };

  /// The operation that a stream has before it, and the events recorded up to
  /// its launch.
  struct Predecessor {
    uint32_t Op = trace::None;
    uint32_t Events = 0;
    bool IsDropped = false; ///< The one after Op was left out.
  };

  /// When the last operations of a stream end; more are not needed.
  class Unfinished {
    std::array<int64_t, Pauses::DeepQueue> Ends;
    size_t Next = 0;

  public:
    Unfinished() { Ends.fill(Never); }
    void add(int64_t End) { Ends[Next++ % Ends.size()] = End; }
    /// How many of them end after `Time`.
    uint32_t after(int64_t Time) const {
      return llvm::count_if(Ends, [Time](int64_t End) { return End > Time; });
    }
  };

  /// One host thread.
  struct HostThread {
    Instant Start, Return; ///< Of its latest call.
    int64_t LastEnd;       ///< Recorded, of any slice of it.
  };

  const Replay &R;
  const trace::Timeline &T;
  const trace::HostEvents &H;
  const trace::GpuOps &O;
  const Plan &Changes;
  std::vector<Change> ChangeOf; ///< By group.
  const Assumptions Assumed;
  bool KeepsPool = false; ///< The plan raises a pool's threshold.
  Streams Recorded, Replayed;
  std::vector<std::vector<uint32_t>> Ordered;    ///< Streams ordered with each.
  std::vector<std::vector<uint32_t>> SameDevice; ///< As each.
  std::vector<uint32_t> All;
  std::vector<HostThread> Hosts;
  /// If threads may wait for each other: the latest start or return of a call,
  /// in recorded time, and the returns that follow, with their threads.
  Instant Latest;
  uint32_t LatestThread = 0;
  using Returning = std::pair<int64_t, uint32_t>;
  std::priority_queue<Returning, std::vector<Returning>, std::greater<>>
      Returns;
  std::vector<Predecessor> Predecessors;     ///< By stream.
  std::vector<std::vector<uint32_t>> Played; ///< By stream, in order.
  /// By stream: the latest call of cudaStreamWaitEvent since its last operation
  /// was launched, or None.
  std::vector<uint32_t> OrderedSince;
  /// By stream, in recorded and in replayed time.
  std::vector<Unfinished> WasQueued, IsQueued;
  std::vector<int64_t> OpEnd; ///< Replayed, for each of GpuOps.
  /// By device, replayed: when its last kernel ends.
  llvm::SmallDenseMap<uint32_t, int64_t> KernelEnd;
  std::unordered_map<uint32_t, uint32_t> OrderedBy; ///< Call to its stream.
  /// By group: when the work that the call waited for last time was done.
  std::unordered_map<uint32_t, int64_t> DoneBefore;
  uint32_t Events = 0; ///< Recorded so far.
  size_t NextOp = 0, NextWait = 0, NextLatent = 0;
  /// What becomes of the copies of the call that is played.
  Edit OfCopies = Edit::None;

  /// What a waiting call returns after, and how long it waited.
  struct Waiting {
    Instant Release;
    int64_t Waited = 0; ///< ns, recorded.
  };

  /// The call that is played, and what it waits for.
  struct Current {
    uint32_t Call = trace::None;
    Change Changed; ///< What becomes of it.
    int64_t Begin = 0;
    size_t First = 0; ///< Its operations: from here to NextOp.
    Waiting W;
  } Now;
  uint32_t NextCall = 0; ///< Into HostEvents.

  /// By thread: when removed operators, or sites of Edit::Reuse, ran, in order.
  std::vector<std::vector<trace::Window>> Gone;

  const Change &changeOf(uint32_t Call) const;
  void findGone();
  int64_t goneIn(uint32_t Thread, int64_t From, int64_t To) const;
  bool isGone(uint32_t Call) const;
  void noteActivity(const Instant &Time, uint32_t Thread);
  void noteReturns(int64_t Until);
  int64_t beginOf(uint32_t Call);
  Instant doneBy(const Wait &W) const;
  Waiting waitingOf(uint32_t Call);
  void waitForOwnCopy(uint32_t Call, size_t First, Waiting &W) const;
  bool isWholeGraph(uint32_t Op) const;
  int64_t recorderIn(uint32_t Call, bool Launches) const;
  int64_t inPool(int64_t Ns, bool IsSync) const;
  int64_t returnOf(uint32_t Call, int64_t Begin, const Waiting &W, bool HasWait,
                   bool Launches);
  Edit editOfCopies() const;
  bool isPinned() const {
    return OfCopies == Edit::Pin || OfCopies == Edit::PinAsync;
  }
  int64_t pinnedTime(uint32_t Op) const;
  int64_t returnOfCopies(uint32_t Call, int64_t Begin, const Waiting &W) const;
  const Predecessor &predecessor(uint32_t Queue) const;
  /// Whether it runs on its own; see Assumptions::KernelsApart.
  bool isApart(uint32_t Op) const {
    return Assumed.KernelsApart &&
           T.Stages[O.Stage[Op]].Kind != trace::OpKind::Copy;
  }
  int64_t startOf(uint32_t Op, uint32_t Call, int64_t Begin) const;
  int64_t longerPause(uint32_t Op, uint32_t Call, int64_t Begin) const;
  bool isDropped() const;
  void dropOps(size_t First, int64_t Begin);
  void playEarlyOps();
  void playOps(size_t First, int64_t Shift);
  void orderStreams(uint32_t Call);
  void orderAfterOthers(uint32_t Op);
  void enterCall(uint32_t Call);
  bool isCollective() const;
  int64_t shiftOfOps() const;
  void playOwnOps();
  void leaveCall();
  bool nextCall();
  Replay::Played result() const;

public:
  Player(const Replay &R, const Plan &Changes, Assumptions Assumed);
  Replay::Played run();

  // Of several ranks together, before run(): collectives end when the caller
  // says.

  /// Plays on to the next collective. How much later than recorded it starts,
  /// ns; nullopt at the end.
  std::optional<int64_t> runToCollective();
  /// The collective ends so much later than recorded, ns.
  void endCollective(int64_t Shift);
};

/// `Play` for each of an even number of cases, on two threads.
template <typename Case, typename Function>
auto playInPairs(const std::vector<Case> &Cases, Function Play) {
  std::vector<decltype(Play(Cases.front()))> Result(Cases.size());
  for (size_t I = 0; I < Cases.size(); I += 2) {
    auto Second = std::async([&, I] { return Play(Cases[I + 1]); });
    Result[I] = Play(Cases[I]);
    Result[I + 1] = Second.get();
  }
  return Result;
}

} // namespace autoprof::analysis
