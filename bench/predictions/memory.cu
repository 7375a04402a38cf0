// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that allocate, free and upload memory in each step.
#include "grid.h"

#include <cstdint>
#include <vector>

namespace {

constexpr int kSide = 2048;
constexpr int kSweeps = 6;
constexpr int kScratch = 1 << 20; // Floats.

/// As is recommended: the pool of cudaMallocAsync keeps freed memory.
void keep_freed_memory() {
  int device = 0;
  cudaMemPool_t pool = nullptr;
  std::uint64_t all = UINT64_MAX;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  CUDA_CHECK(
      cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
}

void use_scratch(Grid &grid, float *scratch) {
  CUDA_CHECK(cudaMemsetAsync(scratch, 0, kScratch * sizeof(float), nullptr));
  grid.add(scratch, kScratch);
  grid.sweep(kSweeps);
}

} // namespace

// Before: memory of cudaMallocAsync is freed by cudaFree, which waits. After:
// it is freed by cudaFreeAsync.
double free_async(bool before, int steps) {
  keep_freed_memory();
  Grid grid(kSide, nullptr);
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    float *scratch = nullptr;
    CUDA_CHECK(cudaMallocAsync(&scratch, kScratch * sizeof(float), nullptr));
    use_scratch(grid, scratch);
    if (before)
      CUDA_CHECK(cudaFree(scratch));
    else
      CUDA_CHECK(cudaFreeAsync(scratch, nullptr));
  }
  return clock.step_ns();
}

// Before: cudaMalloc and cudaFree in each step. After: one buffer for all.
double scratch_reuse(bool before, int steps) {
  Grid grid(kSide, nullptr);
  float *kept = nullptr;
  CUDA_CHECK(cudaMalloc(&kept, kScratch * sizeof(float)));
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    float *scratch = kept;
    if (before)
      CUDA_CHECK(cudaMalloc(&scratch, kScratch * sizeof(float)));
    use_scratch(grid, scratch);
    if (before)
      CUDA_CHECK(cudaFree(scratch));
  }
  double result = clock.step_ns();
  CUDA_CHECK(cudaFree(kept));
  return result;
}

// Before: each step uploads 1 MB from a std::vector. After: it uploads from
// pinned memory.
double pageable_upload(bool before, int steps) {
  constexpr int kBatch = 1 << 18; // Floats.
  Grid grid(kSide, nullptr);
  std::vector<float> pageable(kBatch, 1.0F);
  float *pinned = nullptr;
  float *batch = nullptr;
  CUDA_CHECK(cudaMallocHost(&pinned, kBatch * sizeof(float)));
  for (int i = 0; i < kBatch; ++i)
    pinned[i] = pageable[i];
  CUDA_CHECK(cudaMalloc(&batch, kBatch * sizeof(float)));
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    if (before)
      CUDA_CHECK(cudaMemcpyAsync(batch, pageable.data(), kBatch * sizeof(float),
                                 cudaMemcpyHostToDevice, nullptr));
    else
      CUDA_CHECK(cudaMemcpyAsync(batch, pinned, kBatch * sizeof(float),
                                 cudaMemcpyHostToDevice, nullptr));
    grid.add(batch, kBatch);
    grid.sweep(kSweeps);
  }
  double result = clock.step_ns();
  CUDA_CHECK(cudaFree(batch));
  CUDA_CHECK(cudaFreeHost(pinned));
  return result;
}
