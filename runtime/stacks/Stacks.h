// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host stacks at calls that took long (AUTOPROF_MODE=full+stacks): where a
// program that was never recompiled waits for the GPU.
//
// CUPTI calls us on the program's thread before and behind each call that may
// wait, and each that starts work if pauses are looked for (Cupti.cpp chooses
// them). When a call has returned, its stack is taken if there is a reason
// (Occasions.h): the Python frames of a thread that runs Python, else return
// addresses. It goes into the thread's own log, as probes do (Probes.cpp), so
// that no thread waits for another. The flush thread turns addresses into
// module and offset; they become functions and lines when a report is made.
#ifndef AUTOPROF_RUNTIME_STACKS_STACKS_H
#define AUTOPROF_RUNTIME_STACKS_STACKS_H

#include "runtime/probes/Probes.h"
#include "runtime/stacks/Occasions.h"

#include <cstdint>
#include <string>
#include <vector>

namespace autoprof::runtime {

/// One stack, as the flush thread gets it.
struct CallStack {
  uint64_t Time;        ///< CLOCK_MONOTONIC ns, behind the call.
  uint32_t Correlation; ///< CUPTI's, of the call.
  uint32_t Tid;
  std::string Frames; ///< As docs/trace-format.md writes them.
};

/// A module that addresses lie in, to be told from a later build of it.
struct StackModule {
  std::string Path;
  std::string BuildId;  ///< Hex digits of its GNU build id; "": it has none.
  uint64_t Size = 0;    ///< Of the file, bytes.
  uint64_t Changed = 0; ///< st_mtime, ns.
};

struct StackBatch {
  std::vector<CallStack> Stacks;
  std::vector<StackModule> Modules; ///< Those of no batch before.
};

/// What stacks are taken of. Call it before the first call comes.
void setStackPlan(const StackPlan &Plan);

/// Which call CUPTI tells of.
struct StackCall {
  uint32_t Correlation;
  uint32_t
      Function; ///< A number for it, the driver's other than the runtime's.
  bool MayWait; ///< Else it only starts work.
  bool IsRecorded;
};

/// On the program's thread, before and behind a call. `Begin` lives between
/// them. Calls inside of a call are left out. Thread-safe; errno is kept.
void stackCallBegins(uint64_t *Begin);
void stackCallEnds(const uint64_t *Begin, const StackCall &Call);

/// From now on other calls are told of: those that are open have begun and may
/// not end.
void forgetStackCalls();

/// No more stacks are taken; for the child of a fork and the end.
void stopStacks();

/// What drainProbes() hands over, for takeStacks(). The flush thread's.
void collectStack(uint32_t Tid, const StackRecord &Record);

/// Those collected since the last call. The flush thread's.
StackBatch takeStacks();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_STACKS_STACKS_H
