// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every way to launch, and calls of the driver API and of libraries that wait.
// RUN: %check_rewrite --nvcc-flag=-Wno-deprecated-gpu-targets --std=c++17
#include <cooperative_groups.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cufft.h>
#include <cusolverDn.h>
#include <cusparse.h>

#define LAUNCH(kernel, grid, ...) kernel<<<grid, 1>>>(__VA_ARGS__)
#define LAUNCH_OR(kernel, d)                                                   \
  do {                                                                         \
    kernel<<<1, 1>>>(d);                                                       \
    if (cudaGetLastError() != cudaSuccess)                                     \
      return false;                                                            \
  } while (0)

__global__ void k(int *d) { *d = 1; }
template <class T> __global__ void fill(T *d) { *d = T(1); }

struct Stream {
  cudaStream_t s;
  template <class T> friend void operator<<(const Stream &on, T *d) { AP_SITE(0x255fb038e02e6357) fill<<<1, 1, 0, on.s>>>(d); }
  friend void run(const Stream &on, int *d) {AP_RANGE(0xbebd590ea1fb8914)
    AP_SITE(0xa53357c44bbd9e6f) k<<<1, 1, 0, on.s>>>(d);
    AP_SITE(0x6946aabee4265fed) cudaStreamSynchronize(on.s);
  }
};
inline cudaError_t operator""_bytes(unsigned long long n) {AP_RANGE(0x9a43b23d01bed418)
  void *p = nullptr;
  return (AP_SITE(0x569f7c95cf83aeb1) cudaMalloc(&p, n)) == cudaSuccess ? (AP_SITE(0x26d789727f2186c7) cudaFree(p)) : cudaErrorMemoryAllocation;
}

bool runtime(int *d, cudaStream_t s) {AP_RANGE(0x420d892ab5988f1c)
  void *args[] = {&d};
  cudaLaunchConfig_t config = {};
  AP_SITE(0x01263f34bff816c7) cudaLaunchKernel((const void *)k, dim3(1), dim3(1), args, 0, s);
  AP_SITE(0x01263e34bff81514) cudaLaunchKernel(k, dim3(1), dim3(1), args, 0, s);
  AP_SITE(0x4d8dc61ff785fe38) cudaLaunchCooperativeKernel((void *)k, dim3(1), dim3(1), args, 0, s);
  AP_SITE(0x2418ed86659f41c2) cudaLaunchKernelEx(&config, fill<int>, d);
  AP_SITE(0xc1f2325d6e2acd1b) cudaLaunchKernelExC(&config, (const void *)k, args);
  AP_SITE(0x914399c98e3ebc57) k<<<dim3(1, 2), 3, 4, s>>>(d);
  AP_SITE(0x914398c98e3ebaa4) LAUNCH(k, 1, d);
  AP_SITE(0x38978de4da6f1c3b) LAUNCH(fill, dim3(1, 2), d);
  if (d)
    AP_SITE(0x38978ce4da6f1a88) LAUNCH(fill<int>, 1, d);
  {AP_SITE_SCOPE(0x91439bc98e3ebfbd) LAUNCH_OR(k, d);}
  Stream{s} << d;
  run(Stream{s}, d);
  return 16_bytes == cudaSuccess;
}

void graphs(int *d, cudaStream_t s) {AP_RANGE(0xb587c6c9c68c02a9)
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  AP_SITE(0x94851e240e5d4284) k<<<1, 1, 0, s>>>(d);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 3; ++i)
    {AP_RANGE(0x50dc697fbdcd697b) AP_SITE(0x368d620c15383153) cudaGraphLaunch(exec, s);}
}

CUresult driver(CUfunction f, CUstream s, CUdeviceptr p, void *host) {AP_RANGE(0x3fb34372419a40ed)
  void *args[] = {&p};
  CUlaunchConfig config = {};
  if (CUresult e = (AP_SITE(0x964e200807b7ff25) cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, nullptr)))
    return e;
  AP_SITE(0xa9eacb7e53222850) cuLaunchKernelEx(&config, f, args, nullptr);
  AP_SITE(0x0a5f58bebe712fb6) cuLaunchCooperativeKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args);
  AP_SITE(0x45b51d5c1f16b81f) cuMemcpyDtoHAsync(host, p, 4, s);
  return AP_SITE(0x6fdb31e40a747af7) cuStreamSynchronize(s);
}

