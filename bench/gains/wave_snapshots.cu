// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Acoustic waves on a staggered grid. Every ninth step is a frame of an
// animation. Before: its three fields are copied to pageable memory. After:
// they are copied to pinned memory without waiting, and drawn nine steps later.
#include "gains.h"

namespace {

constexpr int kSide = 1024;
constexpr int kCells = kSide * kSide;
constexpr int kInterval = 9;
constexpr float kCourant = 0.5F;

__global__ void update_velocity(const float *pressure, float *vx, float *vy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kSide, y = i / kSide;
  if (x + 1 < kSide)
    vx[i] -= kCourant * (pressure[i + 1] - pressure[i]);
  if (y + 1 < kSide)
    vy[i] -= kCourant * (pressure[i + kSide] - pressure[i]);
}

__global__ void update_pressure(float *pressure, const float *vx,
                                const float *vy, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kSide, y = i / kSide;
  float outflow = vx[i] - (x > 0 ? vx[i - 1] : 0.0F) + vy[i] -
                  (y > 0 ? vy[i - kSide] : 0.0F);
  float source = i == kCells / 2 + kSide / 3 ? __sinf(0.1F * step) : 0.0F;
  pressure[i] += source - kCourant * outflow;
}

// Absorbs waves near the walls.
__global__ void damp(float *pressure, float *vx, float *vy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kSide, y = i / kSide;
  int distance = min(min(x, kSide - 1 - x), min(y, kSide - 1 - y));
  if (distance >= 32)
    return;
  float factor = 1.0F - 2e-5F * (32 - distance) * (32 - distance);
  pressure[i] *= factor;
  vx[i] *= factor;
  vy[i] *= factor;
}

/// The three fields in pinned memory.
struct Frame {
  PinnedArray<float> pressure{kCells}, vx{kCells}, vy{kCells};
  Event arrived;
};

/// Draws a thumbnail; returns the sum of its pixels.
double draw(const float *pressure, const float *vx, const float *vy) {
  double sum = 0.0;
  for (int y = 0; y < kSide; y += 16)
    for (int x = 0; x < kSide; x += 16) {
      int i = y * kSide + x;
      sum += pressure[i] * pressure[i] + vx[i] * vx[i] + vy[i] * vy[i];
    }
  return sum;
}

double draw(const Frame &frame) {
  CUDA_CHECK(cudaEventSynchronize(frame.arrived));
  return draw(frame.pressure, frame.vx, frame.vy);
}

} // namespace

Outcome wave_snapshots(bool before, int steps) {
  constexpr std::size_t kBytes = kCells * sizeof(float);
  DeviceArray<float> pressure(kCells), vx(kCells), vy(kCells);
  std::vector<float> read_pressure(kCells), read_vx(kCells), read_vy(kCells);
  Frame frames[2];
  int frame_count = 0;
  double sum = 0.0;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    update_velocity<<<kCells / 256, 256>>>(pressure, vx, vy);
    update_pressure<<<kCells / 256, 256>>>(pressure, vx, vy, step);
    damp<<<kCells / 256, 256>>>(pressure, vx, vy);
    if (step % kInterval != kInterval - 1)
      continue;
    if (before) {
      CUDA_CHECK(cudaMemcpy(read_pressure.data(), pressure, kBytes,
                            cudaMemcpyDeviceToHost));
      CUDA_CHECK(
          cudaMemcpy(read_vx.data(), vx, kBytes, cudaMemcpyDeviceToHost));
      CUDA_CHECK(
          cudaMemcpy(read_vy.data(), vy, kBytes, cudaMemcpyDeviceToHost));
      sum += draw(read_pressure.data(), read_vx.data(), read_vy.data());
    } else {
      Frame &frame = frames[frame_count % 2];
      CUDA_CHECK(cudaMemcpyAsync(frame.pressure, pressure, kBytes,
                                 cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaMemcpyAsync(frame.vx, vx, kBytes, cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaMemcpyAsync(frame.vy, vy, kBytes, cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaEventRecord(frame.arrived));
      if (frame_count > 0)
        sum += draw(frames[(frame_count - 1) % 2]);
    }
    ++frame_count;
  }
  if (!before && frame_count > 0)
    sum += draw(frames[(frame_count - 1) % 2]);
  return {clock.step_ns(), sum};
}
