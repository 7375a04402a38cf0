// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aligns two sequences per step (Smith-Waterman), with one launch per diagonal
// of the matrix. Before: the score is read back in each step. After: scores
// stay on the GPU and are read for 100 steps.
#include "gains.h"

namespace {

constexpr int kLength = 150;
constexpr int kSequences = 64;
constexpr int kInterval = 100;
constexpr int kRow = kLength + 1; // Of a diagonal, by the row of its cells.

// Cell (row, column) of the matrix is on diagonal row + column; row 0 and
// column 0 are 0.
__global__ void diagonal(const char *query, const char *target,
                         const int *before_last, const int *last, int *current,
                         int number, int *best) {
  int row = threadIdx.x, column = number - row;
  if (row > kLength || column < 0 || column > kLength)
    return;
  int score = 0;
  if (row > 0 && column > 0) {
    int match = query[row - 1] == target[column - 1] ? 2 : -1;
    score = max(score, before_last[row - 1] + match);
    score = max(score, last[row - 1] - 1);
    score = max(score, last[row] - 1);
    atomicMax(best, score);
  }
  current[row] = score;
}

} // namespace

Outcome sequence_align(bool before, int steps) {
  std::vector<char> letters(kSequences * kLength);
  for (int i = 0; i < kSequences * kLength; ++i)
    letters[i] = "ACGT"[scramble(i) % 4];
  DeviceArray<char> sequences(kSequences * kLength);
  CUDA_CHECK(cudaMemcpy(sequences, letters.data(), letters.size(),
                        cudaMemcpyHostToDevice));
  DeviceArray<int> diagonals(3 * kRow), best(kInterval);
  std::vector<int> read(kInterval);
  double sum = 0.0;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    const char *query = sequences + step % kSequences * kLength;
    const char *target = sequences + step * 7 % kSequences * kLength;
    int slot = step % kInterval;
    CUDA_CHECK(cudaMemsetAsync(best + slot, 0, sizeof(int)));
    for (int number = 0; number <= 2 * kLength; ++number)
      diagonal<<<1, 160>>>(query, target, diagonals + (number + 1) % 3 * kRow,
                           diagonals + (number + 2) % 3 * kRow,
                           diagonals + number % 3 * kRow, number, best + slot);
    if (before) {
      int score = 0;
      CUDA_CHECK(cudaMemcpy(&score, best + slot, sizeof(score),
                            cudaMemcpyDeviceToHost));
      sum += score;
    } else if (slot == kInterval - 1 || step == clock.count() - 1) {
      CUDA_CHECK(cudaMemcpy(read.data(), best, (slot + 1) * sizeof(int),
                            cudaMemcpyDeviceToHost));
      for (int i = 0; i <= slot; ++i)
        sum += read[i];
    }
  }
  return {clock.step_ns(), sum};
}
