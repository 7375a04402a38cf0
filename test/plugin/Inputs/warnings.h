// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
struct Header {
  int *data, other;
  Header() : other(1.5), data(0) { cudaMalloc(&data, 4); int unused = 3; }
  ~Header() { cudaFree(data); if (other = 3) cudaDeviceSynchronize(); }
};
