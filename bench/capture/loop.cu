// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of many small kernels, launched one by one or replayed as a graph, for
// run.py: loop eager|captured KERNELS ELEMENTS STEPS.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__global__ void scale(float *X, int N, float F) {
  int I = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (I < N)
    X[I] = X[I] * F + 1;
}
__global__ void begin(float *X) { *X = 0; }

int main(int Argc, char **Argv) {
  if (Argc != 5)
    return 2;
  const bool Captured = !std::strcmp(Argv[1], "captured");
  const int Kernels = std::atoi(Argv[2]), N = std::atoi(Argv[3]),
            Steps = std::atoi(Argv[4]);
  float *X;
  cudaMalloc(&X, size_t(N) * sizeof(float));
  cudaStream_t S;
  cudaStreamCreateWithFlags(&S, cudaStreamNonBlocking);
  auto Launch = [&] {
    begin<<<1, 1, 0, S>>>(X);
    for (int K = 0; K < Kernels; ++K)
      scale<<<(N + 255) / 256, 256, 0, S>>>(X, N, 0.5F);
  };
  cudaGraphExec_t Exec = nullptr;
  if (Captured) {
    cudaGraph_t Graph;
    cudaStreamBeginCapture(S, cudaStreamCaptureModeGlobal);
    Launch();
    cudaStreamEndCapture(S, &Graph);
    cudaGraphInstantiate(&Exec, Graph, 0);
  }
  auto Step = [&] {
    if (Captured)
      cudaGraphLaunch(Exec, S);
    else
      Launch();
  };
  for (int I = 0; I < 10; ++I)
    Step();
  std::vector<double> Times;
  for (int Part = 0; Part < 4; ++Part) {
    cudaStreamSynchronize(S);
    auto Begin = std::chrono::steady_clock::now();
    for (int I = 0; I < Steps / 4; ++I)
      Step();
    cudaStreamSynchronize(S);
    std::chrono::duration<double, std::micro> Took =
        std::chrono::steady_clock::now() - Begin;
    Times.push_back(Took.count() / (Steps / 4));
  }
  std::sort(Times.begin(), Times.end());
  std::printf("step %.2f us\n", (Times[1] + Times[2]) / 2);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
