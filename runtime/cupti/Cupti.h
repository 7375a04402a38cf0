// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPTI, opened at run time: nothing of CUDA is linked into the runtime.
#pragma once

#include "runtime/cupti/Activity.h"
#include "runtime/cupti/Buffers.h"
#include "runtime/protocol/WindowPlan.h"
#include "runtime/stacks/Occasions.h"

#include <string>

namespace autoprof::runtime {

/// The state of activity recording.
enum class CuptiState {
  Off, ///< Not tried yet, or not needed.
  Ok,
  Missing, ///< No libcupti.
  Busy,    ///< Another tool has it.
  Refused  ///< CUPTI returned an error.
};

/// "off", "ok", "missing", "busy", "refused", as in the `process` metadata.
const char *name(CuptiState State);

struct CuptiStatus {
  CuptiState State = CuptiState::Off;
  std::string Reason;   ///< One sentence if State is not Ok.
  uint32_t Version = 0; ///< cuptiGetVersion; 0: unknown.
  /// What is recorded of graph launches; Auto: nothing.
  GraphRecords Graphs = GraphRecords::Auto;
};

struct CuptiEvents {
  /// A context is about to be destroyed; records that CUPTI still holds would
  /// be lost.
  void (*OnContextDestroy)();
  /// CUPTI had an error from which it cannot recover.
  void (*OnFatalError)();
  /// Called after cudaProfilerStart and before cudaProfilerStop; null: not
  /// needed.
  void (*OnProfilerStart)() = nullptr;
  void (*OnProfilerStop)() = nullptr;
};

/// How CUPTI is used.
enum class CuptiUse {
  /// CUPTI writes records into the buffers of Buffers.h: always those that
  /// describe devices, contexts and streams; while recording is on also those
  /// of calls and GPU work.
  Activity,
  /// The same, and stacks are recorded at some of the calls (Stacks.h).
  ActivityAndStacks,
  /// CUPTI only calls back at calls that may wait (WaitingCalls.h).
  WaitingCalls
};

/// Opens CUPTI (`Path`, or where it is usually found) and sets it up, with
/// recording on if `Recording`. `Stacks` applies to ActivityAndStacks. With
/// `Memory` CUPTI also writes a record for each allocation and release, whether
/// recording is on or not, because who holds memory is known only if all are
/// seen. `Graphs` is Nodes or Launches; Launches only before the program can
/// have made a graph. `BeforeCuda`: called by the driver before CUDA is ready.
/// Call it once, before or while CUDA initialises. It prints nothing, and its
/// failure does not affect the program.
CuptiStatus startCupti(const std::string &Path, CuptiUse Use,
                       const StackPlan &Stacks, bool Memory,
                       GraphRecords Graphs, const CuptiEvents &Events,
                       bool BeforeCuda, bool Recording);

// The functions below do nothing unless startCupti returned "ok" for Activity.

/// Switches the recording of calls and GPU work on or off. GPU work that was
/// launched before is recorded according to the state at its launch. While
/// recording is on, and once wantsCudaCalls() (Probes.h), cudaCallBegins() is
/// called at each call that is recorded. One caller at a time.
void setCuptiRecording(bool Recording);

/// Makes CUPTI hand over its buffers. `Forced`: also records that are not
/// finished. Only one flush may run at a time, or CUPTI deadlocks: if another
/// is running, waits for it, up to `PatienceMs`, and returns false if it gave
/// up.
bool flushCupti(bool Forced, unsigned PatienceMs);

/// Returns the number of records dropped by CUPTI since the last call. Never
/// call it while holding a lock that a buffer callback takes.
uint64_t takeDroppedRecords();

/// Calls `decoder.decode` for each record of `Buffer`, except for those of
/// graph launches that began on the GPU while recording was off.
void decodeBuffer(const ActivityBuffer &Buffer, ActivityDecoder &Decoder);

/// A FunctionName for ActivityDecoder.
const char *cuptiFunctionName(Domain Api, uint32_t Callback);

} // namespace autoprof::runtime
