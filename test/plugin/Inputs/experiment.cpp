// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program sees of postponed copies and removed synchronizations.
#include <cstdio>
#include <cuda_runtime_api.h>
#include <string>

extern std::string calls; // Of CUDA; experiment-cuda.cpp.

static void show(int value) {
  std::printf("%d:%s\n", value, calls.c_str());
  calls.clear();
}

int main() {
  int device[20] = {}, value = 0;
  auto stream = reinterpret_cast<cudaStream_t>(&calls);
  for (int step = 1; step <= 3; ++step) {
    device[0] = step;
    cudaMemcpy(&value, &device[0], sizeof value, cudaMemcpyDeviceToHost);
    show(value);
  }
  // Each source and stream has its own value of the call before.
  for (int step = 1; step <= 2; ++step)
    for (int i = 1; i <= 2; ++i) {
      device[i] = 10 * i + step;
      cudaMemcpyAsync(&value, &device[i], sizeof value, cudaMemcpyDeviceToHost, stream);
      show(value);
    }
  // More sources than can be told apart, and no memory: as it was.
  for (int i = 0; i < 20; ++i) {
    device[i] = i;
    cudaMemcpy(&value, &device[i], sizeof value, cudaMemcpyDeviceToHost);
    if (i == 15 || i == 16)
      show(value);
    calls.clear();
  }
  static char big[2][600];
  cudaMemcpy(big[0], big[1], sizeof big[0], cudaMemcpyDeviceToHost);
  show(0);
  std::printf("%d\n", cudaDeviceSynchronize());
  show(0);
}
