// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host stacks at calls that took long (AUTOPROF_MODE=full+stacks): they show
// where a program that was not recompiled waits for the GPU.
//
// CUPTI calls us on the program's thread before and after each call that may
// wait, and each that starts work if pauses are looked for (Cupti.cpp chooses
// them). When a call has returned, its stack is taken if there is a reason to
// (Occasions.h): the Python frames of a thread that runs Python, otherwise
// return addresses. It is stored in the thread's own log, as probes are
// (Probes.cpp), so that no thread waits for another. The flush thread turns
// addresses into module and offset; the report turns these into functions and
// lines.
#pragma once

#include "runtime/probes/Probes.h"
#include "runtime/stacks/Occasions.h"
#include "runtime/stacks/Sampler.h"

#include <cstdint>
#include <string>
#include <vector>

namespace autoprof::runtime {

/// One stack, as returned to the flush thread.
struct CallStack {
  uint64_t Time;        ///< CLOCK_MONOTONIC ns, after the call.
  uint32_t Correlation; ///< CUPTI's correlation id of the call.
  uint32_t Tid;
  std::string Frames; ///< In the format of docs/trace-format.md.
};

/// A module that contains addresses, with what distinguishes it from later
/// builds.
struct StackModule {
  std::string Path;
  uint64_t Size = 0;    ///< Bytes of the file.
  uint64_t Changed = 0; ///< st_mtime, ns.
};

struct StackBatch {
  std::vector<CallStack> Stacks;
  std::vector<ThreadSample> Samples;
  std::vector<StackModule> Modules; ///< Modules that were in no earlier batch.
};

/// Sets at which calls stacks are taken. To be called before the first
/// callback.
void setStackPlan(const StackPlan &Plan);

/// The call that CUPTI's callback is about.
struct StackCall {
  uint32_t Correlation;
  uint32_t Function; ///< A number for it, unique across driver and runtime.
  bool MayWait;      ///< False: it only starts work.
  bool IsRecorded;
};

/// To be called on the program's thread before and after a call. `Begin` must
/// live from one to the other. Nested calls are ignored. Thread-safe; errno is
/// kept.
void stackCallBegins(uint64_t *Begin);
void stackCallEnds(const uint64_t *Begin, const StackCall &Call);

/// To be called when the set of calls with callbacks changes: calls that are
/// open have begun, but their end may not be reported.
void forgetStackCalls();

/// Stops taking stacks; for the child of a fork and the end of the process.
void stopStacks();

/// Keeps a stack from drainProbes() for takeStacks(). To be called by the flush
/// thread.
void collectStack(uint32_t Tid, const StackRecord &Record);

/// Returns the stacks collected and the samples taken since the last call. To
/// be called by the flush thread.
StackBatch takeStacks();

} // namespace autoprof::runtime
