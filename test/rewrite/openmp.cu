// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that OpenMP's directives make, and threads of its own.
// RUN: %check_rewrite --clang-flag=-fopenmp --nvcc-flag=-Xcompiler=-fopenmp --std=c++17
__global__ void k(int *d) {}

#define CHECK(call) do { if ((call) != cudaSuccess) failed = true; } while (0)

bool on_threads(int *d, int n) {
  bool failed = false;
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    k<<<1, 1>>>(d + i);
    CHECK(cudaDeviceSynchronize());
  }
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      k<<<1, 1>>>(d + i * n + j);
#pragma omp parallel
  {
    k<<<1, 1>>>(d);
#pragma omp critical
    cudaStreamSynchronize(nullptr);
#pragma omp single
    CHECK(cudaFree(d));
#pragma omp master
    {
      cudaDeviceSynchronize();
    }
  }
#pragma omp parallel sections
  {
#pragma omp section
    k<<<1, 1>>>(d);
#pragma omp section
    cudaDeviceSynchronize();
  }
  if (n)
#pragma omp task
    cudaDeviceSynchronize();
#pragma omp atomic
  n++;
  return failed;
}
