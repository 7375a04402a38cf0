// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns the records of the program's threads into slices of the trace, and
// joins the two ends of the program's own NVTX ranges.
//
// Slices on a track must nest, or Perfetto and every reader that pairs
// them shows nonsense. A range that was pushed and popped is on its thread's
// track if it nests there with the probes and with the ranges of other domains.
// Ranges that do not nest, and those of nvtxRangeStart and nvtxRangeEnd, which
// any thread may end in any order, are on lanes: tracks of their own, as many
// as needed.
#pragma once

#include "runtime/probes/Probes.h"
#include "runtime/stacks/Stacks.h"
#include "runtime/trace/Trace.h"

#include <unordered_map>
#include <vector>

namespace autoprof::runtime {

/// Not thread-safe: the flush thread owns it.
class RangeWriter : public ProbeSink {
public:
  /// `NameOf` returns the name of a function (CallRecord::Function) without its
  /// version suffix.
  RangeWriter(Trace &Events, const char *(*NameOf)(uint64_t Function))
      : Events(Events), NameOf(NameOf) {}

  /// From now on parts of the run are not recorded: ends without a begin are
  /// not losses.
  void expectWindows() { InWindows = true; }

  void probe(uint32_t Tid, const ProbeRecord &Record) override;
  void dropped(uint64_t Id, uint64_t Runs, uint64_t Ns) override;
  void call(uint32_t Tid, const CallRecord &Record) override;
  void nvtx(uint32_t Tid, const NvtxEvent &Event) override;
  void stack(uint32_t Tid, const StackRecord &Record) override {
    collectStack(Tid, Record);
  }
  void threadEnded(uint32_t Tid) override;

  /// Runs of a range that were left out, on all threads.
  struct LeftOut {
    uint64_t Runs = 0, Ns = 0;
    uint64_t Written = 0; ///< The part of Runs that was written; the caller's.
  };
  std::unordered_map<uint64_t, LeftOut> &leftOut() { return Dropped; }

private:
  struct OpenRange {
    UserRange Range;
    std::string Text; ///< Range.Name refers to it.
    uint64_t Begin;
    uint32_t Tid, Depth;
    bool Crossed = false; ///< A probe around it ended before it did.
  };
  using Thread = std::vector<OpenRange>;
  /// The last slice on the lane that is not nested in another, and the end of
  /// the one before it.
  struct Lane {
    uint64_t Begin = 0, End = 0, Before = 0;
    bool take(uint64_t NewBegin, uint64_t NewEnd);
  };

  Thread &thread(uint32_t Tid);
  void push(Thread &T, uint32_t Tid, const NvtxEvent &Event);
  void pop(Thread &T, const NvtxEvent &Event);
  void end(const NvtxEvent &Event);
  void writeOnLane(const OpenRange &R, uint64_t End);
  void forgetOpen(Thread &T);
  void countUnbalanced(size_t N) const;

  Trace &Events;
  const char *(*NameOf)(uint64_t Function);
  bool InWindows = false;
  std::unordered_map<uint32_t, Thread> Threads;
  Thread *Last = nullptr; ///< That of LastTid: a thread's records are adjacent.
  uint32_t LastTid = 0;
  std::unordered_map<uint32_t, OpenRange> Started; ///< By range id.
  /// Ends whose start has not come.
  std::unordered_map<uint32_t, uint64_t> Ended;
  std::vector<Lane> Lanes;
  std::unordered_map<uint64_t, LeftOut> Dropped; ///< By id of the range's site.
};

} // namespace autoprof::runtime
