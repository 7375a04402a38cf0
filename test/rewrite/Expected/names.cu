// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite
// Names alone do not make a call a site; suffixes and pointers do not hide one.
#include <cublas_v2.h>

namespace mine {
int cudaMemcpy(int a, int b) { return a + b; }
struct S { int cudaFree(int n) { return n; } };
} // namespace mine
int cudaDeviceSynchronize(int n) { return n; }

float calls(int *d, cublasHandle_t handle, float *x) {AP_RANGE(0xccf3e8fc5877466d)
  mine::cudaMemcpy(1, 2);
  mine::S().cudaFree(3);
  cudaDeviceSynchronize(4);
  AP_SITE(0x283547e003e0caf8) ::cudaDeviceSynchronize();
  cudaGetLastError();
  cudaStreamQuery(nullptr);
  cudaEventQuery(nullptr);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  float result = 0;
  AP_SITE(0x35bc24f1cbcaac45) cublasSdot(handle, 1, x, 1, x, 1, &result);
  cublasSaxpy(handle, 1, &result, x, 1, x, 1);
  AP_SITE(0x01d358cca17ad5b1) cublasDestroy(handle);
  AP_SITE(0xa272ff521b1b67e9) cudaDeviceSetLimit(cudaLimitStackSize, 1024);
  auto pointer = cudaFree;
  pointer(d);
  AP_SITE(0x281627ebfc642ab6) (cudaFree)(d);
  return result;
}
AP_TABLE("0xccf3e8fc5877466d|function|12|7|names.cu|calls|;0x283547e003e0caf8|sync|16|3|names.cu|calls|cudaDeviceSynchronize;0x35bc24f1cbcaac45|other|22|3|names.cu|calls|cublasSdot;0x01d358cca17ad5b1|other|24|3|names.cu|calls|cublasDestroy;0xa272ff521b1b67e9|other|25|3|names.cu|calls|cudaDeviceSetLimit;0x281627ebfc642ab6|free|28|3|names.cu|calls|cudaFree;")