float libraries(float *x, cublasHandle_t blas, cusolverDnHandle_t solver, cusparseHandle_t sparse) {AP_RANGE(0xbf37ed89ae0abe62)
  float result;
  cufftHandle plan;
  AP_SITE(0xc9d9638cc06bac56) cufftPlan1d(&plan, 8, CUFFT_C2C, 1);
  AP_SITE(0xa55d7ee1c64f218a) cufftDestroy(plan);
  AP_SITE(0xabe9d40385c3b70c) cublasSnrm2(blas, 1, x, 1, &result);
  AP_SITE(0xfa4ab564365927ac) cublasDestroy(blas);
  AP_SITE(0x58b73175705ad069) cusolverDnDestroy(solver);
  cusparseDestroy(sparse);
  return result;
}

__host__ __device__ void on_both(int *d) {
#ifndef __CUDA_ARCH__
  cudaDeviceSynchronize();
#endif
  *d = 1;
}

__global__ void cooperative(int *d) {
  cooperative_groups::this_grid().sync();
  *d = 2;
}

// REQUIRES: cufft, cusolver, cusparse
AP_TABLE("0x255fb038e02e6357|launch|24|71|launches.cu|operator<<|fill;0xbebd590ea1fb8914|function|25|15|launches.cu|run|;0xa53357c44bbd9e6f|launch|26|5|launches.cu|run|k;0x6946aabee4265fed|sync|27|5|launches.cu|run|cudaStreamSynchronize;0x9a43b23d01bed418|function|30|20|launches.cu|operator%22%22_bytes|;0x569f7c95cf83aeb1|alloc|32|10|launches.cu|operator%22%22_bytes|cudaMalloc;0x26d789727f2186c7|free|32|45|launches.cu|operator%22%22_bytes|cudaFree;0x420d892ab5988f1c|function|35|6|launches.cu|runtime|;0x01263f34bff816c7|launch|38|3|launches.cu|runtime|cudaLaunchKernel;0x01263e34bff81514|launch|39|3|launches.cu|runtime|cudaLaunchKernel;0x4d8dc61ff785fe38|launch|40|3|launches.cu|runtime|cudaLaunchCooperativeKernel;0x2418ed86659f41c2|launch|41|3|launches.cu|runtime|cudaLaunchKernelEx;0xc1f2325d6e2acd1b|launch|42|3|launches.cu|runtime|cudaLaunchKernelExC;0x914399c98e3ebc57|launch|43|3|launches.cu|runtime|k;0x914398c98e3ebaa4|launch|44|10|launches.cu|runtime|k;0x38978de4da6f1c3b|launch|45|10|launches.cu|runtime|fill;0x38978ce4da6f1a88|launch|47|12|launches.cu|runtime|fill;0x91439bc98e3ebfbd|launch|48|13|launches.cu|runtime|k;0xb587c6c9c68c02a9|function|54|6|launches.cu|graphs|;0x94851e240e5d4284|launch|58|3|launches.cu|graphs|k;0x50dc697fbdcd697b|loop|61|3|launches.cu|graphs|;0x368d620c15383153|launch|62|5|launches.cu|graphs|cudaGraphLaunch;0x3fb34372419a40ed|function|65|10|launches.cu|driver|;0x964e200807b7ff25|launch|68|20|launches.cu|driver|cuLaunchKernel;0xa9eacb7e53222850|launch|70|3|launches.cu|driver|cuLaunchKernelEx;0x0a5f58bebe712fb6|launch|71|3|launches.cu|driver|cuLaunchCooperativeKernel;0x45b51d5c1f16b81f|copy|72|3|launches.cu|driver|cuMemcpyDtoHAsync;0x6fdb31e40a747af7|sync|73|10|launches.cu|driver|cuStreamSynchronize;0xbf37ed89ae0abe62|function|76|7|launches.cu|libraries|;0xc9d9638cc06bac56|other|79|3|launches.cu|libraries|cufftPlan1d;0xa55d7ee1c64f218a|other|80|3|launches.cu|libraries|cufftDestroy;0xabe9d40385c3b70c|other|81|3|launches.cu|libraries|cublasSnrm2;0xfa4ab564365927ac|other|82|3|launches.cu|libraries|cublasDestroy;0x58b73175705ad069|other|83|3|launches.cu|libraries|cusolverDnDestroy;")
