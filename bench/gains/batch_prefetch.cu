// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small network whose batches the host augments, which takes longer than the
// GPU needs. Before: the host waits for the upload of the previous batch, which
// was over long ago. After: it waits only before it writes to that buffer
// again. There is nothing to gain.
#include "gains.h"

#include <utility>

namespace {

constexpr int kBatch = 1024;
constexpr int kInputs = 256;
constexpr int kValues = kBatch * kInputs;
constexpr int kLayers = 2;

// One block per sample, one thread per output.
__global__ void layer(const float *inputs, const float *weights,
                      float *outputs) {
  __shared__ float sample[kInputs];
  sample[threadIdx.x] = inputs[blockIdx.x * kInputs + threadIdx.x];
  __syncthreads();
  float sum = 0.0F;
  for (int i = 0; i < kInputs; ++i)
    sum += sample[i] * weights[i * kInputs + threadIdx.x];
  outputs[blockIdx.x * kInputs + threadIdx.x] =
      fmaxf(0.0F, sum * (2.0F / kInputs));
}

__global__ void accumulate(const float *outputs, float *sums) {
  sums[threadIdx.x] += outputs[threadIdx.x];
}

/// Varies brightness and contrast, and adds noise.
void augment(const std::vector<float> &images, int step, float *batch) {
  float contrast = 0.8F + 0.4F * uniform(2 * step);
  float brightness = 0.1F * uniform(2 * step + 1);
  for (int i = 0; i < kValues; ++i) {
    float noise = 0.05F * uniform(step * 977 + i);
    float value = contrast * images[i] + brightness + noise;
    batch[i] = value > 1.0F ? 1.0F : value;
  }
}

} // namespace

Outcome batch_prefetch(bool before, int steps) {
  std::vector<float> images = uniform_values(kValues, 1);
  DeviceArray<float> weights(uniform_values(kInputs * kInputs, 2));
  DeviceArray<float> batches[2] = {DeviceArray<float>(kValues),
                                   DeviceArray<float>(kValues)};
  DeviceArray<float> first(kValues), second(kValues), sums(kInputs);
  PinnedArray<float> staging[2] = {PinnedArray<float>(kValues),
                                   PinnedArray<float>(kValues)};
  Stream copies, compute;
  Event uploaded[2], used[2];
  StepClock clock(steps, compute);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    int slot = step % 2;
    if (!before)
      CUDA_CHECK(cudaEventSynchronize(uploaded[slot])); // Two steps ago.
    augment(images, step, staging[slot]);
    if (before)
      CUDA_CHECK(cudaStreamSynchronize(copies));
    CUDA_CHECK(cudaStreamWaitEvent(copies, used[slot]));
    CUDA_CHECK(cudaMemcpyAsync(batches[slot], staging[slot],
                               kValues * sizeof(float), cudaMemcpyHostToDevice,
                               copies));
    CUDA_CHECK(cudaEventRecord(uploaded[slot], copies));
    CUDA_CHECK(cudaStreamWaitEvent(compute, uploaded[slot]));
    layer<<<kBatch, kInputs, 0, compute>>>(batches[slot], weights, first);
    CUDA_CHECK(cudaEventRecord(used[slot], compute));
    float *from = first, *to = second;
    for (int i = 1; i < kLayers; ++i) {
      layer<<<kBatch, kInputs, 0, compute>>>(from, weights, to);
      std::swap(from, to);
    }
    accumulate<<<1, kInputs, 0, compute>>>(from, sums);
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<float> results(kInputs);
  CUDA_CHECK(cudaMemcpy(results.data(), sums, kInputs * sizeof(float),
                        cudaMemcpyDeviceToHost));
  for (float result : results)
    sum += result;
  return {step_ns, sum / clock.count()};
}
