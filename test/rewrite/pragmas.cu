// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pragma that is about a loop takes no brace next.
// RUN: %check_rewrite --nvcc-flag=-Xcompiler=-fopenmp --std=c++17
#define CHECK(call) do { if ((call) != cudaSuccess) failed = true; } while (0)

bool failed = false;
__global__ void k(int *d) {}

void of_loops(int *d, int n) {
  for (int i = 0; i < n; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      k<<<1, 1>>>(d);
  while (n-- > 0)
#pragma omp parallel for
    // between
    for (int j = 0; j < 4; ++j)
      k<<<1, 1>>>(d);
  for (int i = 0; i < n; ++i)
#pragma GCC ivdep
    for (int j = 0; j < 4; ++j) {
      k<<<1, 1>>>(d);
    }
  for (int i = 0; i < n; ++i)
    _Pragma("unroll") for (int j = 0; j < 4; ++j)
      k<<<1, 1>>>(d);
  for (int i = 0; i < n; ++i) {
#pragma unroll 2
    for (int j = 0; j < 4; ++j)
      k<<<1, 1>>>(d);
  }
}

void of_others(int *d, int n) {
#pragma GCC diagnostic push
  CHECK(cudaFree(d));
#pragma GCC diagnostic pop
#pragma omp critical
  CHECK(cudaFree(d));
  for (int i = 0; i < n; ++i)
#pragma nv_diag_suppress 177
    CHECK(cudaFree(d));
  for (int i = 0; i < n; ++i)
#pragma omp critical
    k<<<1, 1>>>(d);
}
