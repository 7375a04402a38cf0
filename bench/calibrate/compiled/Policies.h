// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thrust's policies, and data for its algorithms. Data is kept: freeing it
// would wait, and at the end of the process the driver is gone.
#ifndef AUTOPROF_CALIBRATE_COMPILED_POLICIES_H
#define AUTOPROF_CALIBRATE_COMPILED_POLICIES_H

#include "Timer.h"

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>

using autoprof::calibrate::Timer;
using Vector = thrust::device_vector<int>;

constexpr size_t N = 65'536;

/// One of two vectors of N zeros.
inline Vector &numbers(unsigned Which = 0) {
  static Vector *Kept[2] = {new Vector(N), new Vector(N)};
  return *Kept[Which];
}

inline cudaStream_t streamOf(const Timer &T) {
  return static_cast<cudaStream_t>(T.Stream);
}

/// Exports NAME_default, NAME_on and NAME_nosync, which call NAME(T, policy).
#define AUTOPROF_POLICIES(NAME)                                                \
  AUTOPROF_CASE(NAME##_default, NAME(T, thrust::device))                       \
  AUTOPROF_CASE(NAME##_on, NAME(T, thrust::cuda::par.on(streamOf(T))))         \
  AUTOPROF_CASE(NAME##_nosync,                                                 \
                NAME(T, thrust::cuda::par_nosync.on(streamOf(T))))

#endif // AUTOPROF_CALIBRATE_COMPILED_POLICIES_H
