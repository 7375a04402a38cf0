// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hooks that instrumented code calls, and the buffers they fill.
#ifndef AUTOPROF_RUNTIME_PROBES_H
#define AUTOPROF_RUNTIME_PROBES_H

#include "autoprof/probe.h"

#include <cstdint>

namespace autoprof::runtime {

/// One probe that ended. Times are CLOCK_MONOTONIC ns.
struct ProbeRecord {
  uint64_t Id;
  uint64_t Begin;
  uint64_t End;
};

/// The table that scanModules gives to instrumented modules.
const autoprof_hooks &probeHooks();

struct ProbeOptions {
  bool Record = false;       ///< Keep records (else NVTX ranges only).
  bool SkipLaunches = false; ///< Leave launch sites out of the records.
  /// Called on a program's thread at the first probe of the process.
  void (*OnFirstProbe)() = nullptr;
  /// Wakes the thread that drains; async-signal-safe.
  void (*OnBacklog)() = nullptr;
};

/// Makes the hooks do their work. Call it before scanModules.
void startProbes(const ProbeOptions &Options);

/// Makes the hooks do nothing, for good. Async-signal-safe.
void stopProbes();

/// Hands the records of all threads to `Take(Context, Tid, Record)`: those of
/// one thread in the order in which they ended. One caller at a time.
void drainProbes(void (*Take)(void *Context, uint32_t Tid,
                              const ProbeRecord &Record),
                 void *Context);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_PROBES_H
