// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that copy megabytes between host and device in each step.
#include "grid.h"

#include <vector>

namespace {

constexpr int kSide = 2048;
constexpr int kSweeps = 30;

/// Host memory, pinned or pageable, filled once.
class HostBuffer {
public:
  HostBuffer(int floats, bool pinned) : pageable_(pinned ? 0 : floats, 1.0F) {
    data_ = pageable_.data();
    if (!pinned)
      return;
    CUDA_CHECK(cudaMallocHost(&pinned_, floats * sizeof(float)));
    data_ = pinned_;
    for (int i = 0; i < floats; ++i)
      pinned_[i] = 1.0F;
  }
  HostBuffer(const HostBuffer &) = delete;
  HostBuffer &operator=(const HostBuffer &) = delete;
  ~HostBuffer() {
    if (pinned_)
      CUDA_CHECK(cudaFreeHost(pinned_));
  }

  float *data() const { return data_; }

private:
  std::vector<float> pageable_;
  float *pinned_ = nullptr;
  float *data_ = nullptr;
};

/// Uploads `megabytes` in each step; `async`: without waiting.
double upload(int megabytes, bool pinned, bool async, int steps) {
  const int floats = megabytes << 18;
  const std::size_t bytes = floats * sizeof(float);
  Grid grid(kSide, nullptr);
  HostBuffer source(floats, pinned);
  float *batch = nullptr;
  CUDA_CHECK(cudaMalloc(&batch, bytes));
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    if (async)
      CUDA_CHECK(cudaMemcpyAsync(batch, source.data(), bytes,
                                 cudaMemcpyHostToDevice, nullptr));
    else
      CUDA_CHECK(
          cudaMemcpy(batch, source.data(), bytes, cudaMemcpyHostToDevice));
    grid.add(batch, floats < grid.count() ? floats : grid.count());
    grid.sweep(kSweeps);
  }
  double result = clock.step_ns();
  CUDA_CHECK(cudaFree(batch));
  return result;
}

/// Downloads `megabytes` of the grid in each step.
double download(int megabytes, bool pinned, int steps) {
  const std::size_t bytes = std::size_t(megabytes) << 20;
  Grid grid(kSide, nullptr);
  HostBuffer target(megabytes << 18, pinned);
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    grid.sweep(kSweeps);
    CUDA_CHECK(cudaMemcpy(target.data(), grid.values(), bytes,
                          cudaMemcpyDeviceToHost));
  }
  return clock.step_ns();
}

} // namespace

// Before: cudaMemcpy from a std::vector. After: cudaMemcpyAsync from pinned
// memory.
double upload_1m_async(bool before, int steps) {
  return upload(1, !before, !before, steps);
}

double upload_7m_async(bool before, int steps) {
  return upload(7, !before, !before, steps);
}

double upload_32m_async(bool before, int steps) {
  return upload(32, !before, !before, steps);
}

// Before: the same. After: cudaMemcpy from pinned memory.
double upload_7m_pinned(bool before, int steps) {
  return upload(7, !before, false, steps);
}

double upload_32m_pinned(bool before, int steps) {
  return upload(32, !before, false, steps);
}

// Before: cudaMemcpy into a std::vector. After: into pinned memory.
double download_8m_pinned(bool before, int steps) {
  return download(8, !before, steps);
}
