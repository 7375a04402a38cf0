// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of another profiler's trace before it becomes a Timeline: on the
// producer's own clock, in any order, with the frameworks' operators and
// Python's functions, which are needed only to name calls.
#pragma once

#include "trace/timeline/TimelineBuilder.h"

namespace autoprof::trace {

/// What a host slice is; Autoprof: a range or a probe of the plugin's, in a
/// file that autoprof wrote. With equal times, they enclose each other in this
/// order.
enum class HostRole : uint8_t {
  Autoprof,
  Range,
  Python,
  Operator,
  Api,
  Driver
};

struct HostRow {
  int64_t Start, End;
  uint64_t Id; ///< Joins calls with operations; 0: none. Of ranges: the
               ///< domain (into Strings), of operators their shapes
               ///< (likewise); Autoprof: the site.
  uint32_t Name, Thread;
  HostRole Role;
  /// Of a call or an operator: its place (into Sites), if the file has it.
  uint32_t Site = None;

  bool isCall() const { return Role >= HostRole::Api; }
};

struct OpRow {
  int64_t Start, End;
  uint64_t Id;
  uint32_t Queue, Stage;
};

struct SyncRow {
  SyncRecord Record;
  uint64_t Id;
};

/// What an operator's allocator did on this thread.
struct MemoryRow {
  TensorMemory Memory;
  uint32_t Thread;
};

/// One end of an arrow from an operator to that of its backward pass.
struct FlowRow {
  int64_t Id, Time;
  uint32_t Thread;
};

/// Threads, queues, stages, names and tables are put into the builder as they
/// come; events into the vectors.
struct Collected {
  TimelineBuilder Builder;
  std::vector<HostRow> Host;
  std::vector<OpRow> Ops;
  std::vector<SyncRow> Syncs;
  std::vector<Overhead> Overheads;
  std::vector<MemoryRow> Memory;
  std::vector<FlowRow> Forward, Backward; ///< The arrows' starts and ends.
  /// autoprof wrote the file: it contains what other producers' files lack, and
  /// its times stay as they are.
  bool IsOwn = false;
  /// The zero of the rows' clock, ns since 1970; nullopt: unknown.
  std::optional<int64_t> Epoch;

  /// The timeline, which begins at 0, without the rows whose times cannot be.
  /// Calls inside an operator, or below a function of Python's, get a site that
  /// names it.
  Timeline finish();
};

} // namespace autoprof::trace
