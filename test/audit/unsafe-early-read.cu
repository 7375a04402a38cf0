// The host reads the destination of an asynchronous copy before waiting for it.
// RUN: %check_rules
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void step(float *x) { *x += 1; }

float missing(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s); // expect: autoprof-unsafe-early-read medium
  return h[0];
}

float throughFunctions(float *d, cudaStream_t s, float *to) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s); // expect: autoprof-unsafe-early-read
  step<<<1, 1, 0, s>>>(d);
  std::memcpy(to, h, 64);
  cudaStreamSynchronize(s);
  return *to;
}

float inLoop(float *d, cudaStream_t s, int n) {
  float *h, sum = 0;
  cudaHostAlloc(&h, 4, cudaHostAllocDefault);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s); // expect: autoprof-unsafe-early-read medium
    sum += *h;
  }
  return sum;
}

// Waited for, in one way or another.
static void finish(cudaStream_t s) { cudaStreamSynchronize(s); }
void elsewhere();
float waited(float *d, cudaStream_t s, cudaEvent_t e, float *other) {
  float *h, sum = 0;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  sum += h[0];
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  cudaEventRecord(e, s);
  cudaEventSynchronize(e);
  sum += h[1];
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  finish(s);
  sum += h[2];
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  while (cudaStreamQuery(s) == cudaErrorNotReady) {
  }
  sum += h[3];
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  elsewhere(); // it may wait
  sum += h[4];
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  cudaMemcpy(other, d, 64, cudaMemcpyDeviceToHost);
  sum += h[5];
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  cudaFreeHost(h); // waits
  return sum;
}

// A copy of one iteration is waited for in the next one.
float later(float *d, cudaStream_t s, int n) {
  float *h, sum = 0;
  cudaMallocHost(&h, 4);
  for (int i = 0; i < n; ++i) {
    if (i > 0) {
      cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
      sum += *h;
    }
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s);
  }
  return sum;
}

// Two buffers.
float twoBuffers(float *d, cudaStream_t s, int n) {
  float *h[2], sum = 0;
  cudaMallocHost(&h[0], 4);
  cudaMallocHost(&h[1], 4);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(h[i % 2], d, 4, cudaMemcpyDeviceToHost, s);
    sum += *h[(i + 1) % 2];
  }
  return sum;
}
float parts(float *d, cudaStream_t s, int n) {
  float *h;
  cudaMallocHost(&h, 4 * n);
  h[0] = 1;
  cudaMemcpyAsync(h + 1, d, 4, cudaMemcpyDeviceToHost, s);
  return h[0];
}
float swapped(float *d, cudaStream_t s, float *other) {
  float *h;
  cudaMallocHost(&h, 4);
  cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s);
  h = other;
  return *h;
}

// Pageable memory: the data are there when the copy returns. Or not known.
float others(float *d, cudaStream_t s, float *given, bool wait) {
  float *plain = (float *)malloc(4), *h;
  cudaMemcpyAsync(plain, d, 4, cudaMemcpyDeviceToHost, s);
  float sum = *plain;
  cudaMemcpyAsync(given, d, 4, cudaMemcpyDeviceToHost, s);
  sum += *given;
  cudaMallocHost(&h, 4);
  cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s);
  if (wait)
    cudaStreamSynchronize(s);
  sum += *h; // perhaps it was waited for
  cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, s);
  sum += *h; // both only read
  return sum;
}
