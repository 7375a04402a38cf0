// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logistic regression by gradient descent on small batches. Before: the loss
// and the accuracy of each batch are read back. After: they stay on the GPU,
// and those of 100 batches are read at once.
#include "gains.h"

namespace {

constexpr int kSamples = 8192; // Per batch.
constexpr int kBatches = 4;
constexpr int kFeatures = 256;
constexpr int kInterval = 100; // Steps from one line of the log to the next.
constexpr float kRate = 4.0F;

// One warp per sample.
__global__ void forward(const float *batch, const float *labels,
                        const float *weights, float *errors, float *loss,
                        int *correct) {
  int sample = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  float logit = 0.0F;
  for (int i = lane; i < kFeatures; i += 32)
    logit += batch[sample * kFeatures + i] * weights[i];
  for (int distance = 16; distance > 0; distance /= 2)
    logit += __shfl_xor_sync(0xffffffffU, logit, distance);
  float label = labels[sample];
  float probability = 1.0F / (1.0F + __expf(-logit));
  bool first = lane == 0;
  float mine = label > 0.5F ? probability : 1.0F - probability;
  float losses = block_sum(first ? -__logf(fmaxf(mine, 1e-6F)) : 0.0F);
  int hits = block_sum(first && mine > 0.5F ? 1 : 0);
  if (first)
    errors[sample] = probability - label;
  if (threadIdx.x == 0) {
    atomicAdd(loss, losses / kSamples);
    atomicAdd(correct, hits);
  }
}

// One thread per feature and 64 samples.
__global__ void gradient(const float *batch, const float *errors, float *sums) {
  float sum = 0.0F;
  int begin = blockIdx.x * 64;
  for (int sample = begin; sample < begin + 64; ++sample)
    sum += errors[sample] * batch[sample * kFeatures + threadIdx.x];
  atomicAdd(&sums[threadIdx.x], sum);
}

__global__ void update(float *weights, float *sums) {
  weights[threadIdx.x] -= kRate / kSamples * sums[threadIdx.x];
  sums[threadIdx.x] = 0.0F;
}

} // namespace

Outcome training_metrics(bool before, int steps) {
  std::vector<float> samples =
      uniform_values(kBatches * kSamples * kFeatures, 1);
  for (float &sample : samples)
    sample -= 0.5F;
  std::vector<float> targets(kBatches * kSamples);
  for (int i = 0; i < kBatches * kSamples; ++i) {
    const float *sample = &samples[i * kFeatures];
    targets[i] = sample[0] + sample[1] > sample[2] + sample[3] ? 1.0F : 0.0F;
  }
  DeviceArray<float> data(samples), labels(targets), weights(kFeatures),
      sums(kFeatures), errors(kSamples), losses(kInterval);
  DeviceArray<int> correct(kInterval);
  std::vector<float> read_losses(kInterval);
  std::vector<int> read_correct(kInterval);
  double total_loss = 0.0, total_correct = 0.0;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    int slot = step % kInterval, batch = step % kBatches;
    const float *inputs = data + batch * kSamples * kFeatures;
    CUDA_CHECK(cudaMemsetAsync(losses + slot, 0, sizeof(float)));
    CUDA_CHECK(cudaMemsetAsync(correct + slot, 0, sizeof(int)));
    forward<<<kSamples / 8, 256>>>(inputs, labels + batch * kSamples, weights,
                                   errors, losses + slot, correct + slot);
    gradient<<<kSamples / 64, kFeatures>>>(inputs, errors, sums);
    update<<<1, kFeatures>>>(weights, sums);
    if (before) {
      float loss = 0.0F;
      int hits = 0;
      CUDA_CHECK(cudaMemcpy(&loss, losses + slot, sizeof(loss),
                            cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaMemcpy(&hits, correct + slot, sizeof(hits),
                            cudaMemcpyDeviceToHost));
      total_loss += loss;
      total_correct += hits;
    } else if (slot == kInterval - 1 || step == clock.count() - 1) {
      CUDA_CHECK(cudaMemcpy(read_losses.data(), losses,
                            kInterval * sizeof(float), cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaMemcpy(read_correct.data(), correct,
                            kInterval * sizeof(int), cudaMemcpyDeviceToHost));
      for (int i = 0; i <= slot; ++i) {
        total_loss += read_losses[i];
        total_correct += read_correct[i];
      }
    }
  }
  double step_ns = clock.step_ns();
  return {step_ns, (total_loss + total_correct / kSamples) / clock.count()};
}
