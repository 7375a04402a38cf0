// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite
// Names alone do not make a call a site; suffixes and pointers do not hide one.
#include <cublas_v2.h>

namespace mine {
int cudaMemcpy(int a, int b) { return a + b; }
struct S { int cudaFree(int n) { return n; } };
} // namespace mine
int cudaDeviceSynchronize(int n) { return n; }

float calls(int *d, cublasHandle_t handle, float *x) {
  mine::cudaMemcpy(1, 2);
  mine::S().cudaFree(3);
  cudaDeviceSynchronize(4);
  ::cudaDeviceSynchronize();
  cudaGetLastError();
  cudaStreamQuery(nullptr);
  cudaEventQuery(nullptr);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  float result = 0;
  cublasSdot(handle, 1, x, 1, x, 1, &result);
  cublasSaxpy(handle, 1, &result, x, 1, x, 1);
  cublasDestroy(handle);
  cudaDeviceSetLimit(cudaLimitStackSize, 1024);
  auto pointer = cudaFree;
  pointer(d);
  (cudaFree)(d);
  return result;
}
