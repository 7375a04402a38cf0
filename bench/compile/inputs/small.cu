// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small file: two kernels, a few calls.
#include <cstdio>
#include <vector>

__global__ void scale(float *X, int N, float By) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    X[I] *= By;
}

__global__ void add(float *X, const float *Y, int N) {
  const int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N)
    X[I] += Y[I];
}

int main() {
  const int N = 1 << 20;
  std::vector<float> Host(N, 1.0f);
  float *X, *Y;
  cudaMalloc(&X, N * sizeof(float));
  cudaMalloc(&Y, N * sizeof(float));
  cudaMemcpy(X, Host.data(), N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(Y, Host.data(), N * sizeof(float), cudaMemcpyHostToDevice);
  for (int Step = 0; Step < 100; ++Step) {
    scale<<<N / 256, 256>>>(X, N, 0.5f);
    add<<<N / 256, 256>>>(X, Y, N);
  }
  cudaMemcpy(Host.data(), X, N * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%f\n", Host[0]);
  cudaFree(X);
  cudaFree(Y);
}
