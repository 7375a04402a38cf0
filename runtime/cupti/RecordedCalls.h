// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions whose calls CUPTI records in full mode.
#pragma once

#include "runtime/cupti/CuptiLibrary.h"

#include <vector>

namespace autoprof::runtime {

/// CUPTI's numbers of these functions.
struct RecordedCalls {
  std::vector<uint32_t> Runtime, Noise;      ///< Noise is not recorded.
  std::vector<uint32_t> Driver, OtherDriver; ///< OtherDriver is not recorded.
};

/// How CUPTI is configured to record calls.
enum class CallChoice : uint8_t {
  /// Function by function: calls that are not recorded cost nothing. Works only
  /// if the first functions are chosen before CUDA is ready: otherwise CUPTI
  /// writes no record of any, of the driver's neither (H200, CUDA 13.0;
  /// test/gpu/control.sh).
  Each,
  Kind ///< All functions, except for Noise and OtherDriver.
};

/// Looked up only once, because windows open and close on the program's
/// threads. Thread-safe.
const RecordedCalls &recordedCalls(const CuptiLibrary &Library);

/// Starts or stops recording these calls. `Choice` must be the same throughout
/// the process.
CUptiResult recordCalls(const CuptiLibrary &Library, CallChoice Choice,
                        bool Recording);

} // namespace autoprof::runtime
