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

int main() {AP_RANGE(0xeba74e5ac3892d3b)
  AP_SITE(0x77233fc2c884d681) parent<<<1, 1>>>(nullptr);
  AP_SITE(0x0784f1468dcf8361) child<<<1, 1>>>(nullptr);
  std::printf("%d\n", (AP_SITE(0x08bb127d9c356d32) cudaDeviceSynchronize()) == cudaSuccess);
}
AP_TABLE("0xeba74e5ac3892d3b|function|18|5|device_launch.cu|main|;0x77233fc2c884d681|launch|19|3|device_launch.cu|main|parent;0x0784f1468dcf8361|launch|20|3|device_launch.cu|main|child;0x08bb127d9c356d32|sync|21|23|device_launch.cu|main|cudaDeviceSynchronize;")
