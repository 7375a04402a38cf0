// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The strongest mode of a network of springs, by a sparse matrix that is
// multiplied with a vector again and again. The host's clock times each
// product for a log. Before: the output is cleared and the host waits for the
// GPU before it reads the clock. After: neither, since the product overwrites
// the output, and its result is read in each step.
#include "gains.h"

#include <chrono>
#include <cmath>
#include <string>

namespace {

constexpr int kRows = 1 << 19;
constexpr int kEntries = 12; // In each row.

__global__ void multiply(const int *columns, const float *springs,
                         const float *vector, float *product) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float mine = vector[row], sum = 0.0F;
  for (int entry = 0; entry < kEntries; ++entry) {
    int place = entry * kRows + row;
    sum += springs[place] * (mine - vector[columns[place]]);
  }
  product[row] = sum;
}

__global__ void add_squares(const float *product, double *square) {
  float mine = product[blockIdx.x * blockDim.x + threadIdx.x];
  double sum = block_sum(static_cast<double>(mine) * mine);
  if (threadIdx.x == 0)
    atomicAdd(square, sum);
}

__global__ void scale(const float *product, float factor, float *vector) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  vector[row] = factor * product[row];
}

using Clock = std::chrono::steady_clock;

void write(std::string &log, int step, Clock::time_point start) {
  std::chrono::duration<double, std::micro> time = Clock::now() - start;
  char line[64];
  std::snprintf(line, sizeof line, "step %d: %.1f us\n", step, time.count());
  log += line;
}

} // namespace

Outcome vibration_mode(bool before, int steps) {
  std::vector<int> neighbors(kRows * kEntries);
  for (int i = 0; i < kRows * kEntries; ++i) {
    int row = i % kRows; // Most springs are short.
    int distance = static_cast<int>(scramble(i) % (i % 5 == 0 ? kRows : 512));
    neighbors[i] = (row + distance) % kRows;
  }
  DeviceArray<int> columns(neighbors.size());
  CUDA_CHECK(cudaMemcpy(columns, neighbors.data(),
                        neighbors.size() * sizeof(int),
                        cudaMemcpyHostToDevice));
  DeviceArray<float> springs(uniform_values(kRows * kEntries, 1));
  DeviceArray<float> vector(uniform_values(kRows, 2)), product(kRows);
  DeviceArray<double> square(1);
  double strengths = 0.0;
  std::string log;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    if (before) {
      CUDA_CHECK(cudaMemset(product, 0, kRows * sizeof(float)));
      CUDA_CHECK(cudaDeviceSynchronize());
    }
    Clock::time_point start = Clock::now();
    multiply<<<kRows / 256, 256>>>(columns, springs, vector, product);
    CUDA_CHECK(cudaMemsetAsync(square, 0, sizeof(double)));
    add_squares<<<kRows / 256, 256>>>(product, square);
    double sum = 0.0;
    CUDA_CHECK(cudaMemcpy(&sum, square, sizeof(sum), cudaMemcpyDeviceToHost));
    write(log, step, start);
    float strength = static_cast<float>(std::sqrt(sum / kRows));
    strengths += strength;
    scale<<<kRows / 256, 256>>>(product, 1.0F / strength, vector);
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, log.empty() ? 0.0 : strengths / clock.count()};
}
