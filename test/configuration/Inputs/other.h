// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
inline void other(int *d) {
  cudaMalloc(&d, 4);
  cudaFree(d);
}
