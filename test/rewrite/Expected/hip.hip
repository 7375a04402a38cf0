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
  AP_SITE(0x579e6d0481b7b053) fill<T><<<1, 64, 0, s>>>(x);
}

int train(float *x, float *host, int steps) {AP_RANGE(0xa64ad4c673153401)
  hipStream_t stream;
  hipEvent_t done;
  CHECK(hipStreamCreate(&stream));
  CHECK(hipEventCreate(&done));
  launchFill(x, stream);
  for (int i = 0; i < steps; ++i) {AP_RANGE(0xd22a4a2658745583)
    AP_SITE(0x6810443cf41982b7) scale<<<1, 64, 0, stream>>>(x, 2);
    {AP_SITE_SCOPE(0x6810433cf4198104) hipLaunchKernelGGL(scale, dim3(1), dim3(64), 0, stream, x, 0.5f);}
    if (i % 2)
      {AP_SITE_SCOPE(0x24fa417a8e755d76) hipLaunchKernelGGL(fill<float>, dim3(1), dim3(64), 0, 0, x);}
    CHECK(hipEventRecord(done, stream));
    {AP_SITE_SCOPE(0x26a934bc3d95f23a) CHECK(hipEventSynchronize(done));}
    {AP_SITE_SCOPE(0x8d12db7c4e467347) CHECK(hipMemcpyAsync(host, x, 64, hipMemcpyDeviceToHost, stream));}
    if ((AP_SITE(0xba84b5d06aab1d0a) hipStreamSynchronize(stream)) != hipSuccess)
      return 2;
  }
  {AP_SITE_SCOPE(0x048828ffd1dba7a3) CHECK(hipMemset(x, 0, 64));}
  return (AP_SITE(0x7ef1abc581ec43ad) hipMemcpy(host, x, 64, hipMemcpyDeviceToHost)) == hipSuccess;
}

int main() {AP_RANGE(0xf8a4bfe79fa43ac9)
  float *x = nullptr, *host = nullptr;
  {AP_SITE_SCOPE(0xcfd1f059fbd04e30) CHECK(hipMalloc(&x, 256));}
  {AP_SITE_SCOPE(0xed64216e36d25672) CHECK(hipHostMalloc(&host, 256));}
  const int result = train(x, host, 3);
  {AP_SITE_SCOPE(0xe1d82ceca61876b4) CHECK(hipHostFree(host));}
  {AP_SITE_SCOPE(0x84ab1d93fbb1adca) CHECK(hipFree(x));}
  return result;
}
AP_TABLE("0x579e6d0481b7b053|launch|19|3|hip.hip|launchFill|fill;0xa64ad4c673153401|function|22|5|hip.hip|train|;0xd22a4a2658745583|loop|28|3|hip.hip|train|;0x6810443cf41982b7|launch|29|5|hip.hip|train|scale;0x6810433cf4198104|launch|30|5|hip.hip|train|scale;0x24fa417a8e755d76|launch|32|7|hip.hip|train|fill;0x26a934bc3d95f23a|sync|34|11|hip.hip|train|hipEventSynchronize;0x8d12db7c4e467347|copy|35|11|hip.hip|train|hipMemcpyAsync;0xba84b5d06aab1d0a|sync|36|9|hip.hip|train|hipStreamSynchronize;0x048828ffd1dba7a3|set|39|9|hip.hip|train|hipMemset;0x7ef1abc581ec43ad|copy|40|10|hip.hip|train|hipMemcpy;0xf8a4bfe79fa43ac9|function|43|5|hip.hip|main|;0xcfd1f059fbd04e30|alloc|45|9|hip.hip|main|hipMalloc;0xed64216e36d25672|alloc|46|9|hip.hip|main|hipHostMalloc;0xe1d82ceca61876b4|free|48|9|hip.hip|main|hipHostFree;0x84ab1d93fbb1adca|free|49|9|hip.hip|main|hipFree;")
