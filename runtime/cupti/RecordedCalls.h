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
  std::vector<uint32_t> Runtime, Driver;
};

/// Looked up once: a window opens and closes on the program's threads.
/// Thread-safe.
const RecordedCalls &recordedCalls(const CuptiLibrary &Library);

/// Has CUPTI record them from now on, or no more.
CUptiResult recordCalls(const CuptiLibrary &Library, bool Recording);

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CUPTI_RECORDEDCALLS_H
