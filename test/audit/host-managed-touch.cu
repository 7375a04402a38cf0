// The host touches managed memory between launches of a loop that use it.
// RUN: %check_rules
#include <cstdio>
#include <utility>

__global__ void step(float *x) { *x += 1; }
__global__ void both(float *x, float *y) { *x += *y; }

void touches(int n) {
  float *x, *y;
  cudaMallocManaged(&x, 64);
  cudaMallocManaged(&y, 64);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    x[0] = i; // expect: autoprof-host-managed-touch medium; advice: cudaMemsetAsync for zeros; no advice: host copy
    step<<<1, 1>>>(y);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    std::printf("%f\n", y[1]); // expect: autoprof-host-managed-touch medium; advice: keep a host copy; no advice: cudaMemsetAsync
  }
}

// Before and after the loop, other memory, other pointers.
void others(float *given, int n) {
  float *x, *y, *device, *host = new float[16];
  cudaMallocManaged(&x, 64);
  cudaMallocManaged(&y, 64);
  cudaMalloc(&device, 64);
  x[0] = 1;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    both<<<1, 1>>>(x, device);
    host[i % 16] = i;
    y[0] += i; // no launch uses it
    std::swap(x, device);
    std::printf("%p\n", static_cast<void *>(x));
  }
  cudaDeviceSynchronize();
  std::printf("%f %f %f\n", x[0], y[0], host[0]);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(given);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    given[0] = 1; // what it points to is not known
  }
}
void pinned(int n) {
  float *x;
  cudaMallocHost(&x, 64);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    x[0] = i;
  }
}
void once() {
  float *x;
  cudaMallocManaged(&x, 64);
  step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  x[0] = 1;
  step<<<1, 1>>>(x);
  float *next = x;
  x = nullptr;
  step<<<1, 1>>>(next);
}

// The host accesses it between two loops, or in the outer one of two.
void between(int n) {
  float *x;
  cudaMallocManaged(&x, 64);
  for (int i = 0; i < n; ++i)
    step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  std::printf("%f\n", x[0]);
  for (int i = 0; i < n; ++i)
    step<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    x[0] = i; // expect: autoprof-host-managed-touch; message: loop at host-managed-touch.cu:78
  }
}
