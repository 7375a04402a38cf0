// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws contour lines of a field that changes. Before: the lines of a frame are
// copied to pinned memory of their length, which the frame allocates and frees.
// After: the memory is allocated once, for the most lines.
#include "gains.h"

#include <algorithm>

namespace {

constexpr int kWidth = 1536, kHeight = 1024;
constexpr int kCells = kWidth * kHeight;
constexpr int kMost = kCells / 4;

__global__ void compute(float *field, float time) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = static_cast<float>(i % kWidth), y = static_cast<float>(i / kWidth);
  field[i] = sinf(0.021F * x + time) + cosf(0.017F * y - 0.7F * time) +
             0.5F * sinf(0.011F * (x + y) + 1.3F * time);
}

// Lists the cells through which one of the levels passes.
__global__ void find_lines(const float *field, int2 *lines, int *length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kWidth, y = i / kWidth;
  if (x + 1 == kWidth || y + 1 == kHeight)
    return;
  float a = field[i], b = field[i + 1];
  float c = field[i + kWidth], d = field[i + kWidth + 1];
  float low = fminf(fminf(a, b), fminf(c, d));
  float high = fmaxf(fmaxf(a, b), fmaxf(c, d));
  int level = static_cast<int>(floorf(2 * high));
  if (level < 2 * low)
    return;
  int place = atomicAdd(length, 1);
  if (place < kMost)
    lines[place] = {i, level};
}

/// Adds up the cells of each level. Their order may differ from run to run.
double draw(const int2 *lines, int length) {
  long long sum = 0;
  for (int i = 0; i < length; ++i)
    sum += (lines[i].x % kWidth + lines[i].x / kWidth) * (lines[i].y + 16);
  return static_cast<double>(sum);
}

void fetch(int2 *to, const int2 *lines, int length) {
  CUDA_CHECK(cudaMemcpyAsync(to, lines, length * sizeof(int2),
                             cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaStreamSynchronize(nullptr));
}

} // namespace

Outcome contour_lines(bool before, int steps) {
  DeviceArray<float> field(kCells);
  DeviceArray<int2> lines(kMost);
  DeviceArray<int> length(1);
  PinnedArray<int2> most(kMost);
  double sum = 0.0;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    CUDA_CHECK(cudaMemsetAsync(length, 0, sizeof(int)));
    compute<<<kCells / 256, 256>>>(field, 0.01F * static_cast<float>(step));
    find_lines<<<kCells / 256, 256>>>(field, lines, length);
    int count = 0;
    CUDA_CHECK(
        cudaMemcpy(&count, length, sizeof(count), cudaMemcpyDeviceToHost));
    count = std::min(count, kMost);
    if (before) {
      int2 *fitting = nullptr;
      CUDA_CHECK(cudaMallocHost(&fitting, (count + 1) * sizeof(int2)));
      fetch(fitting, lines, count);
      sum += draw(fitting, count);
      CUDA_CHECK(cudaFreeHost(fitting));
    } else {
      fetch(most, lines, count);
      sum += draw(most, count);
    }
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}
