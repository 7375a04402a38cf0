// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
struct Buffer {
  float *data = nullptr;
  explicit Buffer(int n) { cudaMalloc(&data, n * sizeof(float)); }
  ~Buffer() { cudaFree(data); }
};
