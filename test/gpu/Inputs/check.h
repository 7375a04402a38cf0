// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the CUDA programs of test/gpu share.
#ifndef CHECK_H
#define CHECK_H

#include <cstdio>
#include <cstdlib>

/// Ends the program with status 90 when a call of the runtime or the driver
/// fails.
#define CHECK(call)                                                            \
  do {                                                                         \
    if (auto error = (call)) {                                                 \
      printf("%s: error %d\n", #call, static_cast<int>(error));                \
      exit(90);                                                                \
    }                                                                          \
  } while (0)

/// Keeps the calling thread of the GPU busy for `ns`.
__device__ inline void keepBusy(long long ns) {
  long long start, time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  while (time - start < ns);
}

#endif // CHECK_H
