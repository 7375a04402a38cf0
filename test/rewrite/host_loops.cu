// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that do no more than allocate get no range; those that give the GPU
// work or may wait do, directly or through functions, nested or not.
// RUN: %check_rewrite -- -std=c++17
#include <vector>

__global__ void kernel(float *x) { x[threadIdx.x] += 1; }

static float *grown(float *old, int used, int *room) {
  if (used < *room)
    return old;
  float *now = nullptr;
  cudaMalloc(&now, (*room *= 2) * sizeof(float));
  return now;
}

static void release(float *x) {
  if (x)
    cudaFree(x);
}

static void train_step(float *x) {
  kernel<<<1, 32>>>(x);
  kernel<<<1, 32>>>(x);
}

void allocates(int n) {
  float *x = nullptr;
  for (int i = 0; i < n; ++i) // none: it allocates
    if (i % 1000 == 0)
      cudaMalloc(&x, 4 * i);
  for (int i = 0; i < n; ++i) // the second of this function, whose id stays
    cudaMemset(x, 0, 4);
}

void allocates_through_calls(int n) {
  float *x = nullptr;
  int room = 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) // none, nor the outer one
      x = grown(x, i * n + j, &room);
}

void frees(float **x, int n) {
  for (int i = 0; i < n; ++i) // cudaFree waits
    release(x[i]);
  for (int i = 0; i < n; ++i) // cudaFreeAsync does not
    cudaFreeAsync(x[i], 0);
}

void epochs(float *x, int n) {
  for (int epoch = 0; epoch < n; ++epoch) {
    for (int batch = 0; batch < n; ++batch) // the step
      train_step(x);
    for (int i = 0; i < n; ++i) // none: pinned memory is allocated
      cudaMallocHost(&x, 4);
    cudaDeviceSynchronize();
  }
}

void destroys(std::vector<cudaStream_t> &streams) {
  for (cudaStream_t s : streams) {
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
  }
}
