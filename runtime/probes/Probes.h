// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hooks that instrumented code calls, and the buffers they fill.
#pragma once

#include "autoprof/probe.h"

#include <cstdint>
#include <string_view>

namespace autoprof::runtime {

/// One completed probe. Times are CLOCK_MONOTONIC ns.
struct ProbeRecord {
  uint64_t Id;
  uint64_t Begin;
  uint64_t End;
};

/// One call of CUDA that may have waited for the GPU (light recording).
struct CallRecord {
  uint64_t Function; ///< The argument of endCall().
  uint64_t Begin;
  uint64_t End;
};

enum class NvtxKind : uint8_t { Push, Pop, Start, End, Mark };

/// One of the program's own NVTX calls (UserNvtx.h).
struct NvtxEvent {
  NvtxKind Kind = NvtxKind::Mark;
  /// Events of this thread before it are missing: there was no room, or nothing
  /// was recorded.
  bool AfterGap = false;
  uint32_t Domain = 0;   ///< See nvtxDomainName().
  uint32_t RangeId = 0;  ///< Start, End: identifies the range.
  std::string_view Text; ///< MaxNvtxText bytes at most.
  uint64_t Time = 0;     ///< CLOCK_MONOTONIC ns.
  uint32_t Depth = 0;    ///< Open probes around the call on its thread.
};
constexpr size_t MaxNvtxText = 1000;

/// The stack of a thread when a call returned (Stacks.h).
struct StackRecord {
  uint64_t Time = 0; ///< CLOCK_MONOTONIC ns.
  uint32_t Correlation = 0;
  bool IsPython = false; ///< The data is text, not addresses.
  std::string_view Data; ///< MaxStackData bytes at most.
};
constexpr size_t MaxStackData = 4096;

/// Receives records. `Tid` is the system's thread id.
class ProbeSink {
public:
  virtual void probe(uint32_t Tid, const ProbeRecord &Record) = 0;
  /// This many more runs of a range were left out, with this total time.
  virtual void dropped(uint64_t /*Id*/, uint64_t /*Runs*/, uint64_t /*Ns*/) {}
  virtual void call(uint32_t Tid, const CallRecord &Record) = 0;
  /// `Event.Text` is valid only during the call.
  virtual void nvtx(uint32_t Tid, const NvtxEvent &Event) = 0;
  /// `Record.Data` is valid only during the call.
  virtual void stack(uint32_t Tid, const StackRecord &Record) = 0;
  /// No more records come from this thread; its id may be reused.
  virtual void threadEnded(uint32_t Tid) = 0;

protected:
  ~ProbeSink() = default;
};

/// The table of hooks that scanModules gives to instrumented modules.
const autoprof_hooks &probeHooks();

/// Callbacks for all ranges on the program's threads, recorded or not: called
/// before the begin of a range is recorded, and after its end is.
struct RangeWatcher {
  void (*ProbeBegin)(uint64_t Id);
  void (*ProbeEnd)(uint64_t Id);
  void (*Nvtx)(const NvtxEvent &Event);
};

struct ProbeOptions {
  bool Record = false;       ///< Keep records (else NVTX ranges only).
  bool SkipLaunches = false; ///< Leave launch sites out of the records.
  /// The number of brief runs of a range without GPU work that are recorded for
  /// each thread (RangeThrottle.h); 0: all.
  uint64_t ThrottleAfter = 0;
  const RangeWatcher *Watcher = nullptr;
  /// Called on a thread of the program at the first probe of the process.
  void (*OnFirstProbe)() = nullptr;
  /// Handles the program's requests (autoprof/autoprof.h).
  int (*OnRequest)(autoprof_request Request) = nullptr;
  /// Wakes the thread that drains; async-signal-safe.
  void (*OnBacklog)() = nullptr;
};

/// Activates the hooks. Call it before scanModules.
void startProbes(const ProbeOptions &Options);

/// Switches recording on or off. Probes that are open at the time are not
/// recorded. No effect after stopProbes. Thread-safe.
void setProbesRecording(bool Record);

/// Makes the hooks do nothing, for good. Async-signal-safe.
void stopProbes();

/// Records an NVTX call of this thread, which counts as the process's first
/// probe if there was none; fills in Time, Depth and AfterGap. Never blocks.
void recordNvtx(NvtxEvent Event);

/// To be called when a CUDA call begins on this thread; the result is for
/// endCall(), which must follow. Of nested calls only the outermost is
/// recorded.
uint64_t beginCall();
void endCall(uint64_t Function, uint64_t Token);

/// Records a stack of this thread. False: there is no room for it, or the
/// thread is in the middle of a record. Never blocks; async-signal-safe.
bool recordStack(const StackRecord &Record);

/// What is known about GPU work that is caused by code without probes. Ranges
/// are left out only if they began while CUDA calls were seen, or if none is
/// recorded.
enum class CudaCalls {
  NotRecorded, ///< The trace will have no such calls, so none need to be seen.
  Unseen,      ///< Calls are recorded, but cudaCallBegins() is not called.
  Seen         ///< cudaCallBegins() is called at each that is recorded.
};
void setCudaCalls(CudaCalls State);
/// Whether a range could be left out if CUDA calls were seen. Thread-safe.
bool wantsCudaCalls();
/// To be called on the thread that makes the CUDA call. Calls of threads
/// without probes count for the ranges of all threads.
void cudaCallBegins();

/// Passes the records of all threads to `Sink`: those of one thread in the
/// order in which probes and calls ended and NVTX calls were made. One caller
/// at a time.
void drainProbes(ProbeSink &Sink);

} // namespace autoprof::runtime
