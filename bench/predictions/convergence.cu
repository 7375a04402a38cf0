// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that query the GPU in each step: whether they have converged, whether
// there were errors, how long the step took.
#include "grid.h"

#include <vector>

namespace {

constexpr int kSide = 2048;
constexpr int kSweeps = 6;
constexpr float kTolerance = -1.0F; // Never reached: all runs are as long.

/// The residual on the GPU, and two slots in pinned memory for it.
struct Residual {
  float *device = nullptr;
  float *slots = nullptr;
  cudaEvent_t arrived[2] = {};

  Residual() {
    CUDA_CHECK(cudaMalloc(&device, sizeof(float)));
    CUDA_CHECK(cudaMallocHost(&slots, 2 * sizeof(float)));
    for (cudaEvent_t &event : arrived)
      CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  Residual(const Residual &) = delete;
  Residual &operator=(const Residual &) = delete;
  ~Residual() {
    for (cudaEvent_t event : arrived)
      cudaEventDestroy(event);
    cudaFreeHost(slots);
    cudaFree(device);
  }
};

} // namespace

// Before: the loop reads its residual in each step. After: it reads that of the
// previous step, which arrived long ago.
double residual_late(bool before, int steps) {
  Grid grid(kSide, nullptr);
  Residual residual;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    grid.sweep(kSweeps);
    grid.residual(residual.device);
    float value = 0.0F;
    if (before) {
      CUDA_CHECK(cudaMemcpy(&value, residual.device, sizeof(value),
                            cudaMemcpyDeviceToHost));
    } else {
      int now = step % 2, last = 1 - now;
      CUDA_CHECK(cudaMemcpyAsync(&residual.slots[now], residual.device,
                                 sizeof(value), cudaMemcpyDeviceToHost,
                                 nullptr));
      CUDA_CHECK(cudaEventRecord(residual.arrived[now], nullptr));
      CUDA_CHECK(cudaEventSynchronize(residual.arrived[last]));
      value = residual.slots[last];
    }
    if (value < kTolerance)
      break;
  }
  return clock.step_ns();
}

// Before: it reads the residual in each step. After: in every tenth step.
double residual_tenth(bool before, int steps) {
  Grid grid(kSide, nullptr);
  Residual residual;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    grid.sweep(kSweeps);
    grid.residual(residual.device);
    if (!before && step % 10 != 9)
      continue;
    float value = 0.0F;
    CUDA_CHECK(cudaMemcpy(&value, residual.device, sizeof(value),
                          cudaMemcpyDeviceToHost));
    if (value < kTolerance)
      break;
  }
  return clock.step_ns();
}

// Before: a check for errors that was left in. After: without the check.
double device_sync(bool before, int steps) {
  Grid grid(kSide, nullptr);
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    grid.sweep(kSweeps);
    if (before)
      CUDA_CHECK(cudaDeviceSynchronize());
  }
  return clock.step_ns();
}

// Before: each step is timed by two events and waited for. After: the events
// are kept, and read at the end.
double step_timing(bool before, int steps) {
  Grid grid(kSide, nullptr);
  StepClock clock(steps, nullptr);
  std::vector<cudaEvent_t> events(2 * clock.count());
  for (cudaEvent_t &event : events)
    CUDA_CHECK(cudaEventCreate(&event));
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    CUDA_CHECK(cudaEventRecord(events[2 * step], nullptr));
    grid.sweep(kSweeps);
    CUDA_CHECK(cudaEventRecord(events[2 * step + 1], nullptr));
    if (before) {
      float ms = 0.0F;
      CUDA_CHECK(cudaEventSynchronize(events[2 * step + 1]));
      CUDA_CHECK(
          cudaEventElapsedTime(&ms, events[2 * step], events[2 * step + 1]));
    }
  }
  double result = clock.step_ns();
  for (cudaEvent_t event : events)
    cudaEventDestroy(event);
  return result;
}
