// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstddef>
struct Buffer {
  void *data = nullptr;
  explicit Buffer(size_t n) { cudaMalloc(&data, n); }
  int size = 0;
};

#include <map>
inline void after(Buffer &b) {
  b.size = 0;
  cudaFree(b.data);
}
