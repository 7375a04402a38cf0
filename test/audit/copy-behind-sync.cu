// A wait in front of a copy that waits for the same work: the copy is the wait.
// RUN: %check_rules
// RUN: not %autoprof audit %s | FileCheck %s
// CHECK: warning: cudaDeviceSynchronize at copy-behind-sync.cu:[[#SYNC:]], and then cudaMemcpy, wait for the work queued before them in each iteration of the loop
// CHECK: advice: {{.*}}. Remove cudaDeviceSynchronize at copy-behind-sync.cu:[[#SYNC]], too: time is gained only without both
#include <cstdio>
#include <ctime>

__global__ void step(float *x);

void checked(float *h, int n) {
  float *d;
  cudaMalloc(&d, 64);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-repeated low; advice: remove it
    if (cudaGetLastError() != cudaSuccess)
      return;
    cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
    h[0] += h[1];
  }
}

// The host reads in between.
void shared(float *h, int n) {
  float *m;
  cudaMallocManaged(&m, 64);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(m);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    h[0] += m[0];
    cudaMemcpy(h, m, 64, cudaMemcpyDefault);
  }
}

// A clock is read in between.
double timed(float *h, float *d, int n) {
  double all = 0;
  for (int i = 0; i < n; ++i) {
    const clock_t begin = clock();
    step<<<1, 1>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-for-timing low
    all += clock() - begin;
    cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
  }
  return all;
}

// The copy waits for another stream only.
void twoStreams(float *h, float *d, int n) {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high
    cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
    h[0] += h[1];
  }
}

// The wait is under a condition, and the copy is not.
void sometimes(float *h, float *d, int n, bool more) {
  for (int i = 0; i < n; ++i) {
    if (more) {
      step<<<1, 1>>>(d);
      cudaDeviceSynchronize(); // expect: autoprof-sync-repeated low; advice: remove it
    }
    cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
    h[0] += h[1];
  }
}
// The copy is, and the wait is not.
void notAlways(float *h, float *d, int n, bool read) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    if (read)
      cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
  }
}

// A wait for an event that is recorded after it.
float withEvents(float *h, float *d, cudaEvent_t begin, cudaEvent_t end, int n) {
  float all = 0, ms;
  for (int i = 0; i < n; ++i) {
    cudaEventRecord(begin);
    step<<<1, 1>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-repeated low; advice: remove it
    cudaEventRecord(end);
    cudaEventSynchronize(end); // expect: autoprof-sync-for-timing low
    cudaEventElapsedTime(&ms, begin, end);
    all += ms;
  }
  return all;
}
