// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HIP: launches of both kinds, copies, streams, events, and memory.
// REQUIRES: hip
// RUN: %check_rewrite --clang '%clang_hip'
#include <hip/hip_runtime.h>

#define CHECK(call)                                                            \
  do {                                                                         \
    if ((call) != hipSuccess)                                                  \
      return 1;                                                                \
  } while (0)

__global__ void scale(float *x, float by) {
  x[blockIdx.x * blockDim.x + threadIdx.x] *= by;
}
template <class T> __global__ void fill(T *x) { x[threadIdx.x] = T(1); }

template <class T> void launchFill(T *x, hipStream_t s) {
  fill<T><<<1, 64, 0, s>>>(x);
}

int train(float *x, float *host, int steps) {
  hipStream_t stream;
  hipEvent_t done;
  CHECK(hipStreamCreate(&stream));
  CHECK(hipEventCreate(&done));
  launchFill(x, stream);
  for (int i = 0; i < steps; ++i) {
    scale<<<1, 64, 0, stream>>>(x, 2);
    hipLaunchKernelGGL(scale, dim3(1), dim3(64), 0, stream, x, 0.5f);
    if (i % 2)
      hipLaunchKernelGGL(fill<float>, dim3(1), dim3(64), 0, 0, x);
    CHECK(hipEventRecord(done, stream));
    CHECK(hipEventSynchronize(done));
    CHECK(hipMemcpyAsync(host, x, 64, hipMemcpyDeviceToHost, stream));
    if (hipStreamSynchronize(stream) != hipSuccess)
      return 2;
  }
  CHECK(hipMemset(x, 0, 64));
  return hipMemcpy(host, x, 64, hipMemcpyDeviceToHost) == hipSuccess;
}

int main() {
  float *x = nullptr, *host = nullptr;
  CHECK(hipMalloc(&x, 256));
  CHECK(hipHostMalloc(&host, 256));
  const int result = train(x, host, 3);
  CHECK(hipHostFree(host));
  CHECK(hipFree(x));
  return result;
}
