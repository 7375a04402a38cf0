// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups the rows of a table by a key, batch by batch, and adds up each group.
// Before: each batch has its own thrust::device_vectors for temporary results.
// After: they are created before the loop, and two are cleared in each step.
#include "gains.h"

#include <thrust/device_vector.h>

namespace {

constexpr int kRows = 1 << 20; // Per batch.
constexpr int kBatches = 4;
constexpr int kGroups = 4096;

using Sum = unsigned long long;

// The groups depend on the query, and there is one query per step.
__global__ void assign(const unsigned *keys, unsigned query, int *groups) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  groups[i] = static_cast<int>(scramble(keys[i] + query) % kGroups);
}

__global__ void add(const int *groups, const unsigned *values, Sum *sums,
                    unsigned *counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&sums[groups[i]], static_cast<Sum>(values[i]));
  atomicAdd(&counts[groups[i]], 1U);
}

// Groups with few rows do not count.
__global__ void merge(const Sum *sums, const unsigned *counts, Sum *totals) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (counts[i] > 16)
    totals[i] += sums[i] / counts[i];
}

struct Temporaries {
  thrust::device_vector<int> groups;
  thrust::device_vector<Sum> sums;
  thrust::device_vector<unsigned> counts;

  Temporaries() : groups(kRows), sums(kGroups), counts(kGroups) {}

  void clear() {
    CUDA_CHECK(cudaMemsetAsync(thrust::raw_pointer_cast(sums.data()), 0,
                               kGroups * sizeof(Sum)));
    CUDA_CHECK(cudaMemsetAsync(thrust::raw_pointer_cast(counts.data()), 0,
                               kGroups * sizeof(unsigned)));
  }
};

/// Expects that the sums and the counts are 0.
void group(const unsigned *keys, const unsigned *values, unsigned query,
           Temporaries &temporaries, Sum *totals) {
  int *groups = thrust::raw_pointer_cast(temporaries.groups.data());
  Sum *sums = thrust::raw_pointer_cast(temporaries.sums.data());
  unsigned *counts = thrust::raw_pointer_cast(temporaries.counts.data());
  assign<<<kRows / 256, 256>>>(keys, query, groups);
  add<<<kRows / 256, 256>>>(groups, values, sums, counts);
  merge<<<kGroups / 256, 256>>>(sums, counts, totals);
}

} // namespace

Outcome group_rows(bool before, int steps) {
  std::vector<unsigned> column(kRows * kBatches);
  DeviceArray<unsigned> keys(column.size()), values(column.size());
  for (std::size_t i = 0; i < column.size(); ++i)
    column[i] = scramble(static_cast<unsigned>(i)) % 100000;
  CUDA_CHECK(cudaMemcpy(keys, column.data(), column.size() * sizeof(unsigned),
                        cudaMemcpyHostToDevice));
  for (std::size_t i = 0; i < column.size(); ++i)
    column[i] = scramble(static_cast<unsigned>(i) + 77) % 1000;
  CUDA_CHECK(cudaMemcpy(values, column.data(), column.size() * sizeof(unsigned),
                        cudaMemcpyHostToDevice));
  DeviceArray<Sum> totals(kGroups);
  Temporaries reused;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    int offset = step % kBatches * kRows;
    if (before) {
      Temporaries temporaries;
      group(keys + offset, values + offset, step, temporaries, totals);
    } else {
      reused.clear();
      group(keys + offset, values + offset, step, reused, totals);
    }
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<Sum> results(kGroups);
  CUDA_CHECK(cudaMemcpy(results.data(), totals, kGroups * sizeof(Sum),
                        cudaMemcpyDeviceToHost));
  for (int i = 0; i < kGroups; ++i)
    sum += static_cast<double>(results[i]) * (1 + i % 5);
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum};
}
