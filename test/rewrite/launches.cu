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
  template <class T> friend void operator<<(const Stream &on, T *d) { fill<<<1, 1, 0, on.s>>>(d); }
  friend void run(const Stream &on, int *d) {
    k<<<1, 1, 0, on.s>>>(d);
    cudaStreamSynchronize(on.s);
  }
};
inline cudaError_t operator""_bytes(unsigned long long n) {
  void *p = nullptr;
  return cudaMalloc(&p, n) == cudaSuccess ? cudaFree(p) : cudaErrorMemoryAllocation;
}

bool runtime(int *d, cudaStream_t s) {
  void *args[] = {&d};
  cudaLaunchConfig_t config = {};
  cudaLaunchKernel((const void *)k, dim3(1), dim3(1), args, 0, s);
  cudaLaunchKernel(k, dim3(1), dim3(1), args, 0, s);
  cudaLaunchCooperativeKernel((void *)k, dim3(1), dim3(1), args, 0, s);
  cudaLaunchKernelEx(&config, fill<int>, d);
  cudaLaunchKernelExC(&config, (const void *)k, args);
  k<<<dim3(1, 2), 3, 4, s>>>(d);
  LAUNCH(k, 1, d);
  LAUNCH(fill, dim3(1, 2), d);
  if (d)
    LAUNCH(fill<int>, 1, d);
  LAUNCH_OR(k, d);
  Stream{s} << d;
  run(Stream{s}, d);
  return 16_bytes == cudaSuccess;
}

void graphs(int *d, cudaStream_t s) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  k<<<1, 1, 0, s>>>(d);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 3; ++i)
    cudaGraphLaunch(exec, s);
}

CUresult driver(CUfunction f, CUstream s, CUdeviceptr p, void *host) {
  void *args[] = {&p};
  CUlaunchConfig config = {};
  if (CUresult e = cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args, nullptr))
    return e;
  cuLaunchKernelEx(&config, f, args, nullptr);
  cuLaunchCooperativeKernel(f, 1, 1, 1, 1, 1, 1, 0, s, args);
  cuMemcpyDtoHAsync(host, p, 4, s);
  return cuStreamSynchronize(s);
}

float libraries(float *x, cublasHandle_t blas, cusolverDnHandle_t solver, cusparseHandle_t sparse) {
  float result;
  cufftHandle plan;
  cufftPlan1d(&plan, 8, CUFFT_C2C, 1);
  cufftDestroy(plan);
  cublasSnrm2(blas, 1, x, 1, &result);
  cublasDestroy(blas);
  cusolverDnDestroy(solver);
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
