// What makes every launch wait was left switched on.
// RUN: %check_rules
#include <cstdlib>

#define DEBUG_KERNELS 1
#if DEBUG_KERNELS
#define AFTER_LAUNCH() cudaDeviceSynchronize()
#else
#define AFTER_LAUNCH()
#endif
#define FINISH() cudaDeviceSynchronize()
#define CHECK(X) if (X) std::abort()
#ifndef NDEBUG
#define FINISH_UNLESS_NDEBUG() cudaDeviceSynchronize()
#endif
#ifdef DEBUG_COPIES
#define AFTER_COPY() cudaDeviceSynchronize()
#else
#define AFTER_COPY()
#endif

__global__ void step(float *x) { *x += 1; }

void environment() {
  setenv("CUDA_LAUNCH_BLOCKING", "1", 1); // expect: autoprof-debug-blocking note
  putenv(const_cast<char *>("CUDA_LAUNCH_BLOCKING=1")); // expect: autoprof-debug-blocking note
  setenv("CUDA_LAUNCH_BLOCKING", "0", 1);
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  putenv(const_cast<char *>("CUDA_LAUNCH_BLOCKING=0"));
  unsetenv("CUDA_LAUNCH_BLOCKING");
  if (getenv("CUDA_LAUNCH_BLOCKING"))
    std::abort();
}

void launches(float *x, float *h, int n) {
  step<<<1, 1>>>(x);
  AFTER_LAUNCH(); // expect: autoprof-debug-blocking note
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    AFTER_LAUNCH(); // expect: autoprof-debug-blocking medium
  }
  step<<<1, 1>>>(x);
  CHECK(AFTER_LAUNCH()); // expect: autoprof-debug-blocking note; message: the macro AFTER_LAUNCH is enabled by DEBUG_KERNELS
  step<<<1, 1>>>(x);
  CHECK(FINISH_UNLESS_NDEBUG()); // expect: autoprof-debug-blocking note; message: the macro FINISH_UNLESS_NDEBUG is enabled without NDEBUG; advice: build with NDEBUG
  step<<<1, 1>>>(x);
  FINISH(); // a macro for all builds
  step<<<1, 1>>>(x);
  AFTER_COPY(); // switched off
  cudaMemcpy(x, h, 4, cudaMemcpyHostToDevice);
  AFTER_LAUNCH(); // not after a launch
}
