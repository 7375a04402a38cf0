// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grid.h"

#include <utility>

namespace {

constexpr int kBlock = 256;

int blocks_for(int count) { return (count + kBlock - 1) / kBlock; }

__global__ void smooth(const float *from, float *to, int side) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= side * side)
    return;
  int x = i % side, y = i / side;
  float left = from[x > 0 ? i - 1 : i];
  float right = from[x + 1 < side ? i + 1 : i];
  float up = from[y > 0 ? i - side : i];
  float down = from[y + 1 < side ? i + side : i];
  to[i] = 0.2F * (from[i] + left + right + up + down);
}

__global__ void add_to(float *values, const float *source, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    values[i] += source[i];
}

__global__ void sum_squared_changes(const float *values, const float *previous,
                                    float *sum, int count) {
  float mine = 0.0F;
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    float change = values[i] - previous[i];
    mine += change * change;
  }
  for (int lane = warpSize / 2; lane > 0; lane /= 2)
    mine += __shfl_down_sync(0xffffffffU, mine, lane);
  if (threadIdx.x % warpSize == 0)
    atomicAdd(sum, mine);
}

__global__ void oscillate(float2 *oscillators, int substeps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 state = oscillators[i];
  for (int step = 0; step < substeps; ++step) {
    state.x += 1e-3F * state.y;
    state.y -= 1e-3F * state.x;
  }
  oscillators[i] = state;
}

} // namespace

Grid::Grid(int side, cudaStream_t stream) : side_(side), stream_(stream) {
  CUDA_CHECK(cudaMalloc(&values_, count() * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&previous_, count() * sizeof(float)));
  CUDA_CHECK(cudaMemsetAsync(values_, 1, count() * sizeof(float), stream_));
}

Grid::~Grid() {
  cudaFree(values_);
  cudaFree(previous_);
}

void Grid::sweep(int times) {
  for (int i = 0; i < times; ++i) {
    smooth<<<blocks_for(count()), kBlock, 0, stream_>>>(values_, previous_,
                                                        side_);
    std::swap(values_, previous_);
  }
}

void Grid::add(const float *source, int count) {
  add_to<<<blocks_for(count), kBlock, 0, stream_>>>(values_, source, count);
}

void Grid::residual(float *sum) {
  CUDA_CHECK(cudaMemsetAsync(sum, 0, sizeof(*sum), stream_));
  sum_squared_changes<<<1024, kBlock, 0, stream_>>>(values_, previous_, sum,
                                                    count());
}

void integrate(float2 *oscillators, int blocks, int substeps,
               cudaStream_t stream) {
  oscillate<<<blocks, kBlock, 0, stream>>>(oscillators, substeps);
}

float2 *make_oscillators(int blocks) {
  float2 *result = nullptr;
  CUDA_CHECK(cudaMalloc(&result, blocks * kBlock * sizeof(float2)));
  CUDA_CHECK(cudaMemset(result, 0, blocks * kBlock * sizeof(float2)));
  return result;
}
