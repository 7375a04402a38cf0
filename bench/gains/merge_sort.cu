// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorts new keys in each step: sorted runs of 512 keys are merged, level by
// level. Before: each level allocates and frees its output. After: one buffer
// is allocated before the loop.
#include "gains.h"

namespace {

constexpr int kKeys = 1 << 18;
constexpr int kRun = 512; // Keys that a block sorts in shared memory.

__global__ void make_keys(unsigned *keys, unsigned step) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  keys[i] = scramble(step * kKeys + i);
}

// Bitonic sort, one thread per two keys.
__global__ void sort_runs(unsigned *keys) {
  __shared__ unsigned run[kRun];
  unsigned *mine = keys + blockIdx.x * kRun;
  for (int i = threadIdx.x; i < kRun; i += blockDim.x)
    run[i] = mine[i];
  for (int size = 2; size <= kRun; size *= 2)
    for (int distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      int low = 2 * threadIdx.x - threadIdx.x % distance;
      int high = low + distance;
      bool ascending = (low & size) == 0;
      if ((run[low] > run[high]) == ascending) {
        unsigned key = run[low];
        run[low] = run[high];
        run[high] = key;
      }
    }
  __syncthreads();
  for (int i = threadIdx.x; i < kRun; i += blockDim.x)
    mine[i] = run[i];
}

// Each key finds its place in the two merged runs by its rank in the other run.
__global__ void merge(const unsigned *from, unsigned *to, int run) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int pair = i / (2 * run) * (2 * run), own = i - pair;
  bool second = own >= run;
  const unsigned *other = from + pair + (second ? 0 : run);
  unsigned key = from[i];
  int low = 0, high = run;
  while (low < high) {
    int middle = (low + high) / 2;
    bool earlier = second ? other[middle] <= key : other[middle] < key;
    if (earlier)
      low = middle + 1;
    else
      high = middle;
  }
  to[pair + (second ? own - run : own) + low] = key;
}

} // namespace

Outcome merge_sort(bool before, int steps) {
  DeviceArray<unsigned> keys(kKeys), kept(kKeys);
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    make_keys<<<kKeys / 256, 256>>>(keys, step);
    sort_runs<<<kKeys / kRun, kRun / 2>>>(keys);
    for (int run = kRun; run < kKeys; run *= 2) {
      unsigned *merged = kept;
      if (before)
        CUDA_CHECK(cudaMalloc(&merged, kKeys * sizeof(unsigned)));
      merge<<<kKeys / 256, 256>>>(keys, merged, run);
      CUDA_CHECK(cudaMemcpyAsync(keys, merged, kKeys * sizeof(unsigned),
                                 cudaMemcpyDeviceToDevice));
      if (before)
        CUDA_CHECK(cudaFree(merged));
    }
  }
  double step_ns = clock.step_ns();
  std::vector<unsigned> sorted(kKeys);
  CUDA_CHECK(cudaMemcpy(sorted.data(), keys, kKeys * sizeof(unsigned),
                        cudaMemcpyDeviceToHost));
  double sum = 0.0; // Depends on the order.
  for (int i = 0; i < kKeys; ++i) {
    if (i > 0 && sorted[i] < sorted[i - 1])
      failed("merge_sort", __FILE__, __LINE__, "the keys are not sorted");
    sum += static_cast<double>(sorted[i]) * i / kKeys;
  }
  return {step_ns, sum};
}
