// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stars that attract each other; the host adds up their kinetic energy. Before:
// with one step in flight, it waits for the energy of the step before. After:
// it waits for that of 20 steps ago. There is nothing to gain, because the GPU
// is busy with the next step during the wait.
#include "gains.h"

#include <algorithm>

namespace {

constexpr int kStars = 32768;
constexpr int kBlocks = kStars / 256;
constexpr int kLate = 20;
constexpr int kRing = 32;
constexpr float kTime = 1e-3F;

// The fourth number of a place is the mass.
__global__ void accelerate(const float4 *places, float4 *velocities) {
  __shared__ float4 others[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 mine = places[i];
  float x = 0.0F, y = 0.0F, z = 0.0F;
  for (int first = 0; first < kStars; first += 256) {
    others[threadIdx.x] = places[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; ++k) {
      float4 other = others[k];
      float dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-2F);
      float pull = other.w * inverse * inverse * inverse;
      x += pull * dx;
      y += pull * dy;
      z += pull * dz;
    }
    __syncthreads();
  }
  velocities[i].x += kTime * x;
  velocities[i].y += kTime * y;
  velocities[i].z += kTime * z;
}

__global__ void move(float4 *places, const float4 *velocities, double *energy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 place = places[i], velocity = velocities[i];
  place.x += kTime * velocity.x;
  place.y += kTime * velocity.y;
  place.z += kTime * velocity.z;
  places[i] = place;
  float square = velocity.x * velocity.x + velocity.y * velocity.y +
                 velocity.z * velocity.z;
  double sum = block_sum(0.5 * place.w * square);
  if (threadIdx.x == 0)
    atomicAdd(energy, sum);
}

} // namespace

Outcome nbody_energy(bool before, int steps) {
  std::vector<float4> start(kStars);
  for (int i = 0; i < kStars; ++i)
    start[i] = {2 * uniform(3 * i) - 1, 2 * uniform(3 * i + 1) - 1,
                2 * uniform(3 * i + 2) - 1, 1.0F / kStars};
  DeviceArray<float4> places(start), velocities(kStars);
  DeviceArray<double> energies(kRing);
  PinnedArray<double> read(kRing);
  Event arrived[kRing];
  Stream stream;
  const int late = before ? 1 : kLate;
  double sum = 0.0;
  auto add_energy = [&](int step) {
    CUDA_CHECK(cudaEventSynchronize(arrived[step % kRing]));
    sum += read[step % kRing];
  };
  StepClock clock(steps, stream);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    int slot = step % kRing;
    CUDA_CHECK(cudaMemsetAsync(energies + slot, 0, sizeof(double), stream));
    accelerate<<<kBlocks, 256, 0, stream>>>(places, velocities);
    move<<<kBlocks, 256, 0, stream>>>(places, velocities, energies + slot);
    CUDA_CHECK(cudaMemcpyAsync(read + slot, energies + slot, sizeof(double),
                               cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaEventRecord(arrived[slot], stream));
    if (step >= late)
      add_energy(step - late);
  }
  for (int step = std::max(0, clock.count() - late); step < clock.count();
       ++step)
    add_energy(step);
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
