// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes the samples of a sensor by the lengths of runs that are equal.
// Before: the function that adds up (by CUB) allocates and frees its memory in
// each call, of which a step has two. After: the memory is kept.
#include "gains.h"

#include <cub/device/device_scan.cuh>

namespace {

constexpr int kSamples = 1 << 20;

__global__ void sample(unsigned char *samples, unsigned step) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // A level per 16 samples, sometimes disturbed.
  unsigned counter = step * kSamples + i;
  float level = 8.0F * uniform(step * kSamples + i / 16);
  if (scramble(counter + 77) % 32 == 0)
    level += 1.0F;
  samples[i] = static_cast<unsigned char>(level);
}

__global__ void mark_starts(const unsigned char *samples, int *marks) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  marks[i] = i == 0 || samples[i] != samples[i - 1] ? 1 : 0;
}

// `ends` is the number of marks up to each sample.
__global__ void place_runs(const int *marks, const int *ends, int *starts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (marks[i])
    starts[ends[i] - 1] = i;
}

// How many bytes the code of a run has: one if it is short.
__global__ void find_sizes(const int *starts, const int *ends, int *sizes) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int runs = ends[kSamples - 1];
  int size = 0;
  if (i < runs) {
    int length = (i + 1 < runs ? starts[i + 1] : kSamples) - starts[i];
    size = length < 16 ? 1 : 2;
  }
  sizes[i] = size;
}

__global__ void encode(const unsigned char *samples, const int *starts,
                       const int *ends, const int *places, const int *sizes,
                       unsigned char *code) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int runs = ends[kSamples - 1];
  if (i >= runs)
    return;
  int length = (i + 1 < runs ? starts[i + 1] : kSamples) - starts[i];
  unsigned char *mine = code + places[i] - sizes[i];
  mine[0] = static_cast<unsigned char>(samples[starts[i]] << 4 | (length & 15));
  if (sizes[i] == 2)
    mine[1] = static_cast<unsigned char>(min(length >> 4, 255));
}

__global__ void add_code(const unsigned char *code, const int *places,
                         unsigned long long *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned mine = i < places[kSamples - 1] ? code[i] + 1U : 0U;
  mine = block_sum(mine);
  if (threadIdx.x == 0)
    atomicAdd(sum, static_cast<unsigned long long>(mine));
}

/// Adds up with memory of its own.
class Adder {
public:
  explicit Adder(bool keep) : keep_(keep) {}
  Adder(const Adder &) = delete;
  Adder &operator=(const Adder &) = delete;
  ~Adder() { cudaFree(kept_); }

  void add_up(const int *values, int *sums) {
    std::size_t bytes = 0;
    CUDA_CHECK(
        cub::DeviceScan::InclusiveSum(nullptr, bytes, values, sums, kSamples));
    void *memory = kept_;
    if (!memory)
      CUDA_CHECK(cudaMalloc(&memory, bytes));
    CUDA_CHECK(
        cub::DeviceScan::InclusiveSum(memory, bytes, values, sums, kSamples));
    if (keep_)
      kept_ = memory;
    else
      CUDA_CHECK(cudaFree(memory));
  }

private:
  bool keep_;
  void *kept_ = nullptr;
};

} // namespace

Outcome run_lengths(bool before, int steps) {
  constexpr int kBlocks = kSamples / 256;
  DeviceArray<unsigned char> samples(kSamples), code(2 * kSamples);
  DeviceArray<int> marks(kSamples), ends(kSamples), starts(kSamples);
  DeviceArray<int> sizes(kSamples), places(kSamples);
  DeviceArray<unsigned long long> sum(1);
  Adder adder(!before);
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    sample<<<kBlocks, 256>>>(samples, step);
    mark_starts<<<kBlocks, 256>>>(samples, marks);
    adder.add_up(marks, ends);
    place_runs<<<kBlocks, 256>>>(marks, ends, starts);
    find_sizes<<<kBlocks, 256>>>(starts, ends, sizes);
    adder.add_up(sizes, places);
    encode<<<kBlocks, 256>>>(samples, starts, ends, places, sizes, code);
    add_code<<<kBlocks, 256>>>(code, places, sum);
  }
  double step_ns = clock.step_ns();
  unsigned long long read = 0;
  CUDA_CHECK(cudaMemcpy(&read, sum, sizeof(read), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, static_cast<double>(read) / clock.count()};
}
