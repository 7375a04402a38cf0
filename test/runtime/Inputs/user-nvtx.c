/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* NVTX from C; the program has no probes and was built by another compiler. */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 3; ++i) {
    nvtxRangePushA("iteration");
    nvtxRangePop();
  }
  puts("done");
  return 7;
}
