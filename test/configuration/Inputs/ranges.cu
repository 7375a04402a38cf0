// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions and loops that have NVTX ranges of their own.
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>

__global__ void k(int *d) { d[0] = 1; }
struct Mine { static constexpr char const *name{"mine"}; };

void by_macro(int *d) {
  NVTX3_FUNC_RANGE();
  k<<<1, 1>>>(d);
}
void by_object(int *d) {
  int n = 3;
  nvtx3::scoped_range_in<Mine> range("object");
  for (int i = 0; i < n; ++i) {
    nvtx3::scoped_range inner("inner");
    k<<<1, 1>>>(d);
  }
}
int by_calls(int *d) {
  nvtxRangePushA("calls");
  k<<<1, 1>>>(d);
  nvtxRangePop();
  return 1;
}
void late(int *d) {
  k<<<1, 1>>>(d);
  nvtx3::scoped_range range("late");
  k<<<1, 1>>>(d);
}
void one_part(int *d) {
  nvtxRangePushA("part");
  k<<<1, 1>>>(d);
  nvtxRangePop();
  k<<<1, 1>>>(d);
}
