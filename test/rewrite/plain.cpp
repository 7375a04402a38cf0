// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite -- -std=c++11 -isystem %cuda_path/include
#include <cuda.h>
#include <cuda_runtime_api.h>

int main(int argc, char **argv) {
  void *p = nullptr;
  CUdeviceptr q = 0;
  if (cudaMalloc(&p, 4) == cudaSuccess)
    for (int i = 0; i < argc; ++i)
      cudaMemset(p, i, 4);
  cuMemAlloc(&q, 4);
  cuMemcpyDtoH(p, q, 4);
  cuMemFree(q);
  return cudaFree(p) == cudaSuccess;
}
