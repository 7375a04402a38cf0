// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases that need a variable or a kernel compiled by nvcc, but no library.
#include "Timer.h"

#include <cstdio>
#include <cstdlib>

using autoprof::calibrate::Timer;

namespace {

__device__ int Symbol[1024];
constexpr size_t Bytes = sizeof(Symbol);

__global__ void printing(int Value) {
  if (Value)
    printf("%d\n", Value);
}

cudaStream_t streamOf(const Timer &T) {
  return static_cast<cudaStream_t>(T.Stream);
}

/// 4 KiB; kept.
void *pageable() {
  static void *P = std::calloc(1, Bytes);
  return P;
}
void *pinned(const Timer &T) {
  static void *P = nullptr;
  if (!P)
    T.check(cudaMallocHost(&P, Bytes), "cudaMallocHost failed");
  return P;
}

void to(const Timer &T) {
  void *P = pageable();
  T.time([&] {
    T.check(cudaMemcpyToSymbol(Symbol, P, Bytes), "cudaMemcpyToSymbol failed");
  });
}

void from(const Timer &T) {
  void *P = pageable();
  T.time([&] {
    T.check(cudaMemcpyFromSymbol(P, Symbol, Bytes),
            "cudaMemcpyFromSymbol failed");
  });
}

void toAsync(const Timer &T, void *P) {
  T.time([&] {
    T.check(cudaMemcpyToSymbolAsync(Symbol, P, Bytes, 0, cudaMemcpyHostToDevice,
                                    streamOf(T)),
            "cudaMemcpyToSymbolAsync failed");
  });
}

void fromAsync(const Timer &T, void *P) {
  T.time([&] {
    T.check(cudaMemcpyFromSymbolAsync(P, Symbol, Bytes, 0,
                                      cudaMemcpyDeviceToHost, streamOf(T)),
            "cudaMemcpyFromSymbolAsync failed");
  });
}

/// It could print, but does not.
void print(const Timer &T) {
  T.time([&] {
    printing<<<1, 1, 0, streamOf(T)>>>(0);
    T.check(cudaGetLastError(), "the launch failed");
  });
}

} // namespace

AUTOPROF_CASE(to_symbol, to(T))
AUTOPROF_CASE(from_symbol, from(T))
AUTOPROF_CASE(to_symbol_async_pageable, toAsync(T, pageable()))
AUTOPROF_CASE(to_symbol_async_pinned, toAsync(T, pinned(T)))
AUTOPROF_CASE(from_symbol_async_pageable, fromAsync(T, pageable()))
AUTOPROF_CASE(from_symbol_async_pinned, fromAsync(T, pinned(T)))
AUTOPROF_CASE(printing_kernel, print(T))
