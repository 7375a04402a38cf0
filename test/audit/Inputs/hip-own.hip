// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What HIP has of its own.
#include <hip/hip_runtime.h>
#include <vector>

__global__ void step(float *x) { *x += 1; }

void copies(float *d, int n, hipStream_t s) {
  std::vector<float> small(16);
  float *pinned;
  hipHostMalloc(&pinned, 64);
  for (int i = 0; i < n; ++i) {
    hipLaunchKernelGGL(step, dim3(1), dim3(1), 0, s, d);
    hipMemcpyAsync(d, small.data(), 64, hipMemcpyHostToDevice, s); // expect: autoprof-copy-async-pageable; advice: hipHostMalloc
    hipLaunchKernelGGL(step, dim3(1), dim3(1), 0, s, d);
    hipMemcpyAsync(d, pinned, 64, hipMemcpyHostToDevice, s);
  }
  hipHostFree(pinned);
}

void frees(int n) {
  for (int i = 0; i < n; ++i) {
    float *d;
    hipMalloc(&d, 64); // expect: autoprof-memory-alloc-in-loop; advice: hipMallocAsync
    step<<<1, 1>>>(d);
    hipFree(d); // expect: autoprof-memory-alloc-in-loop; advice: hipFreeAsync
  }
}
