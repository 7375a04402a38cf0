// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Soft disks that repel each other, by a list of near pairs that is rebuilt in
// every tenth step. Before: the host reads the length of the list, by which it
// launches kernels. After: the length stays on the GPU.
#include "gains.h"

#include <cub/device/device_scan.cuh>

namespace {

constexpr int kDisks = 8192;
constexpr int kMostPairs = 32 * kDisks;
constexpr int kInterval = 10;
constexpr int kBlock = 64; // Few disks: more blocks than multiprocessors.
constexpr float kBox = 90.0F;
constexpr float kRange = 1.0F, kSkin = 0.3F;

__device__ float square(float2 a, float2 b) {
  float x = a.x - b.x, y = a.y - b.y;
  return x * x + y * y;
}

__global__ void count_pairs(const float2 *positions, int *counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 mine = positions[i];
  float limit = (kRange + kSkin) * (kRange + kSkin);
  int count = 0;
  for (int j = i + 1; j < kDisks; ++j)
    count += square(mine, positions[j]) < limit;
  counts[i] = count;
  if (i == 0)
    counts[kDisks] = 0; // Its offset is the length of the list.
}

__global__ void list_pairs(const float2 *positions, const int *offsets,
                           int2 *pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 mine = positions[i];
  float limit = (kRange + kSkin) * (kRange + kSkin);
  int next = offsets[i];
  for (int j = i + 1; j < kDisks; ++j)
    if (square(mine, positions[j]) < limit && next < kMostPairs)
      pairs[next++] = {i, j};
}

__global__ void add_forces(const float2 *positions, const int2 *pairs,
                           const int *length, float2 *forces) {
  int stride = gridDim.x * blockDim.x;
  for (int p = blockIdx.x * blockDim.x + threadIdx.x;
       p < min(*length, kMostPairs); p += stride) {
    int i = pairs[p].x, j = pairs[p].y;
    float2 a = positions[i], b = positions[j];
    float distance = sqrtf(square(a, b)) + 1e-6F;
    if (distance >= kRange)
      continue;
    float strength = (kRange - distance) / distance;
    float x = strength * (a.x - b.x), y = strength * (a.y - b.y);
    atomicAdd(&forces[i].x, x);
    atomicAdd(&forces[i].y, y);
    atomicAdd(&forces[j].x, -x);
    atomicAdd(&forces[j].y, -y);
  }
}

__global__ void move(float2 *positions, float2 *forces) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 position = positions[i], force = forces[i];
  position.x = fminf(fmaxf(position.x + 0.02F * force.x, 0.0F), kBox);
  position.y = fminf(fmaxf(position.y + 0.02F * force.y, 0.0F), kBox);
  positions[i] = position;
  forces[i] = {0.0F, 0.0F};
}

} // namespace

Outcome neighbor_list(bool before, int steps) {
  std::vector<float2> disks(kDisks);
  for (int i = 0; i < kDisks; ++i)
    disks[i] = {kBox * uniform(2 * i), kBox * uniform(2 * i + 1)};
  DeviceArray<float2> positions(disks), forces(kDisks);
  DeviceArray<int> counts(kDisks + 1), offsets(kDisks + 1);
  DeviceArray<int2> pairs(kMostPairs);
  std::size_t bytes = 0;
  CUDA_CHECK(
      cub::DeviceScan::ExclusiveSum(nullptr, bytes, static_cast<int *>(counts),
                                    static_cast<int *>(offsets), kDisks + 1));
  DeviceArray<char> scratch(bytes);
  constexpr int kBlocks = kDisks / kBlock;
  int *length_on_gpu = offsets + kDisks;
  int pair_blocks = 4 * 132; // About one thread per pair.
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    if (step % kInterval == 0) {
      count_pairs<<<kBlocks, kBlock>>>(positions, counts);
      CUDA_CHECK(cub::DeviceScan::ExclusiveSum(
          static_cast<void *>(scratch), bytes, static_cast<int *>(counts),
          static_cast<int *>(offsets), kDisks + 1));
      if (before) {
        int length = 0;
        CUDA_CHECK(cudaMemcpy(&length, length_on_gpu, sizeof(length),
                              cudaMemcpyDeviceToHost));
        if (length > kMostPairs)
          failed("neighbor_list", __FILE__, __LINE__, "too many pairs");
        pair_blocks = blocks_for(length + 1, kBlock);
      }
      list_pairs<<<kBlocks, kBlock>>>(positions, offsets, pairs);
    }
    add_forces<<<pair_blocks, kBlock>>>(positions, pairs, length_on_gpu,
                                        forces);
    move<<<kBlocks, kBlock>>>(positions, forces);
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  int length = 0;
  CUDA_CHECK(cudaMemcpy(&length, length_on_gpu, sizeof(length),
                        cudaMemcpyDeviceToHost));
  if (length > kMostPairs)
    failed("neighbor_list", __FILE__, __LINE__, "too many pairs");
  CUDA_CHECK(cudaMemcpy(disks.data(), positions, kDisks * sizeof(float2),
                        cudaMemcpyDeviceToHost));
  for (float2 disk : disks)
    sum += disk.x * disk.x + disk.y * disk.y;
  return {step_ns, sum / kDisks};
}
