// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that call libraries that return a number to the host.
#include "grid.h"

#include <cub/device/device_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

namespace {

constexpr int kSide = 2048;
constexpr int kSweeps = 6;

} // namespace

// Before: thrust::reduce returns the sum of each step. After: CUB leaves it on
// the GPU, in memory that was allocated before.
double thrust_sum(bool before, int steps) {
  Grid grid(kSide, nullptr);
  StepClock clock(steps, nullptr);
  float *sums = nullptr;
  CUDA_CHECK(cudaMalloc(&sums, clock.count() * sizeof(float)));
  std::size_t bytes = 0;
  CUDA_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, grid.values(), sums,
                                    grid.count()));
  void *scratch = nullptr;
  CUDA_CHECK(cudaMalloc(&scratch, bytes));
  float total = 0.0F;
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    grid.sweep(kSweeps);
    const float *values = grid.values();
    if (before)
      total += thrust::reduce(thrust::device, values, values + grid.count());
    else
      CUDA_CHECK(cub::DeviceReduce::Sum(scratch, bytes, values, sums + step,
                                        grid.count()));
  }
  double result = clock.step_ns();
  CUDA_CHECK(cudaFree(scratch));
  CUDA_CHECK(cudaFree(sums));
  if (total != total)
    std::fprintf(stderr, "pairs: the sum is not a number.\n");
  return result;
}

// Before: cuBLAS returns a norm to the host in each step. After: it leaves
// the norms on the GPU.
double blas_norm(bool before, int steps) {
  Grid grid(kSide, nullptr);
  StepClock clock(steps, nullptr);
  cublasHandle_t handle = nullptr;
  CUBLAS_CHECK(cublasCreate(&handle));
  CUBLAS_CHECK(cublasSetPointerMode(
      handle, before ? CUBLAS_POINTER_MODE_HOST : CUBLAS_POINTER_MODE_DEVICE));
  float *norms = nullptr;
  CUDA_CHECK(cudaMalloc(&norms, clock.count() * sizeof(float)));
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    grid.sweep(kSweeps);
    float norm = 0.0F;
    CUBLAS_CHECK(cublasSnrm2(handle, grid.count(), grid.values(), 1,
                             before ? &norm : norms + step));
  }
  double result = clock.step_ns();
  CUDA_CHECK(cudaFree(norms));
  CUBLAS_CHECK(cublasDestroy(handle));
  return result;
}
