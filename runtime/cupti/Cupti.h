// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPTI, opened at run time: nothing of CUDA is linked into the runtime.
#ifndef AUTOPROF_RUNTIME_CUPTI_CUPTI_H
#define AUTOPROF_RUNTIME_CUPTI_CUPTI_H

#include "runtime/cupti/Activity.h"
#include "runtime/cupti/Buffers.h"
#include "runtime/protocol/WindowPlan.h"
#include "runtime/stacks/Occasions.h"

#include <string>

namespace autoprof::runtime {

/// Where activity recording stands.
enum class CuptiState {
  Off, ///< Not tried, or there is nothing to try it for.
  Ok,
  Missing, ///< No libcupti.
  Busy,    ///< Another tool has it.
  Refused  ///< CUPTI said no.
};

/// "off", "ok", "missing", "busy", "refused", as in the `process` metadata.
const char *name(CuptiState State);

struct CuptiStatus {
  CuptiState State = CuptiState::Off;
  std::string Reason;   ///< One sentence when it is not Ok.
  uint32_t Version = 0; ///< cuptiGetVersion; 0: unknown.
  uint32_t Driver = 0;  ///< cuDriverGetVersion, as 13000; 0: unknown.
  /// What is recorded of graph launches; Auto: nothing.
  GraphRecords Graphs = GraphRecords::Auto;
};

struct CuptiEvents {
  /// A context is about to be destroyed; records still with CUPTI would go.
  void (*OnContextDestroy)();
  /// CUPTI met an error it cannot recover from.
  void (*OnFatalError)();
  /// cudaProfilerStart returns, cudaProfilerStop begins; null: not wanted.
  void (*OnProfilerStart)() = nullptr;
  void (*OnProfilerStop)() = nullptr;
};

/// What CUPTI is used for.
enum class CuptiUse {
  /// It writes its records into the buffers of Buffers.h: those that describe
  /// devices, contexts and streams, and while recording is on, of calls and GPU
  /// work.
  Activity,
  /// The same, and stacks are taken at some of the calls (Stacks.h).
  ActivityAndStacks,
  /// It calls back at calls that may wait (WaitingCalls.h), and at nothing
  /// else.
  WaitingCalls
};

/// Opens CUPTI (`Path`, or where it is usually found) and sets it up; with
/// `Recording` on. `Stacks` is for ActivityAndStacks. With `Memory` it also
/// writes a record for each allocation and release, recording or not: who holds
/// memory is known only from the beginning. `Graphs`: Nodes or Launches, the
/// latter only before the program can have made a graph. `BeforeCuda`: by the
/// driver, before CUDA is ready. Call it once, before or while CUDA
/// initialises. It prints nothing and never fails the program.
CuptiStatus startCupti(const std::string &Path, CuptiUse Use,
                       const StackPlan &Stacks, bool Memory,
                       GraphRecords Graphs, const CuptiEvents &Events,
                       bool BeforeCuda, bool Recording);

// The rest does nothing before startCupti returned "ok" for Activity.

/// Whether calls and GPU work are recorded from now on. GPU work that was
/// launched before is recorded or not as it was then. While they are, and once
/// wantsCudaCalls() (Probes.h), cudaCallBegins() is told of each call that is
/// recorded. One caller at a time.
void setCuptiRecording(bool Recording);

/// Has CUPTI hand over its buffers. `Forced`: also records that are not
/// finished. One flush at a time: CUPTI deadlocks otherwise. If one is under
/// way, waits for it, up to `PatienceMs`; false: gave up.
bool flushCupti(bool Forced, unsigned PatienceMs);

/// Records dropped by CUPTI since the last call. Never call it while holding a
/// lock that a buffer callback takes.
uint64_t takeDroppedRecords();

/// Calls `decoder.decode` for each record of `Buffer`, but those of graph
/// launches that began on the GPU while recording was off.
void decodeBuffer(const ActivityBuffer &Buffer, ActivityDecoder &Decoder);

/// For ActivityDecoder.
const char *cuptiFunctionName(Domain Api, uint32_t Callback);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CUPTI_CUPTI_H
