// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fluid of many small vortices that move each other. The time step is such
// that the fastest one does not move too far. Before: the host reads the
// greatest speed in each step. After: the kernel that moves the vortices
// computes the time step itself.
#include "gains.h"

#include <cmath>

namespace {

constexpr int kVortices = 8192;
constexpr int kBlock = 64;
constexpr float kFarthest = 0.002F, kLongest = 0.01F;
constexpr float kCore = 1e-4F; // Its size, squared.

// `vortices` have a place and a strength.
__global__ void find_speeds(const float3 *vortices, float2 *speeds,
                            unsigned *greatest) {
  __shared__ float3 tile[kBlock];
  int i = blockIdx.x * kBlock + threadIdx.x;
  float3 mine = vortices[i];
  float2 speed = {};
  for (int first = 0; first < kVortices; first += kBlock) {
    tile[threadIdx.x] = vortices[first + threadIdx.x];
    __syncthreads();
    for (float3 other : tile) {
      float x = mine.x - other.x, y = mine.y - other.y;
      float turn = other.z * __frcp_rn(x * x + y * y + kCore);
      speed.x -= turn * y;
      speed.y += turn * x;
    }
    __syncthreads();
  }
  speeds[i] = speed;
  atomicMax(greatest,
            __float_as_uint(sqrtf(speed.x * speed.x + speed.y * speed.y)));
}

__host__ __device__ float time_step(float greatest) {
  float seconds = kFarthest / greatest;
  return seconds < kLongest ? seconds : kLongest;
}

__device__ void move_by(float3 *vortices, const float2 *speeds, float seconds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  vortices[i].x += seconds * speeds[i].x;
  vortices[i].y += seconds * speeds[i].y;
}

__global__ void move(float3 *vortices, const float2 *speeds, float seconds) {
  move_by(vortices, speeds, seconds);
}

__global__ void move_limited(float3 *vortices, const float2 *speeds,
                             const float *greatest, double *time) {
  float seconds = time_step(*greatest);
  move_by(vortices, speeds, seconds);
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *time += seconds;
}

} // namespace

Outcome vortex_sheet(bool before, int steps) {
  // A flat sheet with a wave.
  std::vector<float3> start(kVortices);
  for (int i = 0; i < kVortices; ++i) {
    float x = static_cast<float>(i) / kVortices;
    start[i] = {x, 0.02F * std::sin(12.5664F * x) + 1e-3F * uniform(i),
                (x - 0.5F) / kVortices};
  }
  DeviceArray<float3> vortices(start);
  DeviceArray<float2> speeds(kVortices);
  DeviceArray<float> greatest(1);
  DeviceArray<double> time_on_gpu(1);
  double time = 0.0;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    CUDA_CHECK(cudaMemsetAsync(greatest, 0, sizeof(float)));
    find_speeds<<<kVortices / kBlock, kBlock>>>(
        vortices, speeds,
        reinterpret_cast<unsigned *>(static_cast<float *>(greatest)));
    if (before) {
      float fastest = 0.0F;
      CUDA_CHECK(cudaMemcpy(&fastest, greatest, sizeof(float),
                            cudaMemcpyDeviceToHost));
      float seconds = time_step(fastest);
      move<<<kVortices / 256, 256>>>(vortices, speeds, seconds);
      time += seconds;
    } else {
      move_limited<<<kVortices / 256, 256>>>(vortices, speeds, greatest,
                                             time_on_gpu);
    }
  }
  double step_ns = clock.step_ns();
  if (!before)
    CUDA_CHECK(
        cudaMemcpy(&time, time_on_gpu, sizeof(time), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, time / clock.count()};
}
