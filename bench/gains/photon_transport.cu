// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Light in tissue: photons are scattered until they are absorbed or leave.
// Before: after each event, the host reads how many photons are left, by which
// it launches the next kernel. After: the number stays on the GPU, and a fixed
// number of blocks shares the photons.
#include "gains.h"

#include <utility>

namespace {

constexpr int kPhotons = 1 << 18; // Per step.
constexpr int kEvents = 24;
constexpr int kBlocks = 1024;
constexpr int kDepths = 128, kRadii = 64;
constexpr float kBin = 0.1F, kUnits = 1 << 16;

struct Photon {
  float3 place, way;
  float weight;
  unsigned counter; // For its random numbers.
};

__global__ void emit(Photon *photons, unsigned *count, unsigned step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    *count = kPhotons;
  photons[i] = {
      {0, 0, 0}, {0, 0, 1}, 1.0F, (step * kPhotons + i) * (4 * kEvents)};
}

__device__ void scatter(Photon photon, Photon *left, unsigned *count,
                        unsigned long long *absorbed) {
  unsigned counter = photon.counter;
  float length = -0.5F * __logf(1.0F - uniform(counter));
  photon.place.x += length * photon.way.x;
  photon.place.y += length * photon.way.y;
  photon.place.z += length * photon.way.z;
  if (photon.place.z < 0.0F) // Leaves through the surface.
    return;
  float radius =
      sqrtf(photon.place.x * photon.place.x + photon.place.y * photon.place.y);
  int bin = min(static_cast<int>(photon.place.z / kBin), kDepths - 1) * kRadii +
            min(static_cast<int>(radius / kBin), kRadii - 1);
  float part = 0.1F * photon.weight;
  atomicAdd(&absorbed[bin], static_cast<unsigned long long>(part * kUnits));
  photon.weight -= part;
  if (photon.weight < 0.7F && uniform(counter + 1) < 0.3F)
    return;
  float z = 2.0F * uniform(counter + 2) - 1.0F;
  float across = sqrtf(fmaxf(0.0F, 1.0F - z * z));
  float angle = 6.2831853F * uniform(counter + 3);
  // Mostly forward.
  float3 way = {0.8F * photon.way.x + across * __cosf(angle),
                0.8F * photon.way.y + across * __sinf(angle),
                0.8F * photon.way.z + z};
  float scale = rsqrtf(way.x * way.x + way.y * way.y + way.z * way.z + 1e-12F);
  photon.way = {scale * way.x, scale * way.y, scale * way.z};
  photon.counter = counter + 4;
  left[atomicAdd(count, 1U)] = photon;
}

// Works with any number of threads.
__global__ void scatter_all(const Photon *photons, const unsigned *count,
                            Photon *left, unsigned *left_count,
                            unsigned long long *absorbed) {
  unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < *count;
       i += threads)
    scatter(photons[i], left, left_count, absorbed);
}

} // namespace

Outcome photon_transport(bool before, int steps) {
  DeviceArray<Photon> first(kPhotons), second(kPhotons);
  DeviceArray<unsigned> counts(kEvents + 1);
  DeviceArray<unsigned long long> absorbed(kDepths * kRadii);
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    Photon *photons = first, *left = second;
    unsigned count = kPhotons;
    CUDA_CHECK(cudaMemsetAsync(counts, 0, (kEvents + 1) * sizeof(unsigned)));
    emit<<<kPhotons / 256, 256>>>(photons, counts, step);
    for (int event = 0; event < kEvents && count > 0; ++event) {
      int blocks = before ? blocks_for(static_cast<int>(count), 256) : kBlocks;
      scatter_all<<<blocks, 256>>>(photons, counts + event, left,
                                   counts + event + 1, absorbed);
      if (before)
        CUDA_CHECK(cudaMemcpy(&count, counts + event + 1, sizeof(count),
                              cudaMemcpyDeviceToHost));
      std::swap(photons, left);
    }
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<unsigned long long> read(kDepths * kRadii);
  CUDA_CHECK(cudaMemcpy(read.data(), absorbed,
                        read.size() * sizeof(unsigned long long),
                        cudaMemcpyDeviceToHost));
  for (std::size_t bin = 0; bin < read.size(); ++bin)
    sum += static_cast<double>(read[bin]) * (1 + bin % 5);
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
