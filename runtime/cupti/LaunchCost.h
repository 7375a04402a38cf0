// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of a launch in this process. Two processes of one program may differ
// in it by a quarter throughout their lives, and a step that is limited by the
// CPU differs with it (docs/compare.md, "What makes runs differ").
#ifndef AUTOPROF_RUNTIME_CUPTI_LAUNCHCOST_H
#define AUTOPROF_RUNTIME_CUPTI_LAUNCHCOST_H

#include <cstdint>

namespace autoprof::runtime {

/// CPU time of a call that sets four bytes of GPU memory, a small operation,
/// ns; 0: not known. Makes a few hundred of these calls in the context of this
/// thread, on a stream of its own, for 3 ms, or longer while other processes
/// have the CPU; the GPU should be idle. Errors do not affect the program.
uint64_t measureLaunchCost();

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_CUPTI_LAUNCHCOST_H
