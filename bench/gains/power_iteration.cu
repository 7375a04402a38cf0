// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks the nodes of a graph (PageRank). Two events time each step for a log.
// Before: the host waits for the second. After: the events of a step are read
// ten steps later.
#include "gains.h"

#include <string>

namespace {

constexpr int kNodes = 1 << 17;
constexpr int kLinks = 16; // To each node.
constexpr int kLate = 10;
constexpr int kRing = 16; // Pairs of events.

__global__ void share(const float *ranks, const int *outgoing, float *shares) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  shares[i] = ranks[i] / max(outgoing[i], 1);
}

__global__ void collect(const float *shares, const int *sources, float *ranks) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0F;
  for (int link = 0; link < kLinks; ++link)
    sum += shares[sources[link * kNodes + i]];
  ranks[i] = 0.15F / kNodes + 0.85F * sum;
}

struct Timer {
  cudaEvent_t begin = nullptr, end = nullptr;

  Timer() {
    CUDA_CHECK(cudaEventCreate(&begin));
    CUDA_CHECK(cudaEventCreate(&end));
  }
  Timer(const Timer &) = delete;
  Timer &operator=(const Timer &) = delete;
  ~Timer() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }
};

void write(std::string &log, const Timer &timer, int step) {
  float ms = 0.0F;
  CUDA_CHECK(cudaEventSynchronize(timer.end));
  CUDA_CHECK(cudaEventElapsedTime(&ms, timer.begin, timer.end));
  char line[64];
  std::snprintf(line, sizeof line, "step %d: %.4f ms\n", step, ms);
  log += line;
}

} // namespace

Outcome power_iteration(bool before, int steps) {
  std::vector<int> from(kNodes * kLinks), degrees(kNodes);
  for (int i = 0; i < kNodes * kLinks; ++i) {
    float place = uniform(i);
    from[i] = static_cast<int>(place * place * kNodes); // Some link to many.
    ++degrees[from[i]];
  }
  DeviceArray<int> sources(kNodes * kLinks), outgoing(kNodes);
  CUDA_CHECK(cudaMemcpy(sources, from.data(), from.size() * sizeof(int),
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(outgoing, degrees.data(), degrees.size() * sizeof(int),
                        cudaMemcpyHostToDevice));
  DeviceArray<float> ranks(std::vector<float>(kNodes, 1.0F / kNodes));
  DeviceArray<float> shares(kNodes);
  Timer timers[kRing];
  std::string log;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    const Timer &timer = timers[step % kRing];
    CUDA_CHECK(cudaEventRecord(timer.begin));
    share<<<kNodes / 256, 256>>>(ranks, outgoing, shares);
    collect<<<kNodes / 256, 256>>>(shares, sources, ranks);
    CUDA_CHECK(cudaEventRecord(timer.end));
    if (before)
      write(log, timer, step);
    else if (step >= kLate)
      write(log, timers[(step - kLate) % kRing], step - kLate);
  }
  for (int step = clock.count() - kLate; !before && step < clock.count();
       ++step)
    write(log, timers[step % kRing], step);
  double step_ns = clock.step_ns(), sum = log.empty() ? 1.0 : 0.0;
  std::vector<float> results(kNodes);
  CUDA_CHECK(cudaMemcpy(results.data(), ranks, kNodes * sizeof(float),
                        cudaMemcpyDeviceToHost));
  for (int i = 0; i < kNodes; ++i)
    sum += static_cast<double>(results[i]) * (i % 100);
  return {step_ns, sum};
}
