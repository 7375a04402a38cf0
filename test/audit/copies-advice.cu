// Copies are advised the asynchronous form of their own kind, where it helps.
// RUN: %check_rules
#include <cublas_v2.h>
#include <vector>
__global__ void step(float *x) { *x += 1; }
float pitched(float *d, size_t pitch, std::vector<float> &h, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaMemcpy2D(h.data(), 100, d, pitch, 100, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high; advice: cudaMemcpy2DAsync
    sum += h[5];
  }
  return sum;
}
float vectors(float *d, int n) {
  float value = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cublasGetVector(1, 4, d, 1, &value, 1); // expect: autoprof-copy-synchronous high; advice: cublasGetVectorAsync; advice: keep the copy
    sum += value;
  }
  return sum;
}
void withinHost(float *d, std::vector<float> &a, std::vector<float> &b, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaMemcpy(b.data(), a.data(), 4096, cudaMemcpyHostToHost); // expect: autoprof-copy-synchronous; advice: memcpy: both sides; no advice: pinned
  }
}
// The size of a vector is known.
void sizes(float *d, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    std::vector<float> v(16 << 20);
    cudaMemcpyAsync(d, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice, s); // expect: autoprof-copy-async-pageable
    step<<<1, 1, 0, s>>>(d);
  }
}
// Adjacent copies are one finding.
void adjacent(float *d, float *a, float *b, float *c, int n) {
  for (int i = 0; i < n; ++i) {
    cudaMemcpy(d, a, 64, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous high
    cudaMemcpy(d + 16, b, 64, cudaMemcpyHostToDevice); // expect: same
    cudaMemcpy(d + 32, c, 64, cudaMemcpyHostToDevice); // expect: same
    step<<<1, 1>>>(d);
    cudaMemcpy(d, a, 64, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous high
    step<<<1, 1>>>(d);
  }
}
// No documentation promises that cudaFree waits: the wait after it stays.
float afterFree(int n) {
  float *h, *d, *t;
  cudaHostAlloc(&h, 4, cudaHostAllocMapped);
  cudaHostGetDevicePointer(&d, h, 0);
  for (int i = 0; i < n; ++i) {
    cudaMalloc(&t, 1024); // expect: autoprof-memory-alloc-in-loop
    step<<<1, 1>>>(d);
    cudaFree(t);             // expect: autoprof-memory-alloc-in-loop high
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low; advice: keep the wait; no advice: remove
    if (*h > 3)
      break;
  }
  return *h;
}
