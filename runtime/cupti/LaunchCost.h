// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch costs this process. Two processes of one program may differ in
// it by a quarter, for as long as they live, and a step that the CPU limits
// differs with it (docs/compare.md, "What makes runs differ").
#ifndef AUTOPROF_RUNTIME_CUPTI_LAUNCHCOST_H
#define AUTOPROF_RUNTIME_CUPTI_LAUNCHCOST_H

#include <cstdint>

namespace autoprof::runtime {

/// CPU time of one call, ns; 0: not known.
struct LaunchCost {
  uint64_t Launch = 0; ///< Sets four bytes of GPU memory: a small operation.
  uint64_t Event = 0;  ///< Records an event.
};

/// Makes a few hundred of these calls in the context of this thread, on a
/// stream of its own, for 4 ms, or longer while others have the CPU; the GPU
/// should be idle. Whatever goes wrong is no concern of the program's: the cost
/// is not known then.
LaunchCost measureLaunchCost();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CUPTI_LAUNCHCOST_H
