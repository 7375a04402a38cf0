// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same ranges for AMD's profilers through ROCTX, which has neither domains
// nor payloads. Not tested on an AMD GPU, only with a library of the same ABI.
#ifndef AUTOPROF_RUNTIME_PROBES_ROCTX_H
#define AUTOPROF_RUNTIME_PROBES_ROCTX_H

#include <cstdint>

namespace autoprof::runtime {

/// The functions of a ROCTX library that is in the process. They copy their
/// arguments, and any thread may call them at any time.
struct Roctx {
  int (*Push)(const char *Text);
  int (*Pop)();
  void (*Mark)(const char *Text);
  uint64_t (*Start)(const char *Text);
  void (*Stop)(uint64_t Range);
};

/// Returns null if the process has no such library; none is loaded for this. A
/// profiler that wants ranges (rocprofv3 --marker-trace) preloads one.
/// Thread-safe; later calls return the result of the first.
const Roctx *findRoctx();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_PROBES_ROCTX_H
