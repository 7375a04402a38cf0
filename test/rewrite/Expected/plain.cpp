// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite -- -std=c++11 -isystem %cuda_path/include
#include <cuda.h>
#include <cuda_runtime_api.h>

int main(int argc, char **argv) {AP_RANGE(0xb9297055cce52f3f)
  void *p = nullptr;
  CUdeviceptr q = 0;
  if ((AP_SITE(0x2bca6c5c91ab74fa) cudaMalloc(&p, 4)) == cudaSuccess)
    for (int i = 0; i < argc; ++i)
      {AP_RANGE(0xfebb0fad240dc2c5) AP_SITE(0x58db65b8dfd81d61) cudaMemset(p, i, 4);}
  AP_SITE(0x787bc8a5541ff5cf) cuMemAlloc(&q, 4);
  AP_SITE(0x18d934dd4327c063) cuMemcpyDtoH(p, q, 4);
  AP_SITE(0xfeb8276a5dd59834) cuMemFree(q);
  return (AP_SITE(0x9c203a393be7613c) cudaFree(p)) == cudaSuccess;
}
AP_TABLE("0xb9297055cce52f3f|function|6|5|plain.cpp|main|;0x2bca6c5c91ab74fa|alloc|9|7|plain.cpp|main|cudaMalloc;0xfebb0fad240dc2c5|loop|10|5|plain.cpp|main|;0x58db65b8dfd81d61|set|11|7|plain.cpp|main|cudaMemset;0x787bc8a5541ff5cf|alloc|12|3|plain.cpp|main|cuMemAlloc;0x18d934dd4327c063|copy|13|3|plain.cpp|main|cuMemcpyDtoH;0xfeb8276a5dd59834|free|14|3|plain.cpp|main|cuMemFree;0x9c203a393be7613c|free|15|10|plain.cpp|main|cudaFree;")
