// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects events in any order and makes a Timeline of them. Readers of every
// format use it, and tests that define a schedule.
#pragma once

#include "trace/timeline/Timeline.h"

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

namespace autoprof::trace {

/// The site id of a user's range: a hash of domain and name, the same in every
/// recording.
uint64_t userRangeId(llvm::StringRef Domain, llvm::StringRef Name);

/// What a builder keeps of the events it is given. Of a window: operations that
/// overlap it; calls, and the records of synchronization, overhead and memory,
/// that lie in it; and sites and ranges that overlap it, cut at its edges.
struct Selection {
  std::optional<Window> Keep; ///< Nothing: all.
  /// More than this are only counted: ReadLoss::EventsTooMany.
  uint64_t MaxEvents = ~uint64_t(0);
};

class TimelineBuilder {
public:
  Selection Select; ///< To be set before the first event.
  /// The timeline under construction: tables (Sites, Info, Lost, ...) may be
  /// filled directly; events only through the functions below.
  Timeline T;

  uint32_t addThread(int64_t Tid, llvm::StringRef Name);
  /// The same queue for the same device, context and stream.
  uint32_t queue(uint32_t Device, uint32_t Context, uint32_t Stream);
  void setFlag(uint32_t Device, uint32_t Context, uint32_t Stream,
               StreamFlag Flag);
  uint32_t addStage(const Stage &S);
  /// The site of `Id`, made when it is new; its row may come later.
  uint32_t site(uint64_t Id);
  /// The site of the user's ranges of this domain and name (both in Strings).
  uint32_t userRange(uint32_t Domain, uint32_t Name);
  /// The site of calls of this name (in Strings) whose place the trace names
  /// without a site id: where their recorded stacks begin.
  uint32_t callSite(llvm::StringRef File, uint32_t Line,
                    llvm::StringRef Function, uint32_t Name);

  /// Times in ns. An event that ends before it starts is counted as invalid
  /// and left out. `EventId` joins a call with its operations and
  /// synchronization records; 0: none.
  void addHost(HostKind Kind, uint32_t Thread, int64_t Start, int64_t End,
               uint32_t Name, uint32_t Site = None, uint64_t EventId = 0);
  void addOp(uint32_t Queue, uint32_t Stage, int64_t Start, int64_t End,
             uint64_t EventId);
  void addSync(const SyncRecord &S, uint64_t EventId);
  void addMemory(const MemoryEvent &M, uint64_t EventId);
  void addSample(const ThreadSample &S);
  /// The host stack of a call (Site::Frames).
  void addStack(llvm::StringRef Frames, uint64_t EventId);

  /// A run of an operator, on whatever level.
  void addOperator(uint32_t Thread, const OperatorRun &Run);

  /// Room for about `Events` events, to avoid growing step by step.
  void reserve(size_t Events);

  /// Sorts, joins and hands out the timeline. The builder is then empty.
  Timeline finish();

private:
  std::vector<uint64_t> HostIds, OpIds, SyncIds, MemoryIds;
  std::vector<std::pair<uint64_t, uint32_t>> Stacks; ///< Event id, string.
  std::map<std::array<uint32_t, 3>, uint32_t> QueueIndex;
  std::unordered_map<uint64_t, uint32_t> SiteIndex;
  std::unordered_map<uint64_t, uint32_t> UserRanges; ///< By domain and name.
  /// By file, line, function and call.
  std::map<std::tuple<std::string, uint32_t, std::string, uint32_t>, uint32_t>
      CallSites;

  Window Seen{std::numeric_limits<int64_t>::max(),
              std::numeric_limits<int64_t>::min()}; ///< Of all events.
  uint64_t HostOutside = 0, OpsOutside = 0, Kept = 0;

  bool isSelected(int64_t Start, int64_t End, bool Whole, uint64_t &Outside);
  void cutEdges();
  void describePart();
  void sortHost();
  void sortOperators();
  void sortOps();
  void join();
  void joinStacks(const std::function<uint32_t(uint64_t)> &CallOf);
  void inferFlags();
  void collectDevices();
  void findSpan();
  void clipWindows();
};

} // namespace autoprof::trace
