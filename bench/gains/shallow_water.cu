// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waves in shallow water. Before: the host reads the greatest speed of a wave,
// from which it computes the time step, and later in the step the energy, for a
// log. After: the time step is computed on the GPU, and the energies of 100
// steps are read at once.
#include "gains.h"

#include <algorithm>
#include <string>
#include <utility>

namespace {

constexpr int kSide = 512; // Waves that leave on one side enter on the other.
constexpr int kCells = kSide * kSide;
constexpr int kInterval = 100;
constexpr float kGravity = 9.81F;
constexpr float kCourant = 0.4F;

__device__ int cell_at(int x, int y) {
  return (y & (kSide - 1)) * kSide + (x & (kSide - 1));
}

// A cell has a height (x), and a momentum (y and z).
__global__ void find_fastest(const float4 *cells, unsigned *fastest) {
  float4 cell = cells[blockIdx.x * blockDim.x + threadIdx.x];
  float speed =
      fmaxf(fabsf(cell.y), fabsf(cell.z)) / cell.x + sqrtf(kGravity * cell.x);
  for (int lane = 16; lane > 0; lane /= 2)
    speed = fmaxf(speed, __shfl_down_sync(0xffffffffU, speed, lane));
  if (threadIdx.x % 32 == 0) // Bits of positive numbers compare like them.
    atomicMax(fastest, __float_as_uint(speed));
}

__device__ float3 flow_x(float4 cell) {
  float u = cell.y / cell.x;
  return {cell.y, cell.y * u + 0.5F * kGravity * cell.x * cell.x, cell.z * u};
}

__device__ float3 flow_y(float4 cell) {
  float v = cell.z / cell.x;
  return {cell.z, cell.y * v, cell.z * v + 0.5F * kGravity * cell.x * cell.x};
}

// The Lax-Friedrichs method. `ratio` is the time step by the width of a cell.
__device__ void advance_by(const float4 *from, float4 *to, float ratio) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kSide, y = i / kSide;
  float4 a = from[cell_at(x - 1, y)], b = from[cell_at(x + 1, y)];
  float4 c = from[cell_at(x, y - 1)], d = from[cell_at(x, y + 1)];
  float3 left = flow_x(a), right = flow_x(b), up = flow_y(c), down = flow_y(d);
  float half = 0.5F * ratio;
  to[i] = {
      0.25F * (a.x + b.x + c.x + d.x) -
          half * (right.x - left.x + down.x - up.x),
      0.25F * (a.y + b.y + c.y + d.y) -
          half * (right.y - left.y + down.y - up.y),
      0.25F * (a.z + b.z + c.z + d.z) -
          half * (right.z - left.z + down.z - up.z),
      0.0F,
  };
}

__global__ void advance(const float4 *from, float4 *to, float ratio) {
  advance_by(from, to, ratio);
}

__global__ void advance_safely(const float4 *from, float4 *to,
                               const unsigned *fastest) {
  advance_by(from, to, kCourant / __uint_as_float(*fastest));
}

__global__ void add_energy(const float4 *cells, double *energy) {
  float4 cell = cells[blockIdx.x * blockDim.x + threadIdx.x];
  float mine = 0.5F * (cell.y * cell.y + cell.z * cell.z) / cell.x +
               0.5F * kGravity * cell.x * cell.x;
  double sum = block_sum(static_cast<double>(mine));
  if (threadIdx.x == 0)
    atomicAdd(energy, sum);
}

double write(std::string &log, int step, double energy) {
  char line[64];
  std::snprintf(line, sizeof line, "step %d: energy %.3f\n", step, energy);
  log += line;
  return energy;
}

} // namespace

Outcome shallow_water(bool before, int steps) {
  std::vector<float4> basin(kCells);
  for (int i = 0; i < kCells; ++i) {
    int x = i % kSide - 200, y = i / kSide - 300;
    basin[i] = {x * x + y * y < 60 * 60 ? 2.0F : 1.0F, 0.0F, 0.0F, 0.0F};
  }
  DeviceArray<float4> now(basin), next(kCells);
  DeviceArray<unsigned> fastest(1);
  DeviceArray<double> energies(kInterval);
  float4 *from = now, *to = next;
  double read[kInterval], sum = 0.0;
  std::string log;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    int slot = step % kInterval;
    CUDA_CHECK(cudaMemsetAsync(fastest, 0, sizeof(unsigned)));
    find_fastest<<<kCells / 256, 256>>>(from, fastest);
    if (before) {
      float speed = 0.0F;
      CUDA_CHECK(
          cudaMemcpy(&speed, fastest, sizeof(speed), cudaMemcpyDeviceToHost));
      advance<<<kCells / 256, 256>>>(from, to, kCourant / speed);
    } else {
      advance_safely<<<kCells / 256, 256>>>(from, to, fastest);
    }
    std::swap(from, to);
    CUDA_CHECK(cudaMemsetAsync(energies + slot, 0, sizeof(double)));
    add_energy<<<kCells / 256, 256>>>(from, energies + slot);
    if (before) {
      CUDA_CHECK(cudaMemcpy(read, energies + slot, sizeof(double),
                            cudaMemcpyDeviceToHost));
      sum += write(log, step, read[0]);
    } else if (slot == kInterval - 1 || step == clock.count() - 1) {
      CUDA_CHECK(cudaMemcpy(read, energies, (slot + 1) * sizeof(double),
                            cudaMemcpyDeviceToHost));
      for (int i = 0; i <= slot; ++i)
        sum += write(log, step - slot + i, read[i]);
    }
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaMemcpy(basin.data(), from, kCells * sizeof(float4),
                        cudaMemcpyDeviceToHost));
  for (int i = 0; i < kCells; ++i)
    sum += basin[i].x * static_cast<float>(1 + i % 7);
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, log.empty() ? 0.0 : sum / clock.count()};
}
