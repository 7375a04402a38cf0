// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "warnings.h"
#define CHECK(call) do { int code = (call); if (code) unused(code, #call); } while (0)
#define ADD(a, b) a + b
__global__ void k(int *d, unsigned n) { int unused_in_kernel; d[n] = n; }
static void unused(int, const char *) {}
static int never_called(int x) { return x; }
template <class T> T convert(T t) {
  int never_read = 3;
  CHECK(cudaMemset(&t, 0, sizeof(t) * -1));
  return cudaFree(&t) + 1.5;
}

int main(int argc, char **argv) {
  int *d, x = 3.7, uninitialised;
  k<<<1, 1>>>(d, argc + -1); int same_line = 4;
  for (int i = 0; i < 3; ++i) k<<<1, 1>>>(d, 2.5); long behind = 4.5;
  if (cudaError_t e = cudaMalloc(&d, 4)) int shadow = argc, argc = shadow;
  CHECK(cudaMemcpy(d, &uninitialised, -1, cudaMemcpyHostToDevice)); char c = 300;
  while (cudaDeviceSynchronize() == 0 & 1) ;
  cudaFree(d), x == 2;
  Header h;
  return cudaFree(0) && convert(2) || ADD(cudaFree(d), 2) * uninitialised;
}

template <typename F> __global__ void each(F f) { int narrow = 3.5 * f(1); }
void lambdas(float *p) {
  struct { int x; } unnamed;
  each<<<1, 1>>>([=] __device__(int i) { return p[i] = i; }); auto behind = [] { return 1; };
  int wrong = behind() * 1.5; k<<<1, 1>>>((int *)p, 1); sizeof(behind); convert(1.5); int *bad = nullptr; (void)(bad == nullptr);
}
