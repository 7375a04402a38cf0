// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose names come from lambdas.
#include <cstdio>
template <typename F> __global__ void each(int n, F f) { int i = threadIdx.x; if (i < n) f(i); }
template <typename F> void run(int n, F f) { each<<<1, 32>>>(n, f); cudaDeviceSynchronize(); }
int main() {
  int *p; cudaMalloc(&p, 128);
  run(3, [=] __device__(int i) { p[i] = i; });
  run(3, [=] __host__ __device__(int i) { p[i] = 2 * i; });
  each<<<1, 32>>>(4, [=] __device__(int i) { p[i] = 3 * i; });
  auto l = [&] { each<<<1, 32>>>(4, [=] __device__(int i) { p[i] = 4 * i; }); };
  l();
  cudaFree(p);
}
