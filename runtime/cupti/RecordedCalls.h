// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of which full recording has CUPTI write a record for each call.
#ifndef AUTOPROF_RUNTIME_CUPTI_RECORDEDCALLS_H
#define AUTOPROF_RUNTIME_CUPTI_RECORDEDCALLS_H

#include "runtime/cupti/CuptiLibrary.h"

#include <vector>

namespace autoprof::runtime {

/// CUPTI's numbers of functions.
struct RecordedCalls {
  std::vector<uint32_t> Runtime, Noise, Driver; ///< Noise: not recorded.
};

/// How CUPTI is told which calls of the runtime to record.
enum class CallChoice : uint8_t {
  /// One by one: calls that are not recorded cost nothing. Only if the first
  /// ones are chosen before CUDA is ready: later, CUPTI then writes no record
  /// of
  /// any (H200, CUDA 13.0; test/gpu/control.sh).
  Each,
  Kind ///< All of them, less the noise.
};

/// Looked up once: a window opens and closes on the program's threads.
/// Thread-safe.
const RecordedCalls &recordedCalls(const CuptiLibrary &Library);

/// Has CUPTI record them from now on, or no more. `Choice`: the same for as
/// long as the process lives.
CUptiResult recordCalls(const CuptiLibrary &Library, CallChoice Choice,
                        bool Recording);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CUPTI_RECORDEDCALLS_H
