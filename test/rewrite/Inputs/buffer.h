// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef BUFFER_H
#define BUFFER_H
#include <cstddef>
struct Buffer {
  void *data = nullptr;
  explicit Buffer(std::size_t n) { cudaMalloc(&data, n); }
  ~Buffer() { cudaFree(data); }
};
#endif
