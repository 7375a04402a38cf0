// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop of train.cu with the loss printed one step later: the CPU waits for
// a copy that was queued a whole step ago.
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
  const int n = 1 << 20, steps = 500;
  float *x, *loss, *host; // host: two slots, used in turn
  cudaEvent_t copied[2];
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&loss, sizeof(float));
  cudaMallocHost(&host, 2 * sizeof(float));
  cudaEventCreateWithFlags(&copied[0], cudaEventDisableTiming);
  cudaEventCreateWithFlags(&copied[1], cudaEventDisableTiming);
  cudaMemset(x, 0, n * sizeof(float));
  for (int step = 0; step <= steps; ++step) {
    if (step < steps) {
      for (int layer = 0; layer < 20; ++layer)
        update<<<n / 256, 256>>>(x, n);
      measure<<<1, 1>>>(x, loss);
      cudaMemcpyAsync(&host[step % 2], loss, sizeof(float),
                      cudaMemcpyDeviceToHost);
      cudaEventRecord(copied[step % 2]);
    }
    if (step > 0) {
      const int last = (step - 1) % 2;
      cudaEventSynchronize(copied[last]);
      printf("step %d: loss %g\n", step - 1, host[last]);
    }
  }
  cudaFreeHost(host);
  cudaFree(loss);
  cudaFree(x);
}
