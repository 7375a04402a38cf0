// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heats a plate with a laser. The host controls the laser's power by the
// temperature at its spot, so it waits in each step. Temporary fields come from
// cudaMallocAsync. Before: the pool returns their memory to the system whenever
// the host waits. After: the pool keeps it; the host still waits.
#include "gains.h"

#include <algorithm>
#include <cstdint>

namespace {

constexpr int kSide = 1024;
constexpr int kCells = kSide * kSide;
constexpr int kBlocks = kCells / 256;
constexpr int kSpot = kSide / 2 * kSide + kSide / 2;
constexpr float kWanted = 900.0F; // In degrees.

/// A field that lives during a part of a step.
class Field {
public:
  explicit Field(cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&cells_, kCells * sizeof(float), stream));
  }
  Field(const Field &) = delete;
  Field &operator=(const Field &) = delete;
  ~Field() { CUDA_CHECK(cudaFreeAsync(cells_, stream_)); }

  operator float *() const { return cells_; }

private:
  cudaStream_t stream_;
  float *cells_ = nullptr;
};

// Hot metal conducts less.
__global__ void find_conductivity(const float *heat, float *conductivity) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  conductivity[i] = 0.2F / (1.0F + 0.0005F * heat[i]);
}

// The flow from a cell to the next one on the right, or below.
__global__ void find_flow(const float *heat, const float *conductivity,
                          int distance, float *flow) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool last = distance == 1 ? i % kSide == kSide - 1 : i >= kCells - kSide;
  int next = last ? i : i + distance;
  flow[i] =
      0.5F * (conductivity[i] + conductivity[next]) * (heat[i] - heat[next]);
}

__global__ void add_laser(float power, float *gain) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = static_cast<float>(i % kSide - kSide / 2);
  float y = static_cast<float>(i / kSide - kSide / 2);
  gain[i] = power * __expf(-0.01F * (x * x + y * y));
}

__global__ void advance(const float *right, const float *down,
                        const float *gain, float *heat) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float from_left = i % kSide > 0 ? right[i - 1] : 0.0F;
  float from_above = i >= kSide ? down[i - kSide] : 0.0F;
  float lost = 0.001F * heat[i]; // To the air.
  heat[i] += gain[i] + from_left - right[i] + from_above - down[i] - lost;
}

void step_heat(float *heat, float power, cudaStream_t stream) {
  Field conductivity(stream), right(stream), down(stream), gain(stream);
  find_conductivity<<<kBlocks, 256, 0, stream>>>(heat, conductivity);
  find_flow<<<kBlocks, 256, 0, stream>>>(heat, conductivity, 1, right);
  find_flow<<<kBlocks, 256, 0, stream>>>(heat, conductivity, kSide, down);
  add_laser<<<kBlocks, 256, 0, stream>>>(power, gain);
  advance<<<kBlocks, 256, 0, stream>>>(right, down, gain, heat);
}

void keep_memory() {
  int device = 0;
  cudaMemPool_t pool = nullptr;
  std::uint64_t all = UINT64_MAX;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  CUDA_CHECK(
      cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
}

} // namespace

Outcome laser_heating(bool before, int steps) {
  if (!before)
    keep_memory();
  DeviceArray<float> heat(kCells);
  PinnedArray<float> spot(1);
  Stream stream;
  float power = 0.0F, integral = 0.0F;
  double sum = 0.0;
  StepClock clock(steps, stream);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    step_heat(heat, power, stream);
    CUDA_CHECK(cudaMemcpyAsync(spot, heat + kSpot, sizeof(float),
                               cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    float error = kWanted - spot[0];
    integral = std::min(std::max(integral + 0.0005F * error, 0.0F), 20.0F);
    power = std::min(std::max(0.02F * error + integral, 0.0F), 30.0F);
    sum += power + spot[0] / kWanted;
  }
  CUDA_CHECK(cudaGetLastError());
  return {clock.step_ns(), sum / clock.count()};
}
