// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A particle filter that tracks an object along a line. Before: Thrust returns
// the sum of all weights to the host, which passes it to the next kernel.
// After: CUB leaves it on the GPU, with scratch memory from before the loop.
#include "gains.h"

#include <cmath>
#include <cub/device/device_reduce.cuh>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

namespace {

constexpr int kParticles = 1 << 20;
constexpr int kBlocks = kParticles / 256;

__global__ void weigh(float *places, float *weights, float observed,
                      unsigned step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float noise = uniform(step * 2654435761U + i) - 0.5F;
  float place = 0.98F * places[i] + 4.0F * noise;
  float distance = (place - observed) * (1.0F / 3);
  places[i] = place;
  // Some weight for each particle, so that none is lost for good.
  weights[i] = (0.9F * weights[i] + 0.1F) * __expf(-0.5F * distance * distance);
}

__device__ void normalize_by(const float *places, float *weights, float total,
                             double *estimate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float weight = weights[i] * (kParticles / total);
  weights[i] = weight;
  double sum = block_sum(static_cast<double>(weight) * places[i]);
  if (threadIdx.x == 0)
    atomicAdd(estimate, sum / kParticles);
}

__global__ void normalize(const float *places, float *weights, float total,
                          double *estimate) {
  normalize_by(places, weights, total, estimate);
}

__global__ void normalize_summed(const float *places, float *weights,
                                 const float *total, double *estimate) {
  normalize_by(places, weights, *total, estimate);
}

} // namespace

Outcome particle_filter(bool before, int steps) {
  StepClock clock(steps, nullptr);
  std::vector<float> start = uniform_values(kParticles, 1);
  for (float &place : start)
    place = 20.0F * place - 10.0F;
  DeviceArray<float> places(start);
  DeviceArray<float> weights(std::vector<float>(kParticles, 1.0F));
  DeviceArray<float> total(1);
  DeviceArray<double> estimates(clock.count());
  float *first = weights, *sum_on_gpu = total;
  std::size_t bytes = 0;
  CUDA_CHECK(
      cub::DeviceReduce::Sum(nullptr, bytes, first, sum_on_gpu, kParticles));
  DeviceArray<char> scratch(bytes);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    float observed = 8.0F * std::sin(0.02F * static_cast<float>(step));
    weigh<<<kBlocks, 256>>>(places, weights, observed, step);
    if (before) {
      float sum =
          thrust::reduce(thrust::device, first, first + kParticles, 0.0F);
      normalize<<<kBlocks, 256>>>(places, weights, sum, estimates + step);
    } else {
      CUDA_CHECK(cub::DeviceReduce::Sum(static_cast<void *>(scratch), bytes,
                                        first, sum_on_gpu, kParticles));
      normalize_summed<<<kBlocks, 256>>>(places, weights, total,
                                         estimates + step);
    }
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<double> track(clock.count());
  CUDA_CHECK(cudaMemcpy(track.data(), estimates, track.size() * sizeof(double),
                        cudaMemcpyDeviceToHost));
  for (double place : track)
    sum += place * place;
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
