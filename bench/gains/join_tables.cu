// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Joins batches of orders with a table of items, of which several can have the
// key of an order, and adds up the prices. Before: the host reads the number of
// pairs, by which it allocates the output, and frees it after the batch. After:
// the output is kept, and replaced only when a batch has more pairs.
#include "gains.h"

namespace {

constexpr int kOrders = 1 << 20; // Per batch.
constexpr int kKeys = 1 << 16;
constexpr int kRegions = 128;

using Sum = unsigned long long;

/// A row of the output.
struct Pair {
  int order, item;
};

/// The items sorted by key; those of a key are between two entries of `first`.
struct Items {
  const int *first;
  const unsigned *prices;
};

__global__ void make_orders(int *keys, unsigned batch) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // Some keys are frequent, and a third have no items.
  float place = uniform(batch * kOrders + i);
  keys[i] = min(static_cast<int>(place * place * kKeys), kKeys - 1);
}

__global__ void count_pairs(const int *keys, Items items, unsigned *count) {
  int key = keys[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned sum =
      block_sum(static_cast<unsigned>(items.first[key + 1] - items.first[key]));
  if (threadIdx.x == 0)
    atomicAdd(count, sum);
}

// Each warp reserves a part of the output.
__global__ void write_pairs(const int *keys, Items items, unsigned *written,
                            Pair *pairs) {
  int order = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int first = items.first[keys[order]], last = items.first[keys[order] + 1];
  unsigned mine = last - first, end = mine;
  for (int distance = 1; distance < 32; distance *= 2) {
    unsigned before = __shfl_up_sync(0xffffffffU, end, distance);
    if (lane >= distance)
      end += before;
  }
  unsigned start = 0;
  if (lane == 31)
    start = atomicAdd(written, end);
  start = __shfl_sync(0xffffffffU, start, 31) + end - mine;
  for (int item = first; item < last; ++item)
    pairs[start + item - first] = {order, item};
}

__global__ void add_prices(const Pair *pairs, unsigned count, Items items,
                           Sum *totals) {
  __shared__ Sum of_block[kRegions];
  if (threadIdx.x < kRegions)
    of_block[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    Pair pair = pairs[i];
    unsigned quantity = 1 + pair.order % 7;
    atomicAdd(&of_block[scramble(pair.order) % kRegions],
              static_cast<Sum>(quantity * items.prices[pair.item]));
  }
  __syncthreads();
  if (threadIdx.x < kRegions)
    atomicAdd(&totals[threadIdx.x], of_block[threadIdx.x]);
}

} // namespace

Outcome join_tables(bool before, int steps) {
  std::vector<int> starts(kKeys + 1, 0);
  for (int key = 0; key < kKeys; ++key)
    starts[key + 1] =
        starts[key] + static_cast<int>(scramble(key) % 3 * scramble(~key) % 7);
  std::vector<unsigned> costs(starts[kKeys]);
  for (std::size_t i = 0; i < costs.size(); ++i)
    costs[i] = 100 + scramble(static_cast<unsigned>(i)) % 900;
  DeviceArray<int> first(starts.size()), keys(kOrders);
  DeviceArray<unsigned> prices(costs), counts(2); // Counted and written.
  CUDA_CHECK(cudaMemcpy(first, starts.data(), starts.size() * sizeof(int),
                        cudaMemcpyHostToDevice));
  DeviceArray<Sum> totals(kRegions);
  Items items = {first, prices};
  Pair *pairs = nullptr;
  unsigned capacity = 0;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    make_orders<<<kOrders / 256, 256>>>(keys, step);
    CUDA_CHECK(cudaMemsetAsync(counts, 0, 2 * sizeof(unsigned)));
    count_pairs<<<kOrders / 256, 256>>>(keys, items, counts);
    unsigned count = 0;
    CUDA_CHECK(
        cudaMemcpy(&count, counts, sizeof(count), cudaMemcpyDeviceToHost));
    if (before) {
      CUDA_CHECK(cudaMalloc(&pairs, count * sizeof(Pair)));
    } else if (count > capacity) {
      capacity = count + count / 4;
      CUDA_CHECK(cudaFree(pairs));
      CUDA_CHECK(cudaMalloc(&pairs, capacity * sizeof(Pair)));
    }
    write_pairs<<<kOrders / 256, 256>>>(keys, items, counts + 1, pairs);
    add_prices<<<1024, 256>>>(pairs, count, items, totals);
    if (before)
      CUDA_CHECK(cudaFree(pairs));
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<Sum> read(kRegions);
  CUDA_CHECK(cudaMemcpy(read.data(), totals, kRegions * sizeof(Sum),
                        cudaMemcpyDeviceToHost));
  for (int region = 0; region < kRegions; ++region)
    sum += static_cast<double>(read[region]) * (1 + region % 5);
  if (!before)
    CUDA_CHECK(cudaFree(pairs));
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
