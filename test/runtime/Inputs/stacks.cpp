// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that nobody instrumented: a launch, and a copy that waits for it,
// in a loop. Its line numbers are in stacks.test.
#include <cuda.h>
#include <cuda_runtime_api.h>

__attribute__((noinline)) static void launch() {
  cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
}

__attribute__((noinline)) static float readLoss() {
  float loss = 0;
  cudaMemcpy(&loss, nullptr, 4, cudaMemcpyDeviceToHost);
  asm volatile("" ::: "memory");
  return loss;
}

int main() {
  cuInit(0);
  for (int i = 0; i < 10; ++i) {
    launch();
    readLoss();
  }
  return 5;
}
