// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that prints its loss in each step, the subject of docs/start.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void update(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 0.01f * (1.0f - x[i]);
}

__global__ void measure(const float *x, float *loss) {
  *loss = (1.0f - x[0]) * (1.0f - x[0]);
}

int main() {
  const int n = 1 << 20;
  float *x, *loss;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&loss, sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  for (int step = 0; step < 500; ++step) {
    for (int layer = 0; layer < 20; ++layer)
      update<<<n / 256, 256>>>(x, n);
    measure<<<1, 1>>>(x, loss);
    float value;
    cudaMemcpy(&value, loss, sizeof(float), cudaMemcpyDeviceToHost);
    printf("step %d: loss %g\n", step, value);
  }
  cudaFree(loss);
  cudaFree(x);
}
