// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hooks that instrumented code calls, and the buffers they fill.
#ifndef AUTOPROF_RUNTIME_PROBES_PROBES_H
#define AUTOPROF_RUNTIME_PROBES_PROBES_H

#include "autoprof/probe.h"

#include <cstdint>
#include <string_view>

namespace autoprof::runtime {

/// One probe that ended. Times are CLOCK_MONOTONIC ns.
struct ProbeRecord {
  uint64_t Id;
  uint64_t Begin;
  uint64_t End;
};

/// One call of CUDA that may have waited for the GPU (light recording).
struct CallRecord {
  uint64_t Function; ///< As endCall() was given it.
  uint64_t Begin;
  uint64_t End;
};

enum class NvtxKind : uint8_t { Push, Pop, Start, End, Mark };

/// One NVTX call of the program's own (UserNvtx.h).
struct NvtxEvent {
  NvtxKind Kind = NvtxKind::Mark;
  uint8_t PayloadType = 0; ///< NVTX's number; 0: no payload.
  bool AfterGap = false;   ///< Events of this thread before it are missing:
                           ///< there was no room, or nothing was recorded.
  uint32_t Domain = 0;     ///< nvtxDomainName() knows it.
  uint32_t Category = 0;   ///< The program's number; 0: none.
  uint64_t Payload = 0;    ///< Its bits.
  uint64_t RangeId = 0;    ///< Start, End: what joins them.
  std::string_view Text;   ///< MaxNvtxText bytes at most.
  uint64_t Time = 0;       ///< CLOCK_MONOTONIC ns.
  uint32_t Depth = 0;      ///< Probes open around the call on its thread.
};
constexpr size_t MaxNvtxText = 1000;

/// Where a thread was when a call returned (Stacks.h).
struct StackRecord {
  uint64_t Time = 0; ///< CLOCK_MONOTONIC ns.
  uint32_t Correlation = 0;
  bool IsPython = false; ///< Whether the data is text, or addresses.
  std::string_view Data; ///< MaxStackData bytes at most.
};
constexpr size_t MaxStackData = 4096;

/// Where records go. `Tid` is the system's.
class ProbeSink {
public:
  virtual void probe(uint32_t Tid, const ProbeRecord &Record) = 0;
  /// Before the record of a range: so many runs of it were left out since the
  /// last one, or since a run of what is around it began.
  virtual void skipped(uint32_t, uint64_t /*Runs*/) {}
  /// More runs of a range that were left out, and the time in them.
  virtual void dropped(uint64_t /*Id*/, uint64_t /*Runs*/, uint64_t /*Ns*/) {}
  virtual void call(uint32_t Tid, const CallRecord &Record) = 0;
  /// `Event.Text` is valid during the call.
  virtual void nvtx(uint32_t Tid, const NvtxEvent &Event) = 0;
  /// `Record.Data` is valid during the call.
  virtual void stack(uint32_t Tid, const StackRecord &Record) = 0;
  /// Nothing more comes from this thread; its id may be used again.
  virtual void threadEnded(uint32_t Tid) = 0;

protected:
  ~ProbeSink() = default;
};

/// The table that scanModules gives to instrumented modules.
const autoprof_hooks &probeHooks();

/// Told of ranges on the program's threads, whether they are recorded or not:
/// of their begins before, of their ends after they were recorded.
struct RangeWatcher {
  void (*ProbeBegin)(uint64_t Id);
  void (*ProbeEnd)(uint64_t Id);
  void (*Nvtx)(const NvtxEvent &Event);
};

struct ProbeOptions {
  bool Record = false;       ///< Keep records (else NVTX ranges only).
  bool SkipLaunches = false; ///< Leave launch sites out of the records.
  /// So many brief runs of a range without GPU work are recorded of a thread
  /// (RangeThrottle.h); 0: all.
  uint64_t ThrottleAfter = 0;
  const RangeWatcher *Watcher = nullptr;
  /// Called on a program's thread at the first probe of the process.
  void (*OnFirstProbe)() = nullptr;
  /// What the program asks for (Control.h).
  int (*OnRequest)(autoprof_request Request, const char *Name) = nullptr;
  /// Wakes the thread that drains; async-signal-safe.
  void (*OnBacklog)() = nullptr;
};

/// Makes the hooks do their work. Call it before scanModules.
void startProbes(const ProbeOptions &Options);

/// Whether records are kept from now on. What is open at the time is not
/// recorded. Nothing after stopProbes. Thread-safe.
void setProbesRecording(bool Record);

/// Makes the hooks do nothing, for good. Async-signal-safe.
void stopProbes();

/// Records an NVTX call of this thread, which is the process's first probe if
/// there was none; Time, Depth and AfterGap are filled in. Never blocks.
void recordNvtx(NvtxEvent Event);

/// A call of CUDA begins on this thread; what it returns is for endCall(),
/// which must follow. Of calls inside of each other the outermost is recorded.
uint64_t beginCall();
void endCall(uint64_t Function, uint64_t Token);

/// Records a stack of this thread. False: there is no room for it, or the
/// thread is in the middle of a record. Never blocks; async-signal-safe.
bool recordStack(const StackRecord &Record);

/// What is known of GPU work that code without probes causes. Ranges are left
/// out only if they began when CUDA calls were seen, or none is recorded.
enum class CudaCalls {
  NotRecorded, ///< No such call will be in the trace: there is nothing to see.
  Unseen,      ///< They are recorded, and nobody tells of them.
  Seen         ///< cudaCallBegins() is called at each that is recorded.
};
void setCudaCalls(CudaCalls State);
/// Whether a range may be left out as soon as they are seen. Thread-safe.
bool wantsCudaCalls();
/// On the thread that makes it. Those of threads without probes count for the
/// ranges of all.
void cudaCallBegins();

/// Hands the records of all threads to `Sink`: those of one thread in the
/// order in which probes and calls ended and NVTX calls were made. One caller
/// at a time.
void drainProbes(ProbeSink &Sink);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_PROBES_PROBES_H
