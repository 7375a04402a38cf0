// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices an option by simulation. A second stream averages each batch while the
// next one is simulated. Before: the host waits for the average of the previous
// batch. After: averages stay on the GPU and are read for 50 batches. There is
// little to gain, because the GPU is busy with the next batch during the wait.
#include "gains.h"

namespace {

constexpr int kThreads =
    264 * 256;             // A part of the GPU, so that streams overlap.
constexpr int kPaths = 96; // Per thread.
constexpr int kDays = 32;
constexpr int kInterval = 50;

// An Asian option: its payoff depends on the average price.
__global__ void simulate(float *payoffs, unsigned batch) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned counter = scramble(batch * kThreads + thread);
  float payoff = 0.0F;
  for (int path = 0; path < kPaths; ++path) {
    float price = 100.0F, sum = 0.0F;
    for (int day = 0; day < kDays; ++day) {
      float shock = uniform(counter) + uniform(counter + 1) - 1.0F;
      counter += 2;
      price *= 1.0F + 0.0003F + 0.03F * shock;
      sum += price;
    }
    payoff += fmaxf(sum / kDays - 100.0F, 0.0F);
  }
  payoffs[thread] = payoff / kPaths;
}

__global__ void average(const float *payoffs, float *result) {
  float sum = 0.0F;
  for (int i = threadIdx.x; i < kThreads; i += blockDim.x)
    sum += payoffs[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0)
    *result = sum / kThreads;
}

} // namespace

Outcome option_pricing(bool before, int steps) {
  DeviceArray<float> payoffs[2] = {DeviceArray<float>(kThreads),
                                   DeviceArray<float>(kThreads)};
  DeviceArray<float> averages(kInterval);
  PinnedArray<float> read(kInterval);
  Stream simulation, statistics;
  Event simulated[2], averaged[2];
  double sum = 0.0;
  StepClock clock(steps, simulation);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    int now = step % 2, last = 1 - now, slot = step % kInterval;
    CUDA_CHECK(cudaStreamWaitEvent(simulation, averaged[now]));
    simulate<<<kThreads / 256, 256, 0, simulation>>>(payoffs[now], step);
    CUDA_CHECK(cudaEventRecord(simulated[now], simulation));
    CUDA_CHECK(cudaStreamWaitEvent(statistics, simulated[now]));
    average<<<1, 256, 0, statistics>>>(payoffs[now], averages + slot);
    if (before) {
      CUDA_CHECK(cudaMemcpyAsync(read + now, averages + slot, sizeof(float),
                                 cudaMemcpyDeviceToHost, statistics));
      CUDA_CHECK(cudaEventRecord(averaged[now], statistics));
      if (step > 0) {
        CUDA_CHECK(cudaEventSynchronize(averaged[last]));
        sum += read[last];
      }
    } else {
      CUDA_CHECK(cudaEventRecord(averaged[now], statistics));
      if (slot < kInterval - 1 && step < clock.count() - 1)
        continue;
      CUDA_CHECK(cudaMemcpyAsync(read, averages, (slot + 1) * sizeof(float),
                                 cudaMemcpyDeviceToHost, statistics));
      CUDA_CHECK(cudaStreamSynchronize(statistics));
      for (int i = 0; i <= slot; ++i)
        sum += read[i];
    }
  }
  CUDA_CHECK(cudaStreamSynchronize(statistics));
  if (before)
    sum += read[(clock.count() - 1) % 2];
  return {clock.step_ns(), sum / clock.count()};
}
