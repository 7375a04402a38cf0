// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waves of a shot in layers of rock, and what receivers at the surface measure.
// Before: a function that checks for errors waits for the GPU after each
// kernel. After: it asks for errors of the launch only.
#include "gains.h"

#include <utility>

namespace {

constexpr int kWidth = 256, kDepth = 192;
constexpr int kLayer = kWidth * kWidth;
constexpr int kCells = kLayer * kDepth;
constexpr int kReceivers = kWidth;
constexpr int kSponge = 16; // Cells at the border in which waves fade.

__device__ float velocity(int z) {
  return z < 60 ? 0.15F : z < 120 ? 0.22F : 0.28F; // Squared.
}

// `next` has the field before `now`, which is overwritten.
__global__ void advance(const float *now, float *next) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kWidth, y = i / kWidth % kWidth, z = i / kLayer;
  if (x == 0 || x == kWidth - 1 || y == 0 || y == kWidth - 1 || z == 0 ||
      z == kDepth - 1)
    return;
  float around = now[i - 1] + now[i + 1] + now[i - kWidth] + now[i + kWidth] +
                 now[i - kLayer] + now[i + kLayer];
  next[i] = 2.0F * now[i] - next[i] + velocity(z) * (around - 6.0F * now[i]);
}

// At two sides; one block per row, one thread per cell of the sponges.
__global__ void absorb(float *now, float *next) {
  int y = blockIdx.x, z = blockIdx.y;
  int from_border = threadIdx.x % kSponge;
  bool far = threadIdx.x >= kSponge;
  float lost = 0.004F * (kSponge - from_border);
  int x = far ? kWidth - 1 - from_border : from_border;
  int i = z * kLayer + y * kWidth + x;
  now[i] *= 1.0F - lost;
  next[i] *= 1.0F - lost;
}

__global__ void shoot(float *field, float force) {
  field[8 * kLayer + kWidth / 2 * kWidth + kWidth / 2] += force;
}

__global__ void receive(const float *field, float *trace) {
  trace[threadIdx.x] = field[4 * kLayer + kWidth / 4 * kWidth + threadIdx.x];
}

void check(bool wait) {
  CUDA_CHECK(cudaGetLastError());
  if (wait)
    CUDA_CHECK(cudaDeviceSynchronize());
}

} // namespace

Outcome seismic_waves(bool before, int steps) {
  StepClock clock(steps, nullptr);
  DeviceArray<float> first(kCells), second(kCells);
  DeviceArray<float> traces(static_cast<std::size_t>(clock.count()) *
                            kReceivers);
  float *now = first, *next = second;
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    advance<<<kCells / 256, 256>>>(now, next);
    check(before);
    float phase = 0.02F * static_cast<float>(step % 200) - 2.0F;
    shoot<<<1, 1>>>(next, 1.0F - phase * phase / 2.0F);
    check(before);
    absorb<<<dim3(kWidth, kDepth), 2 * kSponge>>>(now, next);
    check(before);
    receive<<<1, kReceivers>>>(next, traces + step * kReceivers);
    check(before);
    std::swap(now, next);
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<float> read(static_cast<std::size_t>(clock.count()) * kReceivers);
  CUDA_CHECK(cudaMemcpy(read.data(), traces, read.size() * sizeof(float),
                        cudaMemcpyDeviceToHost));
  for (float value : read)
    sum += static_cast<double>(value) * value;
  return {step_ns, sum / clock.count()};
}
