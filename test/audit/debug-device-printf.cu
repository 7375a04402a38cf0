// A kernel that is launched in a loop calls printf.
// RUN: %check_rules
#include <cstdio>

__device__ void show(float x) {
  printf("%f\n", x); // expect: autoprof-debug-device-printf
}

__global__ void prints(float *x) {
  if (threadIdx.x == 0)
    printf("%f\n", *x); // expect: autoprof-debug-device-printf low
}
__global__ void printsByCall(float *x) { show(*x); }
template <typename T> __global__ void generic(T *x) {
  printf("%f\n", double(*x)); // expect: autoprof-debug-device-printf low
}

// Errors, debug regions, kernels that no loop launches, formatting on the host.
__global__ void checks(float *x, int n, int error) {
  if (isnan(*x))
    printf("not a number\n");
  if (error != 0)
    printf("error %d\n", error);
#ifdef DEBUG
  printf("%f\n", *x);
#endif
}
#define VERBOSE_KERNELS
__global__ void debugged(float *x) {
#ifdef VERBOSE_KERNELS
  printf("%f\n", *x);
#endif
}
__global__ void seldom(float *x) { printf("%f\n", *x); } // expect: autoprof-debug-device-printf low
__global__ void silent(float *x) { *x += 1; }
__global__ void never(float *x) { printf("%f\n", *x); }

void run(float *x, int n) {
  seldom<<<1, 1>>>(x);
  for (int i = 0; i < n; ++i) {
    prints<<<1, 1>>>(x);
    printsByCall<<<1, 1>>>(x);
    generic<<<1, 1>>>(x);
    checks<<<1, 1>>>(x, n, 0);
    debugged<<<1, 1>>>(x);
    silent<<<1, 1>>>(x);
    if (i == 0)
      seldom<<<1, 1>>>(x);
    std::printf("step %d\n", i);
  }
}
