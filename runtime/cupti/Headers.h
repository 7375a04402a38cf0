// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUPTI's headers, and what differs between those of CUDA 12.9 and of CUDA 13.
// The library that is loaded may be of another version (Activity.h).
#pragma once

#include <cupti.h>

// CUDA 12.9 has API version 28; from CUDA 13.0 on it is that of CUDA, times
// ten.
#define AUTOPROF_HAS_CUPTI13 (CUPTI_API_VERSION >= 130000)

namespace autoprof::runtime {

/// They agree in the fields that are read.
#if AUTOPROF_HAS_CUPTI13
using KernelRecord = CUpti_ActivityKernel10;
#else
using KernelRecord = CUpti_ActivityKernel9;
#endif

} // namespace autoprof::runtime
