// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Electrons in one dimension, driven by an antenna (the particle-in-cell
// method). Before: the antenna's field is copied to constant memory, a watchdog
// polls an event until the step is over, and the energy is read for a log, all
// in each step. After: the field is a parameter of the kernel, and the host
// polls and reads the energies of 100 steps at once.
#include "gains.h"

#include <chrono>
#include <cmath>
#include <string>
#include <thread>

namespace {

constexpr int kElectrons = 1 << 17;
constexpr int kCells = 1024;
constexpr int kInterval = 100;
constexpr float kPeriod = 0.1F; // Of a step, in inverse plasma frequencies.

/// The field of the antenna: a wave.
struct Antenna {
  float amplitude, phase;
};

__constant__ Antenna antenna_of_step;

__global__ void count_electrons(const float *places, int *counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&counts[static_cast<int>(places[i]) % kCells], 1);
}

// One block of a thread per cell: adds up the charge from the left, by Gauss's
// law.
__global__ void find_field(const int *counts, float *field) {
  __shared__ int sums[kCells];
  int i = threadIdx.x;
  sums[i] = counts[i];
  __syncthreads();
  for (int distance = 1; distance < kCells; distance *= 2) {
    int left = i >= distance ? sums[i - distance] : 0;
    __syncthreads();
    sums[i] += left;
    __syncthreads();
  }
  constexpr float kMean = static_cast<float>(kElectrons) / kCells;
  // At the center of the cell; the ions are everywhere and do not move.
  field[i] = i + 0.5F - (sums[i] - 0.5F * counts[i]) / kMean;
}

__device__ void push_by(const float *field, Antenna antenna, float *places,
                        float *speeds, double *energy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float place = places[i];
  float force = field[static_cast<int>(place) % kCells] +
                antenna.amplitude *
                    __sinf(6.28318531F * 4 / kCells * place + antenna.phase);
  float speed = speeds[i] - kPeriod * force;
  place += kPeriod * speed;
  place -= kCells * floorf(place / kCells);
  speeds[i] = speed;
  places[i] = place;
  double sum = block_sum(0.5 * speed * speed);
  if (threadIdx.x == 0)
    atomicAdd(energy, sum);
}

__global__ void push(const float *field, float *places, float *speeds,
                     double *energy) {
  push_by(field, antenna_of_step, places, speeds, energy);
}

__global__ void push_with(const float *field, Antenna antenna, float *places,
                          float *speeds, double *energy) {
  push_by(field, antenna, places, speeds, energy);
}

/// Returns when the GPU has reached `event`; ends the program after a minute.
void watch(cudaEvent_t event) {
  auto start = std::chrono::steady_clock::now();
  while (cudaEventQuery(event) == cudaErrorNotReady) {
    if (std::chrono::steady_clock::now() - start > std::chrono::minutes(1))
      failed("watch", __FILE__, __LINE__, "the step does not end");
    std::this_thread::yield();
  }
}

double write(std::string &log, int step, double energy) {
  char line[64];
  std::snprintf(line, sizeof line, "step %d: energy %.4e\n", step, energy);
  log += line;
  return energy / kElectrons;
}

} // namespace

Outcome plasma_waves(bool before, int steps) {
  std::vector<float> start = uniform_values(kElectrons, 5);
  for (float &place : start)
    place *= kCells;
  DeviceArray<float> places(start), speeds(kElectrons), field(kCells);
  DeviceArray<int> counts(kCells);
  DeviceArray<double> energies(kInterval);
  Event done;
  double read[kInterval], sum = 0.0;
  std::string log;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    int slot = step % kInterval;
    Antenna antenna = {0.5F * std::sin(0.01F * step), 0.12F * step};
    CUDA_CHECK(cudaMemsetAsync(counts, 0, kCells * sizeof(int)));
    CUDA_CHECK(cudaMemsetAsync(energies + slot, 0, sizeof(double)));
    count_electrons<<<kElectrons / 256, 256>>>(places, counts);
    find_field<<<1, kCells>>>(counts, field);
    if (before) {
      CUDA_CHECK(
          cudaMemcpyToSymbol(antenna_of_step, &antenna, sizeof(antenna)));
      push<<<kElectrons / 256, 256>>>(field, places, speeds, energies + slot);
    } else {
      push_with<<<kElectrons / 256, 256>>>(field, antenna, places, speeds,
                                           energies + slot);
    }
    bool last = slot == kInterval - 1 || step == clock.count() - 1;
    if (before || last) {
      CUDA_CHECK(cudaEventRecord(done));
      watch(done);
      int first = before ? slot : 0, count = slot + 1 - first;
      CUDA_CHECK(cudaMemcpy(read, energies + first, count * sizeof(double),
                            cudaMemcpyDeviceToHost));
      for (int i = 0; i < count; ++i)
        sum += write(log, step + 1 - count + i, read[i]);
    }
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, log.empty() ? 0.0 : sum / clock.count()};
}
