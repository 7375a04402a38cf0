// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code that launches kernels and calls CUDA's device runtime is left as
// it is; the host's launches of the same kernels are not.
// RUN: %check_rewrite --strict --clang-flag=-fgpu-rdc --nvcc-flag=-rdc=true --std=c++17
#include <cstdio>

__global__ void child(int *d) { d[0] = 1; }
__device__ void from_function(int *d) {
  child<<<1, 1>>>(d);
  cudaGetLastError();
}
__global__ void parent(int *d) {
  for (int i = 0; i < 2; ++i)
    child<<<1, 1>>>(d);
  from_function(d);
}

int main() {
  parent<<<1, 1>>>(nullptr);
  child<<<1, 1>>>(nullptr);
  std::printf("%d\n", cudaDeviceSynchronize() == cudaSuccess);
}
