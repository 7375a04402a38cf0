// The memory of a kernel is used before it is complete.
// RUN: %check_rules
#include <cstdio>

__global__ void step(float *x) { *x += 1; }
__global__ void show(const float *x) { (void)*x; }
__global__ void flag(volatile int *x) { *x = 1; }

// The legacy stream does not wait for non-blocking ones.
float early(float *d, float *e, int n) {
  cudaStream_t nb;
  cudaStreamCreateWithFlags(&nb, cudaStreamNonBlocking);
  float v, sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, nb>>>(d);
    cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost); // expect: autoprof-unsafe-early-read medium; advice: cudaStreamSynchronize(nb)
    sum += v;
  }
  step<<<1, 1, 0, nb>>>(d);
  if (cudaGetLastError() == cudaSuccess)
    cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost); // expect: autoprof-unsafe-early-read medium
  step<<<1, 1, 0, nb>>>(d);
  cudaMemcpy(&v, e, 4, cudaMemcpyDeviceToHost); // other memory
  cudaStreamSynchronize(nb);
  cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost);
  show<<<1, 1, 0, nb>>>(d);
  cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost); // both read
  return sum + v;
}
float ordered(float *d, cudaEvent_t e, cudaStream_t given, bool wait) {
  cudaStream_t nb, joined;
  cudaStreamCreateWithFlags(&nb, cudaStreamNonBlocking);
  cudaStreamCreate(&joined);
  float v;
  step<<<1, 1, 0, joined>>>(d);
  cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost);
  step<<<1, 1, 0, given>>>(d); // it may be a blocking stream
  cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost);
  step<<<1, 1, 0, nb>>>(d);
  cudaEventRecord(e, nb);
  cudaStreamWaitEvent(cudaStreamLegacy, e, 0);
  cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost);
  step<<<1, 1, 0, nb>>>(d);
  if (wait)
    cudaStreamSynchronize(nb);
  cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost);
  step<<<1, 1, 0, nb>>>(d);
  cudaMemcpyAsync(&v, d, 4, cudaMemcpyDeviceToHost, nb);
  return v;
}

// Managed memory.
float managed(int n) {
  float *m, *other, sum = 0;
  int *done;
  cudaMallocManaged(&m, 64);
  cudaMallocManaged(&other, 64);
  cudaMallocManaged(&done, 4);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(m); // expect: autoprof-unsafe-early-read medium
    sum += m[0];
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(m);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high; no advice: after the loop
    sum += m[0];
  }
  step<<<1, 1>>>(m);
  sum += other[0];
  cudaDeviceSynchronize();
  show<<<1, 1>>>(m);
  sum += m[0]; // both read
  flag<<<1, 1>>>(done);
  while (*(volatile int *)done == 0)
    ;
  return sum;
}

// Memory from a pool: cudaFree does not wait.
void pool(int n, cudaStream_t s) {
  for (int i = 0; i < n; ++i) {
    float *t;
    cudaMallocAsync(&t, 64, s);
    step<<<1, 1, 0, s>>>(t);
    cudaFree(t); // expect: autoprof-unsafe-buffer-lifetime medium; advice: cudaFreeAsync
  }
  for (int i = 0; i < n; ++i) {
    float *t, *u;
    cudaMallocAsync(&t, 64, s);
    cudaMallocAsync(&u, 64, s);
    step<<<1, 1, 0, s>>>(t);
    cudaFreeAsync(t, s);
    step<<<1, 1, 0, s>>>(u);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
    cudaFree(u);
  }
  float *plain;
  cudaMalloc(&plain, 64);
  step<<<1, 1, 0, s>>>(plain);
  cudaFree(plain); // waits
}

// The host writes managed memory that a kernel may use.
void writes(int n) {
  float *m, *other;
  cudaMallocManaged(&m, 64);
  cudaMallocManaged(&other, 64);
  step<<<1, 1>>>(m); // expect: autoprof-unsafe-buffer-lifetime medium; message: the host writes 'm'; message: [medium confidence]
  other[0] = n;
  m[0] = n;
  cudaDeviceSynchronize();
  step<<<1, 1>>>(m);
  cudaDeviceSynchronize();
  m[0] = n;
}
