// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tries how a small molecule fits to a protein; a step is a molecule. Before:
// the host reads the best energy of each. After: the energies of 20 molecules
// are read at once. There is nothing to gain, because the kernel takes
// milliseconds.
#include "gains.h"

#include <cstring>

namespace {

constexpr int kPoses = 1 << 16; // Places and directions of a molecule.
constexpr int kBlock = 128;
constexpr int kProtein = 2048, kMolecule = 24; // Atoms.
constexpr int kInterval = 20;
constexpr float kSide = 24.0F; // Of the cube around the protein.

// A number that is less if the energy is.
__device__ unsigned order_of(float energy) {
  unsigned bits = __float_as_uint(energy);
  return bits & 0x80000000U ? ~bits : bits | 0x80000000U;
}

float energy_of(unsigned order) {
  unsigned bits = order & 0x80000000U ? order & 0x7fffffffU : ~order;
  float energy = 0.0F;
  static_assert(sizeof(energy) == sizeof(bits));
  std::memcpy(&energy, &bits, sizeof(energy));
  return energy;
}

// Atoms have a place and a charge.
__global__ void try_poses(const float4 *protein, unsigned step,
                          unsigned *best) {
  __shared__ float4 atoms[kProtein];
  for (int i = threadIdx.x; i < kProtein; i += kBlock)
    atoms[i] = protein[i];
  __syncthreads();
  unsigned pose = blockIdx.x * kBlock + threadIdx.x;
  float3 center = {kSide * uniform(4 * pose), kSide * uniform(4 * pose + 1),
                   kSide * uniform(4 * pose + 2)};
  float sine = 0.0F, cosine = 0.0F;
  sincosf(6.2831853F * uniform(4 * pose + 3), &sine, &cosine);
  float energy = 0.0F;
  for (int i = 0; i < kMolecule; ++i) {
    unsigned counter = 4 * (step * kMolecule + i) + 123456;
    float x = 4.0F * uniform(counter) - 2.0F;
    float y = 4.0F * uniform(counter + 1) - 2.0F;
    float3 place = {center.x + cosine * x - sine * y,
                    center.y + sine * x + cosine * y,
                    center.z + 4.0F * uniform(counter + 2) - 2.0F};
    float charge = uniform(counter + 3) - 0.5F;
    for (float4 atom : atoms) {
      float dx = atom.x - place.x, dy = atom.y - place.y, dz = atom.z - place.z;
      float near = rsqrtf(dx * dx + dy * dy + dz * dz + 0.5F);
      float sixth = near * near * near * near * near * near;
      energy += sixth * sixth - sixth + charge * atom.w * near;
    }
  }
  atomicMin(best, order_of(energy));
}

} // namespace

Outcome drug_docking(bool before, int steps) {
  std::vector<float> values = uniform_values(4 * kProtein, 8);
  std::vector<float4> atoms(kProtein);
  for (int i = 0; i < kProtein; ++i)
    atoms[i] = {kSide * values[4 * i], kSide * values[4 * i + 1],
                kSide * values[4 * i + 2], values[4 * i + 3] - 0.5F};
  DeviceArray<float4> protein(atoms);
  DeviceArray<unsigned> best(kInterval);
  unsigned read[kInterval];
  double sum = 0.0;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    int slot = before ? 0 : step % kInterval;
    CUDA_CHECK(cudaMemsetAsync(best + slot, 0xff, sizeof(unsigned)));
    try_poses<<<kPoses / kBlock, kBlock>>>(protein, step, best + slot);
    if (!before && slot != kInterval - 1 && step != clock.count() - 1)
      continue;
    CUDA_CHECK(cudaMemcpy(read, best, (slot + 1) * sizeof(unsigned),
                          cudaMemcpyDeviceToHost));
    for (int i = 0; i <= slot; ++i)
      sum += energy_of(read[i]);
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
