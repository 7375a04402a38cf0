// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape of a loaded membrane, by Jacobi iterations until the residual is
// small. Before: the host reads the residual in every fifth iteration. After:
// in every fiftieth. Neither reaches the limit within the time measured.
#include "gains.h"

#include <cmath>
#include <utility>

namespace {

constexpr int kSide = 1536;
constexpr int kCells = kSide * kSide;
constexpr int kOften = 5, kSeldom = 50;
constexpr double kLimit = 1e-6;

// The rim of the membrane is at height 0. Adds up the squares of the residuals
// of `from` if `square` is not null.
__global__ void iterate(const float *from, const float *load, float *to,
                        double *square) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kSide, y = i / kSide;
  float residual = 0.0F;
  if (x > 0 && x < kSide - 1 && y > 0 && y < kSide - 1)
    residual = load[i] + from[i - 1] + from[i + 1] + from[i - kSide] +
               from[i + kSide] - 4 * from[i];
  to[i] = from[i] + 0.24F * residual;
  if (!square)
    return;
  double sum = block_sum(static_cast<double>(residual) * residual);
  if (threadIdx.x == 0)
    atomicAdd(square, sum);
}

} // namespace

Outcome membrane_relax(bool before, int steps) {
  DeviceArray<float> load(uniform_values(kCells, 1));
  DeviceArray<float> first(kCells), second(kCells);
  DeviceArray<double> square(1);
  const int interval = before ? kOften : kSeldom;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    CUDA_CHECK(cudaMemsetAsync(square, 0, sizeof(double)));
    iterate<<<kCells / 256, 256>>>(first, load, second, nullptr);
    iterate<<<kCells / 256, 256>>>(second, load, first, square);
    if (step % interval != interval - 1)
      continue;
    double sum = 0.0;
    CUDA_CHECK(cudaMemcpy(&sum, square, sizeof(sum), cudaMemcpyDeviceToHost));
    if (std::sqrt(sum / kCells) < kLimit)
      failed("membrane_relax", __FILE__, __LINE__, "no iterations left");
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<float> heights(kCells);
  CUDA_CHECK(cudaMemcpy(heights.data(), first, kCells * sizeof(float),
                        cudaMemcpyDeviceToHost));
  for (int i = 0; i < kCells; ++i)
    sum += static_cast<double>(heights[i]) * (1 + i % 7);
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / kCells};
}
