// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Ising model of a magnet, in two phases: a loop that brings it to
// equilibrium, and as many steps of a loop that measures. The time is that of
// the second loop. Before: it reads the magnetization and the energy in each
// step. After: they stay on the GPU until the end.
#include "gains.h"

namespace {

constexpr int kSide = 1024;
constexpr int kSpins = kSide * kSide;
constexpr float kInverseTemperature = 0.43F;

__device__ int sum_of_neighbors(const signed char *spins, int x, int y) {
  int left = (x + kSide - 1) % kSide, right = (x + 1) % kSide;
  int up = (y + kSide - 1) % kSide, down = (y + 1) % kSide;
  return spins[y * kSide + left] + spins[y * kSide + right] +
         spins[up * kSide + x] + spins[down * kSide + x];
}

// One thread per spin of a color; those are independent of each other.
__global__ void sweep(signed char *spins, int color, unsigned seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int y = i / (kSide / 2), x = 2 * (i % (kSide / 2)) + (y + color) % 2;
  int spin = spins[y * kSide + x];
  int change = 2 * spin * sum_of_neighbors(spins, x, y);
  float chance = uniform(seed * (kSpins / 2) + i);
  if (chance < __expf(-kInverseTemperature * change))
    spins[y * kSide + x] = static_cast<signed char>(-spin);
}

__global__ void measure(const signed char *spins, int *magnetization,
                        int *energy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kSide, y = i / kSide;
  int total = block_sum<int>(spins[i]);
  int bonds = block_sum<int>(-spins[i] * sum_of_neighbors(spins, x, y));
  if (threadIdx.x == 0) {
    atomicAdd(magnetization, total);
    atomicAdd(energy, bonds / 2);
  }
}

void update(signed char *spins, int step) {
  for (int color = 0; color < 2; ++color)
    sweep<<<kSpins / 512, 256>>>(spins, color, 2 * step + color);
}

} // namespace

Outcome ising_phases(bool before, int steps) {
  StepClock clock(steps, nullptr);
  int count = clock.count();
  std::vector<signed char> cold(kSpins, 1);
  DeviceArray<signed char> spins(kSpins);
  CUDA_CHECK(cudaMemcpy(spins, cold.data(), kSpins, cudaMemcpyHostToDevice));
  DeviceArray<int> magnetizations(count), energies(count);
  std::vector<int> read_magnetizations(count), read_energies(count);
  for (int step = 0; step < count; ++step)
    update(spins, step);
  for (int step = 0; step < count; ++step) {
    clock.begin(step);
    update(spins, count + step);
    measure<<<kSpins / 256, 256>>>(spins, magnetizations + step,
                                   energies + step);
    if (before) {
      CUDA_CHECK(cudaMemcpy(&read_magnetizations[step], magnetizations + step,
                            sizeof(int), cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaMemcpy(&read_energies[step], energies + step, sizeof(int),
                            cudaMemcpyDeviceToHost));
    }
  }
  if (!before) {
    CUDA_CHECK(cudaMemcpy(read_magnetizations.data(), magnetizations,
                          count * sizeof(int), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(read_energies.data(), energies, count * sizeof(int),
                          cudaMemcpyDeviceToHost));
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  for (int i = 0; i < count; ++i)
    sum += read_magnetizations[i] - read_energies[i];
  return {step_ns, sum / count};
}
