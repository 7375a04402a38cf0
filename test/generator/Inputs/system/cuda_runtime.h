/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* As much of CUDA's runtime API as generated programs use, with the signatures
 * of the toolkit, so that they compile with that, too. fake_cuda.c has the
 * functions. */
#ifndef FAKE_CUDA_RUNTIME_H
#define FAKE_CUDA_RUNTIME_H
#include <stddef.h>

#ifdef __CUDA__
#define __global__ __attribute__((global))
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#else
#define __host__
#define __device__
#endif

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorNotReady = 600,
  cudaErrorUnknown = 999
} cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
struct dim3 {
  unsigned x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1,
                                     unsigned z = 1)
      : x(x), y(y), z(z) {}
#endif
};
typedef struct dim3 dim3;

#ifdef __cplusplus
#define FAKE_DEFAULT(value) = value
extern "C" {
#else
#define FAKE_DEFAULT(value)
#endif
cudaError_t cudaMalloc(void **pointer, size_t size);
cudaError_t cudaMallocHost(void **pointer, size_t size);
cudaError_t cudaMallocManaged(void **pointer, size_t size,
                              unsigned flags FAKE_DEFAULT(1));
cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
cudaError_t cudaMemcpy(void *to, const void *from, size_t size,
                       enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size,
                            enum cudaMemcpyKind kind,
                            cudaStream_t stream FAKE_DEFAULT(0));
cudaError_t cudaMemset(void *pointer, int value, size_t size);
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t size,
                            cudaStream_t stream FAKE_DEFAULT(0));
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventRecord(cudaEvent_t event,
                            cudaStream_t stream FAKE_DEFAULT(0));
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaGetLastError(void);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block,
                             void **arguments, size_t shared,
                             cudaStream_t stream);
unsigned
__cudaPushCallConfiguration(dim3 grid, dim3 block,
                            size_t shared FAKE_DEFAULT(0),
                            struct CUstream_st *stream FAKE_DEFAULT(0));
#ifdef __cplusplus
} /* extern "C" */

template <class T> cudaError_t cudaMalloc(T **pointer, size_t size) {
  return ::cudaMalloc((void **)(void *)pointer, size);
}
template <class T>
cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned = 0) {
  return ::cudaMallocHost((void **)(void *)pointer, size);
}
template <class T>
cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned flags = 1) {
  return ::cudaMallocManaged((void **)(void *)pointer, size, flags);
}
template <class T>
cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void **)(void *)pointer, size, stream);
}
#endif
#undef FAKE_DEFAULT
#endif
