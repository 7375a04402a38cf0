#ifndef COMMON_H
#define COMMON_H

#include <cstdio>
#include <cuda_runtime.h>
#define CHECK(call)                                                            \
  do {                                                                         \
    if (cudaError_t E = (call))                                                \
      std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, E != 0);       \
  } while (0)

template <typename T> T *make(size_t N) {
  T *P = nullptr;
  CHECK(cudaMalloc(&P, N * sizeof(T)));
  return P;
}
inline void finish() { cudaDeviceSynchronize(); }
#endif
