// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's algorithms, with the temporary memory that they request.
#include "Timer.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

using autoprof::calibrate::Timer;

namespace {

constexpr int N = 65'536;

/// Kept.
struct Memory {
  int *From = nullptr, *To = nullptr;
  void *Temporary = nullptr;
  size_t Bytes = 0;
};

Memory &memory(const Timer &T) {
  static Memory M;
  if (!M.From) {
    T.check(cudaMalloc(&M.From, N * sizeof(int)), "cudaMalloc failed");
    T.check(cudaMalloc(&M.To, N * sizeof(int)), "cudaMalloc failed");
    T.check(cudaMemset(M.From, 0, N * sizeof(int)), "cudaMemset failed");
  }
  return M;
}

/// `Algorithm(temporary, bytes, memory, stream)`; without temporary memory it
/// returns how much it needs.
template <typename F> void run(const Timer &T, F Algorithm) {
  auto Stream = static_cast<cudaStream_t>(T.Stream);
  Memory &M = memory(T);
  size_t Bytes = 0;
  T.check(Algorithm(nullptr, Bytes, M, Stream), "CUB gave no size");
  if (Bytes > M.Bytes) {
    cudaFree(M.Temporary);
    T.check(cudaMalloc(&M.Temporary, Bytes), "cudaMalloc failed");
    M.Bytes = Bytes;
  }
  T.time(
      [&] { T.check(Algorithm(M.Temporary, Bytes, M, Stream), "CUB failed"); });
}

} // namespace

AUTOPROF_CASE(cub_sum,
              run(T, [](void *P, size_t &Bytes, Memory &M, cudaStream_t S) {
                return cub::DeviceReduce::Sum(P, Bytes, M.From, M.To, N, S);
              }))
AUTOPROF_CASE(cub_max,
              run(T, [](void *P, size_t &Bytes, Memory &M, cudaStream_t S) {
                return cub::DeviceReduce::Max(P, Bytes, M.From, M.To, N, S);
              }))
AUTOPROF_CASE(cub_scan,
              run(T, [](void *P, size_t &Bytes, Memory &M, cudaStream_t S) {
                return cub::DeviceScan::ExclusiveSum(P, Bytes, M.From, M.To, N,
                                                     S);
              }))
AUTOPROF_CASE(cub_sort,
              run(T, [](void *P, size_t &Bytes, Memory &M, cudaStream_t S) {
                return cub::DeviceRadixSort::SortKeys(P, Bytes, M.From, M.To, N,
                                                      0, 32, S);
              }))
