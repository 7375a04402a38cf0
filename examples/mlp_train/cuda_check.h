// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every CUDA and cuBLAS call goes through these: an error ends the program with
// one sentence that states which call failed, where and why.
#ifndef MLP_TRAIN_CUDA_CHECK_H
#define MLP_TRAIN_CUDA_CHECK_H

#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                       \
  do {                                                                         \
    cudaError_t check_status = (call);                                         \
    if (check_status != cudaSuccess)                                           \
      cuda_failed(#call, __FILE__, __LINE__,                                   \
                  cudaGetErrorString(check_status));                           \
  } while (0)

#define CUBLAS_CHECK(call)                                                     \
  do {                                                                         \
    cublasStatus_t check_status = (call);                                      \
    if (check_status != CUBLAS_STATUS_SUCCESS)                                 \
      cuda_failed(#call, __FILE__, __LINE__,                                   \
                  cublasGetStatusString(check_status));                        \
  } while (0)

[[noreturn]] inline void cuda_failed(const char *call, const char *file,
                                     int line, const char *reason) {
  std::fprintf(stderr, "mlp_train: %s:%d: %s failed: %s\n", file, line, call,
               reason);
  std::exit(1);
}

#endif // MLP_TRAIN_CUDA_CHECK_H
