// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef BUFFER_H
#define BUFFER_H
#include <cstddef>
struct Buffer {
  void *data = nullptr;
  explicit Buffer(std::size_t n) { AP_SITE(0xc2290f1689a28e16) cudaMalloc(&data, n); }
  ~Buffer() { AP_SITE(0x82e613c4f639d3ed) cudaFree(data); }
};
#endif
