// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps that read two results back, one after the other, or read one and then
// synchronize: only the first call waits, and the second would wait in its
// place. After: none of them.
#include "grid.h"

namespace {

constexpr int kBlocks = 64;
constexpr int kSubsteps = 2000; // About 10 us.

enum class Second { copy, synchronization };

double read_results(int kernels, Second second, bool before, int steps) {
  float2 *oscillators = make_oscillators(kBlocks);
  StepClock clock(steps, nullptr);
  float2 results[2];
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    for (int i = 0; i < kernels; ++i)
      integrate(oscillators, kBlocks, kSubsteps, nullptr);
    if (!before)
      continue;
    CUDA_CHECK(cudaMemcpy(&results[0], oscillators, sizeof results[0],
                          cudaMemcpyDeviceToHost));
    if (second == Second::copy)
      CUDA_CHECK(cudaMemcpy(&results[1], oscillators + 1, sizeof results[1],
                            cudaMemcpyDeviceToHost));
    else
      CUDA_CHECK(cudaDeviceSynchronize());
  }
  double result = clock.step_ns();
  CUDA_CHECK(cudaFree(oscillators));
  return result;
}

} // namespace

double two_reads_10(bool before, int steps) {
  return read_results(10, Second::copy, before, steps);
}

double two_reads_50(bool before, int steps) {
  return read_results(50, Second::copy, before, steps);
}

double read_sync_10(bool before, int steps) {
  return read_results(10, Second::synchronization, before, steps);
}

double read_sync_50(bool before, int steps) {
  return read_results(50, Second::synchronization, before, steps);
}
