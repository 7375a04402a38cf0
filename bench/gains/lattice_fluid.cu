// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fluid that a moving lid drives (the lattice Boltzmann method). Every 25th
// step is saved as an image. Before: the program waits, copies the speeds to
// ordinary memory, and makes the image. After: they are copied to pinned
// memory, and the host makes the image while the GPU does the next steps.
#include "gains.h"

#include <cstdint>
#include <utility>

namespace {

constexpr int kSide = 768;
constexpr int kCells = kSide * kSide;
constexpr int kWays = 9; // In which particles move.
constexpr int kInterval = 25;
constexpr int kAhead = 20; // Steps launched before an image is made.

__constant__ int kX[kWays] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int kY[kWays] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int kBack[kWays] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

__device__ float weight_of(int way) {
  return way == 0 ? 4.0F / 9 : way < 5 ? 1.0F / 9 : 1.0F / 36;
}

__global__ void fill(float *particles) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int way = 0; way < kWays; ++way)
    particles[way * kCells + i] = weight_of(way);
}

// Particles come from the neighbors, or bounce back from a wall, and collide.
__global__ void advance(const float *from, float *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kSide, y = i / kSide;
  float arrived[kWays], density = 0.0F, u = 0.0F, v = 0.0F;
  for (int way = 0; way < kWays; ++way) {
    int near_x = x - kX[way], near_y = y - kY[way];
    float value = 0.0F;
    if (near_x >= 0 && near_x < kSide && near_y >= 0 && near_y < kSide) {
      value = from[way * kCells + near_y * kSide + near_x];
    } else {
      value = from[kBack[way] * kCells + i];
      if (near_y < 0) // The lid.
        value += 6.0F * weight_of(way) * 0.05F * kX[way];
    }
    arrived[way] = value;
    density += value;
    u += value * kX[way];
    v += value * kY[way];
  }
  u /= density;
  v /= density;
  float square = 1.5F * (u * u + v * v);
  for (int way = 0; way < kWays; ++way) {
    float along = 3.0F * (u * kX[way] + v * kY[way]);
    float wanted = weight_of(way) * density *
                   (1.0F + along + 0.5F * along * along - square);
    to[way * kCells + i] = arrived[way] + 1.2F * (wanted - arrived[way]);
  }
}

__global__ void find_speeds(const float *particles, float *speeds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float u = 0.0F, v = 0.0F;
  for (int way = 0; way < kWays; ++way) {
    u += particles[way * kCells + i] * kX[way];
    v += particles[way * kCells + i] * kY[way];
  }
  speeds[i] = sqrtf(u * u + v * v);
}

/// Stands for an image file.
struct Image {
  std::vector<std::uint8_t> pixels = std::vector<std::uint8_t>(kCells);
  std::uint64_t sum = 0;

  void draw(const float *speeds) {
    for (int i = 0; i < kCells; ++i) {
      float shade = 5000.0F * speeds[i];
      pixels[i] = static_cast<std::uint8_t>(shade < 255.0F ? shade : 255.0F);
      sum += pixels[i];
    }
  }
};

} // namespace

Outcome lattice_fluid(bool before, int steps) {
  constexpr std::size_t kBytes = kCells * sizeof(float);
  DeviceArray<float> first(kWays * kCells), second(kWays * kCells);
  DeviceArray<float> speeds_on_gpu(kCells);
  float *from = first, *to = second;
  std::vector<float> speeds(kCells);
  PinnedArray<float> pinned(kCells);
  Event copied;
  Image image;
  bool pending = false;
  fill<<<kCells / 256, 256>>>(first);
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    advance<<<kCells / 128, 128>>>(from, to);
    std::swap(from, to);
    if (pending && step % kInterval == kAhead) {
      CUDA_CHECK(cudaEventSynchronize(copied));
      image.draw(pinned);
      pending = false;
    }
    if (step % kInterval != 0)
      continue;
    find_speeds<<<kCells / 256, 256>>>(from, speeds_on_gpu);
    if (before) {
      CUDA_CHECK(cudaDeviceSynchronize());
      CUDA_CHECK(cudaMemcpy(speeds.data(), speeds_on_gpu, kBytes,
                            cudaMemcpyDeviceToHost));
      image.draw(speeds.data());
    } else {
      CUDA_CHECK(cudaMemcpyAsync(pinned, speeds_on_gpu, kBytes,
                                 cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaEventRecord(copied));
      pending = true;
    }
  }
  double step_ns = clock.step_ns();
  if (pending)
    image.draw(pinned);
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, static_cast<double>(image.sum) / clock.count()};
}
