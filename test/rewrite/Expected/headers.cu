// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite -- -fplugin-arg-autoprof-exclude-files=*excluded*
#include "Inputs/buffer.h"
#include "Inputs/excluded.h"
#include "Inputs/buffer.h"

#define T float
#include "Inputs/typed.inc"
#undef T
#define T double
#include "Inputs/typed.inc"
#undef T

#include <cstdio>

int main() {AP_RANGE(0x37f2cbc8e2aa0ec5)
  Buffer b(4);
  copy_float(b.data);
  copy_double(b.data);
  excluded();
  std::printf("%d\n", 1);
}
AP_TABLE("0xc2290f1689a28e16|alloc|7|36|Inputs/buffer.h|Buffer::Buffer|cudaMalloc;0x82e613c4f639d3ed|free|8|15|Inputs/buffer.h|Buffer::~Buffer|cudaFree;0x5187092b65774dba|function|4|13|Inputs/typed.inc|copy_float|;0x3cb9f4c2144af9f2|copy|6|3|Inputs/typed.inc|copy_float|cudaMemcpy;0x37f2cbc8e2aa0ec5|function|16|5|headers.cu|main|;")
