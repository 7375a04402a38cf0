// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "step_timer.h"

#include <algorithm>

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

static double milliseconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

void spin(int microseconds) {
  const auto end = std::chrono::steady_clock::now() +
                   std::chrono::microseconds(microseconds);
  while (std::chrono::steady_clock::now() < end) {
  }
}

StepTimer::StepTimer(int steps, cudaStream_t stream)
    : stream_(stream), events_(steps + 1) {
  times_.reserve(steps + 1);
  for (cudaEvent_t &event : events_)
    CUDA_CHECK(cudaEventCreate(&event));
}

StepTimer::~StepTimer() {
  for (cudaEvent_t event : events_)
    cudaEventDestroy(event);
}

void StepTimer::start() {
  CUDA_CHECK(cudaStreamSynchronize(stream_));
  mark();
}

void StepTimer::mark() {
  CUDA_CHECK(cudaEventRecord(events_[times_.size()], stream_));
  times_.push_back(Clock::now());
}

void StepTimer::report() {
  CUDA_CHECK(cudaStreamSynchronize(stream_));
  Clock::time_point end = Clock::now();
  std::vector<double> host_ms;
  std::vector<double> gpu_ms;
  for (std::size_t i = 1; i < times_.size(); ++i) {
    float ms = 0.0F;
    CUDA_CHECK(cudaEventElapsedTime(&ms, events_[i - 1], events_[i]));
    gpu_ms.push_back(ms);
    host_ms.push_back(milliseconds(times_[i] - times_[i - 1]));
  }
  std::fprintf(stderr,
               "total %.3f ms, %zu steps\n"
               "median step %.4f ms on the host, %.4f ms on the GPU\n"
               "%.3f ms from the last step queued to the GPU being done\n",
               milliseconds(end - times_.front()), host_ms.size(),
               median(host_ms), median(gpu_ms),
               milliseconds(end - times_.back()));
}
